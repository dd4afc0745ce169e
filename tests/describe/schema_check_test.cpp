#include "sim/describe/schema_check.hpp"

#include <gtest/gtest.h>

namespace oscar::schema_check_test {
namespace {

using Json = nlohmann::ordered_json;

std::string mismatch(const char* value, const char* schema) {
    return find_mismatch(Json::parse(value), Json::parse(schema)).value_or("none");
}

TEST(SchemaCheck, NamesThePlaceOfTheFirstValueOfAWrongType) {
    const char* schema = R"({"type": "object", "properties": {
        "links": {"type": "array", "items": {"type": "object", "properties": {"use": {"type": "number"}}}}}})";
    EXPECT_EQ(mismatch(R"({"links": [{"use": 0.5}, {"use": 1}]})", schema), "none");
    EXPECT_EQ(mismatch(R"({"links": [{"use": 0.5}, {"use": "x"}]})", schema),
              "links[1].use: is a text, and a number is due");
    EXPECT_EQ(mismatch(R"({"links": 7})", schema), "links: is a number, and a list is due");
    EXPECT_EQ(mismatch("[]", schema), "is a list, and a map is due");
}

TEST(SchemaCheck, LeavesOutWhatOtherVersionsHaveOrLack) {
    const char* schema = R"({"type": "object", "properties": {"a": {"type": "number", "minimum": 3}}, "required": ["a"],
                             "additionalProperties": false})";
    EXPECT_EQ(mismatch(R"({"b": [1]})", schema), "none");
    EXPECT_EQ(mismatch(R"({"a": 2})", schema), "none");
}

TEST(SchemaCheck, TakesEachOfSeveralTypesAndNames) {
    EXPECT_EQ(mismatch("null", R"({"anyOf": [{"type": "number"}, {"type": "null"}]})"), "none");
    EXPECT_EQ(mismatch("true", R"({"anyOf": [{"type": "number"}, {"type": "null"}]})"),
              "is true or false, and a number is due");
    EXPECT_EQ(mismatch("[]", R"({"type": ["string", "number"]})"), "is a list, and a text or a number is due");
    EXPECT_EQ(mismatch(R"("a later name")", R"({"enum": ["link", "wait"]})"), "none");
    EXPECT_EQ(mismatch("3", R"({"enum": ["link", "wait"]})"), "is a number, and a text is due");
    EXPECT_EQ(
        mismatch(R"({"fp32": 2, "asc": null})", R"({"type": "object", "additionalProperties": {"type": "number"}})"),
        "asc: is null, and a number is due");
}

}   // namespace
}   // namespace oscar::schema_check_test

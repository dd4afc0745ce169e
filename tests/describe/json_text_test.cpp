// JSON as text for people.
#include "sim/describe/json_text.hpp"

#include <gtest/gtest.h>

namespace oscar::json_text_test {
namespace {

using Json = nlohmann::ordered_json;

TEST(JsonText, WritesAListOfNumbersOrTextsOnALine) {
    EXPECT_EQ(json_text(Json{{"a \"b\"", {1, 2.5, nullptr}}, {"c", {{{"d", Json::array()}}, {{"e", Json::object()}}}}}),
              "{\n"
              "  \"a \\\"b\\\"\": [1, 2.5, null],\n"
              "  \"c\": [\n"
              "    {\n"
              "      \"d\": []\n"
              "    },\n"
              "    {\n"
              "      \"e\": {}\n"
              "    }\n"
              "  ]\n"
              "}");
    EXPECT_EQ(json_text(Json("text")), "\"text\"");
}

TEST(JsonText, IsTheSameValue) {
    const Json value = Json::parse(R"([{"a": [[1, 2], ["ä\n", true]], "b": {"c": -1e300}}, 3, []])");
    EXPECT_EQ(Json::parse(json_text(value)), value);
}

}   // namespace
}   // namespace oscar::json_text_test

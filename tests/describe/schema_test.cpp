#include "sim/describe/schema.hpp"

#include <gtest/gtest.h>

#include "tests/config/sample.hpp"

namespace oscar::schema_test {
namespace {

using Json = nlohmann::ordered_json;

Json experiment() { return schema_of(describe_parameters(sample::Experiment{})); }

TEST(Schema, ClosesMapsAndTellsMeaningAndDefault) {
    const Json link = schema_of(describe_parameters(sample::Link{}));
    EXPECT_EQ(link["type"], "object");
    EXPECT_EQ(link["additionalProperties"], false);
    EXPECT_EQ(link["properties"]["buffer"]["description"], "receive buffer; its size is the credit pool");
    EXPECT_EQ(link["properties"]["buffer"]["default"], "64KiB");
}

TEST(Schema, WantsUnitsOfQuantitiesAndTellsTheirRange) {
    const Json bandwidth = schema_of(describe_parameters(sample::Link{}))["properties"]["bandwidth"];
    EXPECT_EQ(bandwidth["pattern"], R"(^([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)? *()"
                                    "Mbps|Gbps|Tbps|Mbit/s|Gbit/s|Tbit/s|MBps|GBps|MB/s|GB/s)$");
    EXPECT_EQ(bandwidth["description"], "raw rate of one direction (1Gbps to 10Tbps)");
}

TEST(Schema, LimitsNumbers) {
    const Json properties = experiment()["properties"];
    EXPECT_EQ(properties["ranks"]["type"], "integer");
    EXPECT_EQ(properties["ranks"]["minimum"], 2);
    EXPECT_EQ(properties["ranks"]["maximum"], 4096);
    EXPECT_FALSE(properties["seed"].contains("minimum"));
}

TEST(Schema, TakesNullWhereItIsAValueOfItsOwn) {
    const Json limit = experiment()["properties"]["limit"];
    EXPECT_EQ(limit["anyOf"][0]["type"], "integer");
    EXPECT_EQ(limit["anyOf"][0]["maximum"], 100);
    EXPECT_EQ(limit["anyOf"][1]["type"], "null");
}

TEST(Schema, ListsChoicesWithTheirMeanings) {
    const Json issue = experiment()["properties"]["issue"];
    EXPECT_EQ(issue["enum"], (Json{"lock_step", "dependency"}));
    EXPECT_EQ(
        issue["description"],
        "when a step starts\nlock_step: all ranks wait for the slowest\ndependency: a step starts when its inputs "
        "are there");
}

TEST(Schema, GivesEachKindItsOwnParametersAndTheDefaultWithoutKind) {
    const Json codec = experiment()["properties"]["codec"];
    EXPECT_EQ(codec["anyOf"][0]["enum"], (Json{"raw", "asc", "fixed_point"}));
    ASSERT_EQ(codec["allOf"].size(), 4U);
    EXPECT_EQ(codec["allOf"][0]["if"]["not"]["required"], Json::array({"kind"}));
    EXPECT_EQ(codec["allOf"][2]["if"]["properties"]["kind"]["enum"], Json::array({"asc"}));
    EXPECT_TRUE(codec["allOf"][0]["then"]["properties"].contains("lanes"));   // asc is the default
    EXPECT_TRUE(codec["allOf"][2]["then"]["properties"].contains("lanes"));
    EXPECT_FALSE(codec["allOf"][1]["then"]["properties"].contains("lanes"));
}

TEST(Schema, OfAReportRequiresEachField) {
    const Json link = report_schema_of(describe_parameters(sample::Link{}));
    EXPECT_EQ(link["required"], (Json{"bandwidth", "propagation", "buffer"}));
    EXPECT_FALSE(link["properties"]["buffer"].contains("default"));
}

struct OneText {
    std::string name;
    static constexpr auto fields() { return Entries{field("name", &OneText::name, "a name")}; }
};

/// Who writes `name: 8` means a text; a report has quotes.
TEST(Schema, OfATextIsThatOfANumberForWritersAlone) {
    const auto named = describe_parameters(OneText{});
    EXPECT_EQ(schema_of(named)["properties"]["name"]["type"], (Json{"string", "number"}));
    EXPECT_EQ(report_schema_of(named)["properties"]["name"]["type"], "string");
}

TEST(Schema, NamesItsDraft) {
    const Json file = as_schema_file("A thing", {{"type", "object"}});
    EXPECT_EQ(file["$schema"], "http://json-schema.org/draft-07/schema#");
    EXPECT_EQ(file["title"], "A thing");
    EXPECT_EQ(file["type"], "object");
}

TEST(Description, IsJsonWithTypeDefaultRangeAndMeaning) {
    EXPECT_EQ(to_json(describe_parameters(sample::Link{})[0]), (Json{{"key", "bandwidth"},
                                                                     {"meaning", "raw rate of one direction"},
                                                                     {"default", "400Gbps"},
                                                                     {"min", "1Gbps"},
                                                                     {"max", "10Tbps"},
                                                                     {"type", "bandwidth"}}));
    const Json codecs = to_json(describe_kinds(sample::codecs));
    EXPECT_EQ(codecs["type"], "kind");
    EXPECT_EQ(codecs["kinds"][1]["name"], "asc");
    EXPECT_EQ(codecs["kinds"][1]["parameters"][0]["key"], "lanes");
}

}   // namespace
}   // namespace oscar::schema_test

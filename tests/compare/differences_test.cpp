// What differs between two JSON values.
#include "sim/compare/differences.hpp"

#include <gmock/gmock.h>

namespace oscar::differences_test {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> places(const char* a, const char* b) {
    std::vector<std::string> result;
    for (const Difference& d : differences(Json::parse(a), Json::parse(b)))
        result.push_back(d.place + " " + d.a.dump() + " " + d.b.dump());
    return result;
}

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Differences, OfEqualValuesAreNone) {
    EXPECT_THAT(places(R"({"a": [1, {"b": "x"}], "c": null})", R"({"c": null, "a": [1, {"b": "x"}]})"), IsEmpty());
}

TEST(Differences, AreNamedByTheirPath) {
    EXPECT_THAT(places(R"({"network": {"link": {"bandwidth": "25Gbps", "buffer": "1KiB"}}, "seed": 1})",
                       R"({"network": {"link": {"bandwidth": "50Gbps", "buffer": "1KiB"}}, "seed": 2})"),
                ElementsAre(R"(network.link.bandwidth "25Gbps" "50Gbps")", "seed 1 2"));
}

TEST(Differences, OfEntriesThatOneSideLacksHaveNull) {
    EXPECT_THAT(places(R"({"a": 1, "b": 2})", R"({"b": 2, "c": 3})"), ElementsAre("a 1 null", "c null 3"));
    EXPECT_THAT(places("[1, 2]", "[1]"), ElementsAre("1 2 null"));
}

TEST(Differences, OfNamedEntriesAreMatchedByNameWhateverTheirOrder) {
    EXPECT_THAT(places(R"([{"name": "fp32", "t": 1}, {"name": "asc", "t": 2}])",
                       R"([{"name": "asc", "t": 3}, {"name": "fp32", "t": 1}])"),
                ElementsAre("asc.t 2 3"));
}

TEST(Differences, OfEntriesWhoseNamesRepeatAreMatchedByNumber) {
    EXPECT_THAT(places(R"([{"name": "x", "t": 1}, {"name": "x", "t": 2}])",
                       R"([{"name": "x", "t": 1}, {"name": "x", "t": 3}])"),
                ElementsAre("1.t 2 3"));
}

TEST(Differences, OfLongListsAreFoundWithoutLookingThroughThemForEachEntry) {
    Json a = Json::array(), b = Json::array();
    for (int i = 0; i < 200'000; ++i) a.push_back(i);   // all pairs would be 2e10 comparisons
    b = a;
    b[199'999] = -1;
    const auto found = differences(a, b);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].place, "199999");
}

TEST(Differences, OfAnotherFormAreOne) {
    EXPECT_THAT(places(R"({"a": {"b": 1}})", R"({"a": [1]})"), ElementsAre(R"(a {"b":1} [1])"));
}

}   // namespace
}   // namespace oscar::differences_test

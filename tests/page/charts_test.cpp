// The data of the charts are those of the report.
#include "sim/page/charts.hpp"

#include <gmock/gmock.h>

#include <set>

#include "tests/page/small_report.hpp"

namespace oscar::charts_test {
namespace {

using Json = nlohmann::ordered_json;

const Json methods = test::small_report("demo").report["methods"];

TEST(Charts, OfTimesStackTheCausesOfEachMethodToItsTime) {
    const Json option = chart_of_times(methods);
    EXPECT_EQ(option["yAxis"]["data"], Json({"fp32", "asc"}));
    ASSERT_EQ(option["series"].size(), 5u);
    EXPECT_EQ(option["series"][0]["name"], "link");
    EXPECT_EQ(option["series"][0]["data"], Json({29.0, 9.0}));
    for (std::size_t m = 0; m < methods.size(); ++m) {
        double sum = 0;
        for (const auto& series : option["series"]) sum += series["data"][m].get<double>();
        EXPECT_NEAR(sum, methods[m]["allreduce_ps"].get<double>() * 1e-6, 1e-9);
    }
}

TEST(Charts, OfLinksHaveACellForEachMethodAndLink) {
    const Json option = *chart_of_links(methods);
    EXPECT_EQ(option["xAxis"]["data"], Json({"rank0->switch0", "rank1->switch0"}));
    EXPECT_EQ(option["series"][0]["data"], Json::parse("[[0,0,50.0],[1,0,50.0],[0,1,50.0],[1,1,50.0]]"));
}

TEST(Charts, OfIterationsAndErrorsHaveAPointForEach) {
    const Json iterations = *chart_of_iterations(methods), errors = *chart_of_errors(methods);
    EXPECT_EQ(iterations["xAxis"]["data"], Json({"5", "6"}));
    EXPECT_EQ(iterations["series"][1]["data"], Json({10.0, 10.0}));
    EXPECT_EQ(errors["series"][1]["data"], Json::parse("[[0.05, 10.0]]"));
}

TEST(Charts, ThatWouldBeEmptyAreNone) {
    Json bare = methods;
    for (auto& method : bare)
        for (const char* key : {"links", "iterations", "relative_l2_error"}) method.erase(key);
    EXPECT_FALSE(chart_of_links(bare));
    EXPECT_FALSE(chart_of_iterations(bare));
    EXPECT_FALSE(chart_of_errors(bare));
}

TEST(Charts, GiveAMethodTheSameLookEverywhere) {
    for (const char* name : {"fp32", "asc", "a method of one's own"}) {
        EXPECT_EQ(to_json(look_of_method(name)), to_json(look_of_method(std::string(name))));
        EXPECT_EQ(look_of_method(name).colour.size(), 7u);
    }
    EXPECT_NE(to_json(look_of_method("fp32")), to_json(look_of_method("asc")));
    for (const Json& option : {*chart_of_errors(methods), *chart_of_iterations(methods)}) {
        EXPECT_EQ(option["series"][1]["itemStyle"]["color"], look_of_method("asc").colour);
        EXPECT_EQ(option["series"][1]["symbol"], look_of_method("asc").symbol);
    }
}

/// Names that no look is kept for: 30 of them take 20 or more of the 90 there are.
TEST(Charts, GiveMethodsOfOnesOwnDifferentLooks) {
    std::set<std::string> looks;
    for (int i = 0; i < 30; ++i) looks.insert(to_json(look_of_method("method " + std::to_string(i))).dump());
    EXPECT_GE(looks.size(), 20u);
}

}   // namespace
}   // namespace oscar::charts_test

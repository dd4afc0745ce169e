// The data of the charts are those of the report.
#include "sim/page/charts.hpp"

#include <gmock/gmock.h>

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

TEST(Charts, GiveAMethodTheSameColourEverywhere) {
    for (const char* name : {"fp32", "asc", "a method of one's own"}) {
        EXPECT_EQ(colour_of_method(name), colour_of_method(std::string(name)));
        EXPECT_EQ(colour_of_method(name).size(), 7u);
    }
    EXPECT_NE(colour_of_method("fp32"), colour_of_method("asc"));
    EXPECT_EQ((*chart_of_errors(methods))["series"][1]["itemStyle"]["color"], colour_of_method("asc"));
    EXPECT_EQ((*chart_of_iterations(methods))["series"][1]["itemStyle"]["color"], colour_of_method("asc"));
}

}   // namespace
}   // namespace oscar::charts_test

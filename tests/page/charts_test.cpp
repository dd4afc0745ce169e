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
    const Json chart = chart_of_times(methods);
    EXPECT_EQ(chart["rows"], Json({"fp32", "asc"}));
    ASSERT_EQ(chart["parts"].size(), 5u);
    EXPECT_EQ(chart["parts"][0]["name"], "link");
    EXPECT_EQ(chart["parts"][0]["values"], Json({29.0, 9.0}));
    for (std::size_t m = 0; m < methods.size(); ++m) {
        double sum = 0;
        for (const auto& part : chart["parts"]) sum += part["values"][m].get<double>();
        EXPECT_NEAR(sum, methods[m]["allreduce_ps"].get<double>() * 1e-6, 1e-9);
    }
}

TEST(Charts, OfTimesSayTimeAndErrorBesideEachBar) {
    EXPECT_EQ(chart_of_times(methods)["ends"], Json({"30 us, L2 error 1e-08", "10 us, L2 error 0.05"}));
    Json bare = methods;
    bare[1].erase("relative_l2_error");
    EXPECT_EQ(chart_of_times(bare)["ends"][1], "10 us");
}

TEST(Charts, OfLinksHaveACellForEachMethodAndLink) {
    const Json chart = *chart_of_links(methods);
    EXPECT_EQ(chart["columns"], Json({"rank0->switch0", "rank1->switch0"}));
    EXPECT_EQ(chart["cells"], Json::parse("[[0,0,50.0],[1,0,50.0],[0,1,50.0],[1,1,50.0]]"));
}

/// 70 links, of which the last 6 of the list are the least busy; rank9 stands before rank10.
TEST(Charts, OfManyLinksShowTheBusiestInNaturalOrder) {
    Json many = Json::array({methods[0]});
    many[0]["links"] = Json::array();
    for (int i = 0; i < 70; ++i)
        many[0]["links"].push_back(
            {{"name", "rank" + std::to_string(i) + "->switch0"}, {"utilisation", i < 64 ? 0.5 : 0.1}});
    const Json columns = (*chart_of_links(many))["columns"];
    ASSERT_EQ(columns.size(), most_links_of_chart);
    EXPECT_EQ(columns[9], "rank9->switch0");
    EXPECT_EQ(columns[10], "rank10->switch0");
    EXPECT_EQ(columns[63], "rank63->switch0");
}

TEST(Charts, OfIterationsHaveAPointForEach) {
    const Json iterations = *chart_of_iterations(methods);
    EXPECT_EQ(iterations["x"]["values"], Json({"5", "6"}));
    EXPECT_EQ(iterations["series"][1]["points"], Json::parse(R"([["5", 10.0], ["6", 10.0]])"));
}

/// With two errors the bars say as much. An error of 0 has no place on a logarithmic axis.
TEST(Charts, OfErrorsNeedThreeThatDiffer) {
    Json three = methods;
    EXPECT_FALSE(chart_of_errors(three));
    three.push_back(methods[1]);
    three[2]["relative_l2_error"] = 0.05001;
    EXPECT_FALSE(chart_of_errors(three));
    three[2]["relative_l2_error"] = 0.2;
    three.push_back(methods[1]);
    three[3]["relative_l2_error"] = 0.0;
    const Json errors = *chart_of_errors(three);
    ASSERT_EQ(errors["series"].size(), 3u);
    EXPECT_EQ(errors["series"][1]["points"], Json::parse("[[0.05, 10.0]]"));
    EXPECT_EQ(errors["x"]["log"], true);
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
        EXPECT_EQ(series_of_method(name), series_of_method(std::string(name)));
        EXPECT_EQ(look_of_method(name).colour.size(), 7u);
    }
    EXPECT_NE(look_of_method("fp32").colour, look_of_method("asc").colour);
    const Json series = (*chart_of_iterations(methods))["series"][1];
    EXPECT_EQ(series["colour"], look_of_method("asc").colour);
    EXPECT_EQ(series["symbol"], look_of_method("asc").symbol);
}

/// Names that no look is kept for: 30 of them take 20 or more of the 90 there are.
TEST(Charts, GiveMethodsOfOnesOwnDifferentLooks) {
    std::set<std::string> looks;
    for (int i = 0; i < 30; ++i) {
        Json series = series_of_method("method " + std::to_string(i));
        series.erase("name");
        looks.insert(series.dump());
    }
    EXPECT_GE(looks.size(), 20u);
}

}   // namespace
}   // namespace oscar::charts_test

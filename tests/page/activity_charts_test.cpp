// The data of the charts over time are those of the report.
#include "sim/page/activity_charts.hpp"

#include <gmock/gmock.h>

#include "tests/page/small_report.hpp"

namespace oscar::activity_charts_test {
namespace {

using Json = nlohmann::ordered_json;

const Json methods = test::small_report("demo").report["methods"];

TEST(ActivityCharts, OfLinksHaveARowForEachMethodAndLink) {
    const Json chart = *chart_of_links_over_time(methods);
    EXPECT_EQ(chart["rows"], Json({"fp32: rank0->switch0", "asc: rank0->switch0"}));
    EXPECT_EQ(chart["cells"], Json::parse("[[0,0,100.0],[1,0,25.0],[0,1,100.0],[1,1,25.0]]"));
    EXPECT_EQ(chart["columns"], Json({"0", "50"}));
}

TEST(ActivityCharts, OfLinksWithoutShareOrNameHaveNoCells) {
    Json bare = methods;
    for (Json& method : bare) method["activity"]["busiest_links"] = Json::array({Json::object()});
    const Json chart = *chart_of_links_over_time(bare);
    EXPECT_EQ(chart["rows"], Json({"fp32: -", "asc: -"}));
    EXPECT_TRUE(chart["cells"].empty());
}

TEST(ActivityCharts, OfLinksShowTheBusiest) {
    Json many = methods;
    Json& links = many[1]["activity"]["busiest_links"];
    for (int i = 1; i < 16; ++i)
        links.push_back({{"name", "link" + std::to_string(i)}, {"utilisation", {i / 32.0, i / 32.0}}});
    const Json rows = (*chart_of_links_over_time(many))["rows"];
    ASSERT_EQ(rows.size(), 1u + 8u);
    EXPECT_EQ(rows[1], "asc: link10");   // in the order of their names
    EXPECT_EQ(rows[7], "asc: link9");
    EXPECT_EQ(rows[8], "asc: rank0->switch0");
    Json methods_of_many = Json::array();
    for (int i = 0; i < 40; ++i) methods_of_many.push_back(many[1]);
    EXPECT_EQ((*chart_of_links_over_time(methods_of_many))["rows"].size(), 40u);
}

TEST(ActivityCharts, OfMessagesHaveAPointInTheMiddleOfEachInterval) {
    const Json chart = *chart_of_queues(methods);
    EXPECT_EQ(chart["series"][1]["name"], "asc");
    EXPECT_EQ(chart["series"][1]["points"], Json::parse("[[1.0,1.0],[3.0,0.5]]"));
}

TEST(ActivityCharts, OfBitsHaveAPointForEachTimestep) {
    EXPECT_EQ((*chart_of_bits(methods))["series"][0]["points"], Json::parse("[[0,8.0],[1,9.0]]"));
}

TEST(ActivityCharts, OfChunksHaveABoxForEachMethod) {
    const Json chart = *chart_of_chunks(methods);
    EXPECT_EQ(chart["rows"], Json({"fp32", "asc"}));
    EXPECT_EQ(chart["boxes"][1]["values"], Json::parse("[0.9,0.95,1.0,1.0,1.2]"));
}

TEST(ActivityCharts, ThatWouldShowNothingAreNone) {
    Json bare = methods, equal = methods;
    for (Json& method : bare)
        for (const char* key : {"activity", "timesteps", "chunk_balance"}) method.erase(key);
    EXPECT_FALSE(chart_of_links_over_time(bare));
    EXPECT_FALSE(chart_of_queues(bare));
    EXPECT_FALSE(chart_of_bits(bare));
    EXPECT_FALSE(chart_of_chunks(bare));
    for (Json& method : equal)
        for (auto& [key, size] : method["chunk_balance"].items()) size = 1.0;
    EXPECT_FALSE(chart_of_chunks(equal));
}

}   // namespace
}   // namespace oscar::activity_charts_test

// The training step of a page: passes and buckets over time, its headline and its table.
#include "sim/page/step_section.hpp"

#include <gmock/gmock.h>

namespace oscar::step_section_test {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;

/// Forward 10 us, backward 20 us, optimiser 2 us; of two buckets the second begins when the backward pass ends (at 30
/// us) in both methods. The step of fp32 takes 50 us, that of asc 40 us.
Json method(const std::string& name, double step, double second_end) {
    const auto bucket = [](double ready, double start, double end) {
        return Json{{"ready_ps", ready * 1e6}, {"start_ps", start * 1e6}, {"end_ps", end * 1e6}};
    };
    return {{"name", name},
            {"relative_l2_error", 0.05},
            {"step",
             {{"step_ps", step * 1e6},
              {"forward_ps", 10e6},
              {"backward_ps", 20e6},
              {"optimiser_ps", 2e6},
              {"communication_ps", 12e6},
              {"exposed_ps", (step - 32) * 1e6},
              {"exposed_share", (step - 32) / step},
              {"buckets", Json::array({bucket(15, 16, 26), bucket(30, 28, second_end)})},
              {"speedup", {{"fp32", 50 / step}}}}}};
}
const Json methods = Json::array({method("fp32", 50, 48), method("asc", 40, 38)});

Json span(const Json& chart, const std::string& lane, const std::string& name) {
    for (const Json& one : chart["spans"])
        if (one["lane"] == lane && one["name"] == name) return {one["from"], one["to"]};
    return nullptr;
}

TEST(StepSection, DrawsPassesAndBucketsTheShortestStepFirst) {
    const Json chart = *timeline_of_steps(methods);
    EXPECT_EQ(chart["lanes"], Json({"asc", "asc, network", "fp32", "fp32, network"}));
    EXPECT_EQ(span(chart, "asc", "forward pass"), Json({0.0, 10.0}));
    EXPECT_EQ(span(chart, "asc", "backward pass"), Json({10.0, 30.0}));
    EXPECT_EQ(span(chart, "asc", "optimiser"), Json({38.0, 40.0}));
    EXPECT_EQ(span(chart, "asc, network", "bucket 0, hidden"), Json({16.0, 26.0}));
    EXPECT_EQ(chart["ends"][0]["text"], "40 us");
}

TEST(StepSection, DividesABucketAtTheEndOfTheBackwardPass) {
    const Json chart = *timeline_of_steps(methods);
    EXPECT_EQ(span(chart, "fp32, network", "bucket 1, hidden"), Json({28.0, 30.0}));
    EXPECT_EQ(span(chart, "fp32, network", "bucket 1, exposed"), Json({30.0, 48.0}));
    EXPECT_EQ(span(chart, "fp32, network", "bucket 0, exposed"), Json());
}

/// Gathers of parameters stretch the passes: forward by 3 us, backward until its last gradients are ready, at 30 us.
TEST(StepSection, StretchesPassesThatWaitForParameters) {
    Json sharded = Json::array({methods[0]});
    sharded[0]["step"]["sharding"] = {{"exposed_gather_forward_ps", 3e6}};
    const Json chart = *timeline_of_steps(sharded);
    EXPECT_EQ(span(chart, "fp32", "forward pass and waiting for parameters"), Json({0.0, 13.0}));
    EXPECT_EQ(span(chart, "fp32", "backward pass and waiting for parameters"), Json({13.0, 30.0}));
}

TEST(StepSection, SaysTheShortestStepAndItsSpeedUp) {
    EXPECT_EQ(headline_of_steps(methods, "fp32"),
              "The training step is shortest with <b>asc</b>: 40 us, 1.25x as fast as with fp32. ");
}

/// 8 of 40 us are exposed: 20 %.
TEST(StepSection, HasATableInMicroseconds) {
    EXPECT_THAT(
        table_of_steps(methods, "fp32"),
        HasSubstr("<td class=\"text\">asc</td><td>40</td><td>1.25x</td><td>30</td><td>2</td><td>12</td><td>8</td>"
                  "<td>20</td><td>0.05</td>"));
}

/// Reports of other versions may lack figures.
TEST(StepSection, OfAStepWithoutFiguresHasNoSpans) {
    const Json bare = Json::parse(R"([{"name": "fp32", "step": {"sharding": {}}}])");
    EXPECT_TRUE((*timeline_of_steps(bare))["spans"].empty());
    EXPECT_THAT(table_of_steps(bare, "fp32"), HasSubstr("<td class=\"text\">fp32</td><td>0</td>"));
}

TEST(StepSection, IsEmptyForRunsWithoutSteps) {
    const Json bare = Json::parse(R"([{"name": "fp32"}, {"name": "asc", "step": null}])");
    EXPECT_FALSE(timeline_of_steps(bare));
    EXPECT_EQ(chart_of_steps(bare) + headline_of_steps(bare, "fp32") + table_of_steps(bare, "fp32"), "");
}

}   // namespace
}   // namespace oscar::step_section_test

#include <gmock/gmock.h>

#include <fstream>

#include "tests/system/program.hpp"

namespace oscar::prediction_test {
namespace {

using test::Folder;
using test::oscar_sim;
using ::testing::HasSubstr;

nlohmann::ordered_json prediction_in(const Folder& out) {
    return nlohmann::ordered_json::parse(test::text_of((out / "prediction.json").string()));
}

TEST(Predict, WritesATimeAndAChoicePerSize) {
    const Folder out;
    const auto run = oscar_sim("predict configs/validation/a100.yaml --set 'sizes=[1KiB, 1GiB]' -o " + out.text());
    EXPECT_EQ(run.status, 0) << run.output;
    EXPECT_THAT(run.output, HasSubstr("ring/Simple"));
    const auto prediction = prediction_in(out);
    EXPECT_EQ(prediction["schema"], 1);
    EXPECT_EQ(prediction["config"]["predictor"]["kind"], "nccl");
    const auto& rows = prediction["predictions"];
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0]["choice"], "ring/LL");
    EXPECT_EQ(rows[1]["choice"], "ring/Simple");
    for (const auto& row : rows)
        for (const auto& candidate : row["candidates"]) EXPECT_LE(row["time_ps"], candidate["time_ps"]);
}

TEST(Predict, EvaluatesScheduleAndFlowOfTheAnalyticalNetwork) {
    const Folder out;
    ASSERT_EQ(oscar_sim("predict configs/validation/astra-ring.yaml -o " + out.text()).status, 0);
    EXPECT_EQ(prediction_in(out)["predictions"][0]["time_ps"], 117'780'000);
    EXPECT_EQ(prediction_in(out)["predictions"][0]["candidates"][0]["fixed_ps"], nullptr);
    ASSERT_EQ(oscar_sim("predict configs/validation/astra-links.yaml -o " + out.text()).status, 0);
    EXPECT_EQ(prediction_in(out)["predictions"][0]["time_ps"], 60'093'000);
}

TEST(Predict, NamesTheResourceThatLimitsEachPhaseOfARoofline) {
    const Folder out;
    const auto run = oscar_sim("predict configs/validation/roofline.yaml --set 'sizes=[2GiB]' -o " + out.text());
    ASSERT_EQ(run.status, 0) << run.output;
    EXPECT_THAT(run.output, HasSubstr("limited by"));
    EXPECT_THAT(run.output, HasSubstr("pipelined: dma_write"));
    // 2^29 values of 16 bits at 461 Gbit/s
    const auto row = prediction_in(out)["predictions"][0];
    EXPECT_EQ(row["time_ps"], ((std::int64_t{1} << 33) * 1000 + 460) / 461);
    EXPECT_EQ(row["candidates"][0]["phases"][0]["time_ps"], row["time_ps"]);
    EXPECT_EQ(row["candidates"][0]["phases"][0]["limiter"], "dma_write");
    const auto one =
        oscar_sim("predict configs/validation/roofline.yaml --set predictor.schedule=one_bucket -o " + out.text());
    EXPECT_THAT(one.output, HasSubstr("reduce_scatter: dma_read, all_gather: dma_write"));
    const auto line = oscar_sim("predict configs/validation/astra-ring.yaml -o " + out.text());
    EXPECT_THAT(line.output, ::testing::Not(HasSubstr("limited by")));
    EXPECT_TRUE(prediction_in(out)["predictions"][0]["candidates"][0]["phases"].empty());
}

TEST(Predict, SaysWhereAFileIsWrong) {
    const Folder folder;
    const auto error = [&](const std::string& yaml) {
        std::ofstream(folder / "p.yaml") << yaml;
        const auto run = oscar_sim("predict " + (folder / "p.yaml").string() + " -o " + folder.text());
        EXPECT_EQ(run.status, 2) << run.output;
        return run.output;
    };
    EXPECT_THAT(error("predictor: line\n"), HasSubstr("sizes: is missing"));
    EXPECT_THAT(error("predictor: line\nsizes: []\n"), HasSubstr("p.yaml:2:8: sizes: no size; write it like [1MiB"));
    EXPECT_THAT(error("predictor: lime\nsizes: [1KiB]\n"), HasSubstr("did you mean line?"));
    EXPECT_THAT(error("predictor: {kind: nccl, ranks_per_node: 3}\nsizes: [1KiB]\n"),
                HasSubstr("p.yaml:1:12: predictor: ranks_per_node 3 does not divide the 8 ranks"));
    EXPECT_THAT(error("predictor: analytical\nflow: {from: 1, to: 8}\nsizes: [1KiB]\n"),
                HasSubstr("p.yaml:2:7: flow: ranks 1 and 8 must be two of 0 to 7"));
    EXPECT_THAT(error("predictor: analytical\ncollective: {kind: reduce_scatter, group: 3}\nsizes: [1KiB]\n"),
                HasSubstr("p.yaml:2:43: collective.group: 3 does not divide 8 ranks; choose a divisor, or 0"));
    EXPECT_THAT(error("predictor: nccl\ncollective: reduce_scatter\nsizes: [1KiB]\n"),
                HasSubstr("p.yaml:2:13: collective: predictor nccl tells the time of an AllReduce alone; leave the "
                          "collective out, or choose predictor: analytical or log_gop"));
}

TEST(Predict, IsExactForATebibyteAndRefusesWhatNoTimeHolds) {
    const Folder folder;
    std::ofstream(folder / "p.yaml") << "predictor: nccl\nsizes: [1GiB, 1024GiB]\n";
    ASSERT_EQ(oscar_sim("predict " + (folder / "p.yaml").string() + " -o " + folder.text()).status, 0);
    const auto row = prediction_in(folder)["predictions"][1];
    EXPECT_EQ(row["choice"], "ring/Simple");
    EXPECT_EQ(row["time_ps"], 56'000'000 + (std::int64_t{7} << 38) * 5);   // 56 us; 2 * 7/8 * 2^40 bytes, 5 ps each

    std::ofstream(folder / "p.yaml") << "predictor: {kind: line, bandwidth: 1Mbps}\nsizes: [1GiB, 16384GiB]\n";
    const auto refused = oscar_sim("predict " + (folder / "p.yaml").string() + " -o " + folder.text());
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.output, HasSubstr("p.yaml:2:15: sizes.1: at 16384GiB the time exceeds 106 days (2^63 ps); "
                                          "lower the size, or raise the bandwidth"));
}

TEST(Predict, OfASizeThatNoRunHasIsRefusedByRun) {
    const Folder folder;
    std::ofstream(folder / "e.yaml") << "payload: synthetic\nmethods: [fp32]\nsize: 1024GiB\n";
    const auto refused = oscar_sim("run " + (folder / "e.yaml").string() + " -o " + folder.text());
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.output, HasSubstr("e.yaml:3:7: size: 1024GiB is out of range; choose 4B to 4GiB"));
}

TEST(Predict, PredictsEveryFileThatItIsShippedWith) {
    const Folder out;
    for (const char* file : {"a100", "polaris", "astra-ring", "astra-switch", "astra-links", "roofline"})
        EXPECT_EQ(oscar_sim("predict configs/validation/" + std::string(file) + ".yaml -o " + out.text()).status, 0)
            << file;
}

}   // namespace
}   // namespace oscar::prediction_test

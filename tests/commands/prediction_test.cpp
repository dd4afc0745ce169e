// oscar-sim predict on the machine of an experiment.
#include "sim/commands/prediction.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sim/checks/load_experiment.hpp"
#include "sim/config/error.hpp"
#include "sim/parameters/nccl.hpp"
#include "tests/trace/trace_folder.hpp"

namespace oscar::prediction_test {
namespace {

TEST(Prediction, OfAnExperimentWithNcclsChoiceIsThatOfTheTunerOnItsMachine) {
    const testing::TemporaryFolder folder;
    const auto file =
        folder.write("exp.yaml",
                     "payload: synthetic\nsize: 1MiB\nranks: 16\nmethods: [fp32]\ncollective: nccl\n"
                     "gpu: {staging: gpu, gradients: codes, island_port: {latency: 2900ns}, launch: 3us}\n"
                     "nic: {message_latency: 6700ns}\n"
                     "network: {topology: {kind: hierarchical, island: 4, rails: false}}\n");
    const NcclParams tuner = tuner_of(load_experiment(file, {}).parameters);
    const auto prediction = predict(file, {"sizes=[64KiB, 256MiB]"});
    ASSERT_EQ(prediction["predictions"].size(), 2u);
    for (const auto& row : prediction["predictions"]) {
        const NcclChoice choice = fastest_choice(tuner, 16, {row["size"].get<std::uint64_t>()});
        EXPECT_EQ(row["choice"].get<std::string>(), choice.predicted.name);
        EXPECT_EQ(row["time_ps"].get<std::int64_t>(), choice.predicted.time.ps);
    }
    EXPECT_GT(predict(file, {})["predictions"].size(), 5u);   // usual sizes
}

/// Formulas had silently taken a ring.
TEST(Prediction, RefusesNcclsChoiceWithoutAMachine) {
    const testing::TemporaryFolder folder;
    for (const char* predictor : {"analytical", "log_gop", "line", "nccl", "roofline"}) {
        const auto file = folder.write("prediction.yaml", std::string("predictor: ") + predictor +
                                                              "\nranks: 8\nsizes: [1MiB]\ncollective: nccl\n");
        const std::string error = testing::error_of<ConfigError>(folder, [&] { predict(file, {}); });
        EXPECT_NE(error.find("prediction.yaml:4:13: collective: nccl chooses by the machine"), std::string::npos)
            << error;
    }
}

}   // namespace
}   // namespace oscar::prediction_test

// Steps of a training under way, on the simulated machine.
#include "sim/run/live_run.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "models/compressor/base/feedback.hpp"
#include "sim/checks/load_experiment.hpp"
#include "sim/config/error.hpp"
#include "tests/compressor/distributions.hpp"
#include "tests/trace/trace_folder.hpp"

namespace oscar::live_run_test {
namespace {

using ::testing::HasSubstr;
using ::testing::TestWithParam;

constexpr std::uint32_t ranks = 4;
constexpr std::uint32_t values = 96 * 256 + 300;   // enough for the defaults of every kind
const std::vector<TraceLayer> layers{{"matrix", {96, 256}, {}}, {"bias", {300}, {}}};

Experiment experiment_of(const std::string& yaml) {
    const testing::TemporaryFolder folder;
    return load_experiment(
        folder.write("exp.yaml", "trace: live\nranks: 4\nnetwork: {topology: {kind: star}}\n" + yaml), {});
}

std::vector<std::vector<float>> gradients_at(std::uint32_t step) {
    return testing::random_gradients(ranks, values, step);
}

std::vector<std::string> names_of_methods() {
    std::vector<std::string> names;
    const auto add = [&](const auto& kind) { names.emplace_back(kind.name); };
    for_each_kind(codecs, add);
    for_each_kind(lossy_kinds, add);
    return names;
}

double distance(const std::vector<float>& a, const std::vector<double>& b) {
    double squares = 0, all = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        squares += std::pow(double{a[i]} - b[i], 2);
        all += b[i] * b[i];
    }
    return std::sqrt(squares / all);
}

std::vector<double> mean_of(const std::vector<std::vector<float>>& gradients) {
    std::vector<double> mean(values);
    for (const auto& gradient : gradients)
        for (std::size_t i = 0; i < values; ++i) mean[i] += double{gradient[i]} / ranks;
    return mean;
}

/// Of the second step.
std::vector<double> untimed_mean(const LossyKind& kind) {
    const auto compressor = with_error_feedback(make_compressor(kind, ranks, 1));
    const std::vector<TensorShape> shapes{{0, values - 300, 96}, {values - 300, values, 0}};
    CompressionResult result;
    for (std::uint32_t step = 0; step < 2; ++step) result = compressor->step(views(gradients_at(step)), shapes);
    return {result.mean.begin(), result.mean.end()};
}

/// One run a process: each method is a test of its own.
class EveryMethod : public TestWithParam<std::string> {};

TEST_P(EveryMethod, LeavesTheMeanThatItMakesWithoutAMachine) {
    LiveRun run(experiment_of("methods: [" + GetParam() + "]\n"), layers);
    EXPECT_EQ(run.elements(), values);
    LiveStep step;
    for (std::uint32_t i = 0; i < 2; ++i) step = run.step(gradients_at(i));
    EXPECT_EQ(step.result.sums_match_reference, true);
    EXPECT_GT(step.result.payload_bytes, 0U);
    EXPECT_EQ(step.step.ps, step.result.allreduce_ps);
    bool lossy = false;
    for_each_kind(lossy_kinds, [&]<class P>(const Kind<P>& kind) {
        if (kind.name != GetParam()) return;
        lossy = true;
        EXPECT_LT(distance(step.mean, untimed_mean(P{})), 1e-5);   // sums in the order of the schedule
    });
    // Of 8 bits below the largest of log-normal values, or bf16's 8 of each value.
    if (lossy) return;
    EXPECT_LT(distance(step.mean, mean_of(gradients_at(1))), 0.2);
}

std::string name_of(const ::testing::TestParamInfo<std::string>& info) { return info.param; }
INSTANTIATE_TEST_SUITE_P(LiveRun, EveryMethod, ::testing::ValuesIn(names_of_methods()), name_of);

TEST(LiveRun, HidesWhatItCanBehindTheBackwardPassAndCountsTheGathersOfShards) {
    const std::string passes = "step: {backward: 2ms, forward: 1ms, optimiser: 100us";
    LiveRun run(experiment_of("methods: [fp32]\n" + passes + ", buckets: {first: 1KiB, size: 1KiB}}\n"), layers);
    const LiveStep step = run.step(gradients_at(0));
    EXPECT_GT(step.step, 3100_us);
    EXPECT_LT(step.step.ps, (3100_us).ps + step.result.allreduce_ps);
}

TEST(LiveRun, GathersTheParametersOfShards) {
    LiveRun run(experiment_of("methods: [fp32]\ncollective: reduce_scatter\nstep: {strategy: fsdp, backward: 2ms, "
                              "forward: 1ms, prefetch: 0}\n"),
                layers);
    const LiveStep step = run.step(gradients_at(0));
    EXPECT_GT(step.step.ps,
              (3_ms).ps + step.result.allreduce_ps * 19 / 10);   // a reduce-scatter, and a gather that hides nowhere
}

TEST(ReadyBySize, GoesThroughTheValuesFromTheLastLayerToTheFirst) {
    std::vector<TraceLayer> model{{"a", {2, 3}, {}}, {"b", {1}, {}}, {"c", {3}, {}}};
    ready_by_size(model);
    EXPECT_EQ(model[2].ready, Time{300'000'000'000});
    EXPECT_EQ(model[1].ready, Time{400'000'000'000});
    EXPECT_EQ(model[0].ready, Time{1'000'000'000'000});
}

std::string error_of(const std::string& yaml) {
    const Experiment experiment = experiment_of(yaml);
    try {
        LiveRun(experiment, layers);
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "none";
}

TEST(LiveRun, RefusesWhatATrainingCannotGoOnWith) {
    EXPECT_THAT(error_of("methods: [fp32, asc]\n"), HasSubstr("methods: a training goes on with the mean of one"));
    EXPECT_THAT(error_of("methods: [fp32]\nstep: {forward: 1ms}\n"), HasSubstr("step: no capture tells how long"));
}

TEST(LiveRun, RefusesAValueThatIsNoneWithItsPlace) {
    LiveRun run(experiment_of("methods: [asc]\n"), layers);
    auto gradients = gradients_at(0);
    gradients[2][7] = std::numeric_limits<float>::quiet_NaN();
    try {
        run.step(gradients);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("step 1: element 7 of rank 2 is nan"));
    }
}

}   // namespace
}   // namespace oscar::live_run_test

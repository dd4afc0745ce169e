// run() builds a Machine, of which a process has one: each test runs at most one experiment to its end.
#include "sim/run/experiment.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "sim/trace/error.hpp"
#include "tests/run/laboratory.hpp"

namespace oscar::experiment_test {
namespace {

using test::ignore;
using test::Laboratory;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<std::uint32_t> positions(const MethodReport& method) {
    std::vector<std::uint32_t> result;
    for (const IterationResult& it : method.iterations) result.push_back(it.position);
    return result;
}

TEST(Experiment, TellsItsProgressFromZeroTowardsOneWithTheNameOfEachMethod) {
    std::vector<std::string> what;
    std::vector<double> done, begins;
    Laboratory("ranks: 4\nmethods: [fp32, {kind: asc, name: mine}]\n").run([&](const std::string& text, double part) {
        if (!test::is_work(text)) return;
        what.push_back(text);
        done.push_back(part);
    });
    EXPECT_TRUE(std::ranges::is_sorted(done));
    for (std::size_t i = 0; i < what.size(); ++i)
        if (i == 0 || what[i] != what[i - 1]) begins.push_back(done[i]);
    what.erase(std::unique(what.begin(), what.end()), what.end());
    EXPECT_THAT(what, ElementsAre("iteration 0, fp32", "iteration 0, mine", "iteration 1, fp32", "iteration 1, mine",
                                  "iteration 2, fp32", "iteration 2, mine"));
    ASSERT_EQ(begins.size(), 6u);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(begins[i], static_cast<double>(i) / 6, 1e-12);
    EXPECT_GT(done.size(), 6u);   // and within each
    EXPECT_LE(done.back(), 1);
}

/// What is told of the preparation, at 0 % and before any work.
struct Preparation {
    void operator()(const std::string& text, double share) {
        works = works || test::is_work(text);
        if (test::is_work(text)) return;
        steps.push_back(text);
        EXPECT_TRUE(share == 0 && !works) << text;
    }
    std::vector<std::string> steps;
    bool works = false;
};

TEST(Experiment, TellsWhatItPrepares) {
    Preparation told;
    Laboratory("ranks: 4\nmethods: [fp32]\n").run(std::ref(told));
    EXPECT_THAT(told.steps, ElementsAre("preparation: network, checks", "preparation: hash of the trace",
                                        "preparation: machine", "preparation: routes, estimate of the work"));
    EXPECT_TRUE(told.works);
}

TEST(Experiment, TellsWhatItPreparesWithoutATrace) {
    const testing::TemporaryFolder folder;
    const auto file = folder.write("exp.yaml", "payload: synthetic\nsize: 4KiB\nranks: 4\nmethods: [fp32]\n");
    Preparation told;
    run(load_experiment(file, {}), std::ref(told));
    EXPECT_THAT(told.steps, ElementsAre("preparation: network, checks", "preparation: routes, estimate of the work",
                                        "preparation: machine"));
    EXPECT_TRUE(told.works);
}

TEST(Experiment, WarmsUpOverTheUnbrokenRunBeforeAndReportsOnlyWhatIsReplayed) {
    test::Capture capture = test::random_capture(5, 4, 600);
    capture.steps = {10, 50, 51, 52, 53};
    std::vector<std::string> what;
    const Laboratory lab("ranks: 4\niterations: {first: 3, count: 2}\nmethods: [asc]\n", capture);
    const Report report = lab.run([&](const std::string& text, double) {
        if (test::is_work(text)) what.push_back(text);
    });
    what.erase(std::unique(what.begin(), what.end()), what.end());
    EXPECT_THAT(what, ElementsAre("iteration 1, asc", "iteration 2, asc", "iteration 3, asc", "iteration 4, asc"));
    EXPECT_THAT(positions(report.methods.at(0)), ElementsAre(3u, 4u));
    EXPECT_THAT(report.trace.iterations, ElementsAre(3u, 4u));
    EXPECT_EQ(report.methods[0].sums_match_reference, true);
    EXPECT_EQ(report.methods[0].scale_exchange_ps, 0);   // it was exchanged at iteration 1, out of sight
}

TEST(Experiment, ReportsWhatItWasMadeOf) {
    const Laboratory lab("ranks: 3\nseed: 77\niterations: {first: 0, count: 1}\nmethods: [fp32, asc]\n");
    const Report report = lab.run();
    EXPECT_EQ(report.experiment, "exp");
    EXPECT_EQ(report.seed, 77u);
    EXPECT_FALSE(report.program_version.empty());
    EXPECT_EQ(report.config["ranks"], 3);
    EXPECT_EQ(report.config["network"]["link"]["propagation"], "500ns");   // a default, resolved
    EXPECT_EQ(report.trace.name, "captured by hand");
    EXPECT_EQ(report.trace.hash, Trace::open(lab.trace).hash());
    EXPECT_EQ(report.trace.ranks, 4u);   // of the capture; three are used
    EXPECT_EQ(report.trace.elements, 600u);
    EXPECT_THAT(report.trace.iterations, ElementsAre(0u));
    ASSERT_EQ(report.methods.size(), 2u);
    EXPECT_EQ(report.methods[0].name, "fp32");
    EXPECT_EQ(report.methods[0].values, 3u * 4 * 200);   // 4 steps of a third of 600 values, by 3 ranks
    EXPECT_EQ(report.methods[0].payload_bytes, 4u * 3 * 4 * 200);
    EXPECT_DOUBLE_EQ(report.methods[1].speedup.at(0).second, static_cast<double>(report.methods[0].allreduce_ps) /
                                                                 static_cast<double>(report.methods[1].allreduce_ps));
    EXPECT_GT(report.host.events, 0u);
    EXPECT_GT(report.host.wall_s, 0);
}

TEST(Experiment, TimesTheExchangeInTheFirstIterationAndWhereACaptureHasAGap) {
    test::Capture capture = test::random_capture(4, 4, 600);
    capture.steps = {1, 2, 3, 90};
    const Report report = Laboratory(
                              "ranks: 4\nquantiser: {kind: max, max_saturated: 1}\n"
                              "iterations: {first: 0, count: 4}\nmethods: [fp32, asc]\n",
                              capture)
                              .run();
    std::vector<std::int64_t> exchange;
    for (const IterationResult& it : report.methods[1].iterations) exchange.push_back(it.scale_exchange_ps);
    const std::int64_t once = test::exchange_by_hand(4, 1).ps;
    EXPECT_THAT(exchange, ElementsAre(once, 0, 0, once));
    for (const IterationResult& it : report.methods[0].iterations) EXPECT_EQ(it.scale_exchange_ps, 0);
}

TEST(Experiment, TimesAnExactExchangeInEveryIteration) {
    const Report report =
        Laboratory("ranks: 4\nquantiser: {kind: per_tensor, agreement: exact}\nmethods: [fixed_point]\n").run();
    for (const IterationResult& it : report.methods[0].iterations)
        EXPECT_EQ(it.scale_exchange_ps, test::exchange_by_hand(4, 1).ps);
}

TEST(Experiment, RoundsAtRandomByItsSeed) {
    const Laboratory lab(
        "ranks: 4\nseed: 77\nquantiser: {rounding: stochastic}\n"
        "iterations: {first: 0, count: 1}\nmethods: [asc]\n");
    const Trace trace = Trace::open(lab.trace);
    const Replay replay(trace, 4, {0});
    Quantiser quantiser;
    std::visit([](auto& params) { params.rounding = Rounding::stochastic; }, quantiser.params);
    EXPECT_EQ(lab.run().methods[0].relative_l2_error,
              CodeSource(replay.tensors(), replay.ranks(), quantiser, 77).next(replay, 0).fidelity.relative_l2_error);
}

/// Three iterations of the same gradients; fp32 on a ring in lock-step meets its closed form when all start at once.
Report three_equal(const std::string& jitter) {
    test::Capture capture = test::random_capture(1, 4, 600);
    capture.steps = {1, 2, 3};
    capture.gradients.assign(3, capture.gradients[0]);
    return Laboratory("ranks: 4\niterations: {first: 0, count: 3}\nmethods: [fp32]\nstart_jitter: " + jitter + "\n",
                      capture)
        .run();
}

TEST(Experiment, StartsAllRanksAtOnceWithoutJitter) {
    const Report report = three_equal("0ns");
    for (const IterationResult& it : report.methods[0].iterations) EXPECT_EQ(it.allreduce_ps, *it.closed_form_ps);
}

TEST(Experiment, StartsRanksAtOtherTimesInEachIterationWithinTheJitter) {
    const Report report = three_equal("10us");
    std::vector<std::int64_t> delays;   // what the last rank is behind the first
    for (const IterationResult& it : report.methods[0].iterations)
        delays.push_back(it.allreduce_ps - *it.closed_form_ps);
    EXPECT_THAT(delays, Each(::testing::AllOf(::testing::Gt(0), ::testing::Le(10'000'000))));
    EXPECT_NE(delays[0], delays[1]);
    EXPECT_NE(delays[1], delays[2]);
    EXPECT_EQ(report.methods[0].sums_match_reference, true);
}

TEST(Experiment, FindsItsTraceAboveItsConfigurationWhereverItIsStarted) {
    const Laboratory lab("");
    std::filesystem::create_directories(lab.folder.path() / "a/b");
    const auto file = lab.folder.write("a/b/deep.yaml", "{trace: captured, ranks: 4, methods: [fp32]}");
    ASSERT_FALSE(std::filesystem::exists("captured"));
    EXPECT_EQ(run(load_experiment(file, {}), ignore).trace.hash, Trace::open(lab.trace).hash());
}

TEST(Experiment, PrefersTheTraceOfTheCurrentFolder) {
    const Laboratory lab("");
    test::write_trace(lab.folder, "captured/captured", test::random_capture(3, 4, 10));   // of 3 iterations, not 4
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(lab.trace);
    EXPECT_THAT(lab.error({"iterations.first=2"}), HasSubstr("but the trace has 0 to 2;"));
    std::filesystem::current_path(before);
}

TEST(ExperimentErrors, StandAtTheirPlaceInTheFile) {
    const Laboratory lab("ranks: 5\niterations: {first: 2, count: 2}\nnetwork:\n  topology: {kind: star, nodes: 7}\n");
    EXPECT_EQ(lab.error({"ranks=4"}),
              "exp.yaml:5:13: network.topology: the topology has 7 nodes, the run 4 ranks; make them equal, or leave "
              "nodes at 0");
    EXPECT_THAT(lab.error({"trace=nowhere"}),
                StartsWith("--set trace=nowhere: trace: no such folder 'nowhere', here, "));
    const Laboratory too_many("ranks: 4\niterations: {first: 2, count: 3}\n");
    EXPECT_EQ(too_many.error(),
              "exp.yaml:3:13: iterations: positions 2 to 4 are wanted, but the trace has 0 to 3; "
              "lower first or count");
    EXPECT_THAT(too_many.error({"iterations.first=1000000", "iterations.count=1000000"}),
                HasSubstr("positions 1000000 to 1999999 are wanted"));
}

TEST(ExperimentErrors, TellWhichLayerOrBucketThereIsNot) {
    const Laboratory lab("ranks: 4\nlayers: conv*\n");
    EXPECT_THAT(lab.error(), StartsWith("exp.yaml:3:9: layers: conv*: no layer is called so"));
    EXPECT_EQ(lab.error({"layers=layer", "bucket.index=2"}),
              "--set bucket.index=2: bucket: index 2, but the layers fill 1 bucket of this size; choose 0 to 0");
    EXPECT_THAT(lab.error({"layers=layer", "bucket.size=0B"}), HasSubstr("bucket.size"));
}

TEST(Experiment, MarksRanksThatWereNotCapturedTogether) {
    const Laboratory lab("ranks: 11\nmethods: [fp32, asc]\n");   // captured: 4 ranks, 4 iterations, of which 1 and 2
    const Report report = lab.run();
    EXPECT_EQ(report.trace.ranks, 4u);
    EXPECT_EQ(report.trace.resampled_ranks, 7u);
    EXPECT_EQ(report.trace.repeated_ranks, 0u);
    EXPECT_THAT(test::unbroken_table(report), HasSubstr("11 ranks (7 resampled from neighbouring iterations),"));
    for (const MethodReport& method : report.methods) EXPECT_EQ(method.sums_match_reference, true) << method.name;
}

TEST(Experiment, CountsRepeatedGradients) {
    const Report report = Laboratory("ranks: 18\nmethods: [fp32]\n").run();
    EXPECT_EQ(report.trace.repeated_ranks, 2u);   // 4 iterations of 4 ranks
    EXPECT_THAT(test::unbroken_table(report),
                HasSubstr("(14 resampled from neighbouring iterations, 2 of them repeated gradients)"));
}

TEST(Experiment, ReplaysTheBucketOfTheLayersThatAreNamed) {
    test::Capture capture = test::random_capture(4, 4, 600);
    capture.layers = {100, 200, 300};
    const Report report =
        Laboratory("ranks: 4\nmethods: [fixed_point]\nbucket: {size: 1200B, index: 1}\n", capture).run();
    EXPECT_EQ(report.trace.elements, 300u);   // 1200 bytes are the last layer alone
    // 2 iterations, 4 ranks, 2 * 3 steps of a quarter each
    EXPECT_EQ(report.methods.front().values, 2u * 4 * 6 * 75);
}

TEST(ExperimentErrors, NameTheArrayThatIsBrokenThoughItIsTheOnlyOneWanted) {
    test::Capture capture = test::random_capture(4, 4, 600);
    capture.steps = {1, 2, 3, 90};
    const Laboratory lab("ranks: 4\niterations: {first: 3, count: 1}\n", capture);
    lab.folder.write("captured/array-3.npy", "junk");
    EXPECT_EQ(lab.error<TraceError>(), "captured/array-3.npy: is no .npy file; write it with numpy.save");
}

TEST(ExperimentErrors, NameTheArrayOfALaterIterationThatIsNotFinite) {
    test::Capture capture = test::random_capture(4, 4, 600);
    capture.gradients[2][1][7] = std::numeric_limits<float>::quiet_NaN();
    const Laboratory lab("ranks: 4\niterations: {first: 0, count: 3}\nmethods: [fp32]\n", capture);
    EXPECT_THAT(lab.error<TraceError>(), StartsWith("captured/array-2.npy: the gradient of rank 1 is NaN at value 7"));
}

/// One of two buckets of 300 values; bucket 1 has the first two layers, in which a value of rank 2 is NaN.
Laboratory half_finite(std::uint32_t bucket) {
    test::Capture capture = test::random_capture(4, 4, 600);
    capture.layers = {100, 200, 300};
    capture.gradients[1][2][107] = std::numeric_limits<float>::quiet_NaN();
    const std::string index = std::to_string(bucket);
    return Laboratory(
        "ranks: 4\niterations: {first: 1, count: 1}\nmethods: [fp32]\nbucket: {size: 1200B, index: " + index + "}\n",
        capture);
}

TEST(ExperimentErrors, NameTheValueOfABucketThatIsNotFinite) {
    EXPECT_THAT(half_finite(1).error<TraceError>(),
                StartsWith("captured/array-1.npy: the gradient of rank 2 is NaN at value 7 of layer"));
}

TEST(Experiment, DoesNotMindAValueOfAnotherBucketThatIsNotFinite) {
    EXPECT_EQ(half_finite(0).run().methods[0].sums_match_reference, true);
}

TEST(Experiment, DoesNotMindWhatAnArrayHoldsThatIsNotWanted) {
    const Laboratory lab("ranks: 4\niterations: {first: 1, count: 1}\nmethods: [asc]\n");
    lab.folder.write("captured/array-3.npy", "junk");
    EXPECT_EQ(lab.run().methods[0].sums_match_reference, true);
}

TEST(ExperimentErrors, AboutAMissingArrayComeBeforeTheSimulation) {
    const Laboratory lab("ranks: 4\niterations: {first: 1, count: 1}\nmethods: [fp32]\n");
    std::filesystem::remove(lab.trace / "array-3.npy");   // not replayed, but part of the trace's hash
    double most = 0;
    EXPECT_THAT(lab.error<InputError>({}, [&](const std::string&, double done) { most = std::max(most, done); }),
                StartsWith("captured/array-3.npy"));
    EXPECT_EQ(most, 0) << "it is prepared, no more";
}

TEST(ExperimentCheck, GivesTheTraceOfASoundExperimentWithoutReadingItsArrays) {
    const Laboratory laboratory("ranks: 4\n");
    laboratory.folder.write("captured/array-1.npy", "broken");
    EXPECT_EQ(check(load_experiment(laboratory.folder.path() / "exp.yaml", {})), laboratory.trace);
}

TEST(ExperimentCheck, RefusesWhatRunRefuses) {
    const Laboratory laboratory("ranks: 4\n");
    for (const char* setting :
         {"iterations.first=4", "layers=none*", "network.topology={kind: star, nodes: 3}", "trace=no"})
        EXPECT_EQ(
            testing::error_of<ConfigError>(
                laboratory.folder, [&] { check(load_experiment(laboratory.folder.path() / "exp.yaml", {setting})); }),
            laboratory.error({setting}))
            << setting;
}

}   // namespace
}   // namespace oscar::experiment_test

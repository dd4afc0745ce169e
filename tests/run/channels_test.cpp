// Channels from the configuration to the report.
#include <gmock/gmock.h>

#include "sim/checks/methods.hpp"
#include "sim/config/load.hpp"
#include "sim/run/synthetic_run.hpp"
#include "tests/run/laboratory.hpp"
#include "tests/run/methods.hpp"

namespace oscar::channels_test {
namespace {

using namespace test;   // methods and iterations
using ::testing::HasSubstr;
using ::testing::Not;

/// An experiment without a trace: 600 values at each of 4 ranks.
struct ChannelsFile {
    explicit ChannelsFile(const std::string& more)
        : path(folder.write("exp.yaml", "payload: synthetic\nmethods: [fp32]\nsize: 2400B\nranks: 4\n" + more)) {}
    Experiment load(const std::vector<std::string>& overrides = {}) const { return load_experiment(path, overrides); }
    std::string error(const std::vector<std::string>& overrides = {}) const {
        return testing::error_of<ConfigError>(folder, [&] { check(load(overrides)); });
    }
    testing::TemporaryFolder folder;
    std::filesystem::path path;
};

TEST(ChannelsOfAnExperiment, LeaveWhatTheReferenceLeavesInEveryCollectiveThatHasThemByAnyMethod) {
    SmallMachine machine(6);
    for_each_kind(collectives, [&]<class P>(const Kind<P>& kind) {
        if constexpr (std::derived_from<P, ChannelledParams>) {
            P params;
            params.slices = 2;
            params.channels = 3;
            machine.parameters.collective = params;
            machine.parameters.chunks = PredictedParams{16};
            if (!ends_alike(P{}.operation)) machine.parameters.chunks = EqualParams{};   // of what all ranks know
            for (const Method& method : {fp32, fixed, inlined, pooled, asc}) {
                SCOPED_TRACE(std::string(kind.name) + ", " + method.name);
                MethodRun run = run_of(machine, method);
                run.warm_up(small_codes(0, false, 1, 6));
                for (std::uint32_t t = 1; t < 3; ++t) {
                    run.iterate(machine.system, small_codes(t, true, t + 1, 6), {}, {});
                    EXPECT_EQ(run.results().back().sums_match_reference, true);
                }
            }
        }
    });
}

TEST(ChannelsOfAnExperiment, CarryEachPartOfTheGradientAsOneChannelCarriesAll) {
    SmallMachine machine(4);
    const auto bytes = [&](std::uint32_t channels) {
        RingParams params;
        params.channels = channels;
        machine.parameters.collective = params;
        MethodRun run = run_of(machine, fixed);
        run.iterate(machine.system, small_codes(0, false, 1), {}, {});
        return run.results().back().values;
    };
    EXPECT_EQ(bytes(5), bytes(1));
}

TEST(ChannelsOfAnExperiment, AreNoMoreThanThereAreBlocksForTheirChunks) {
    RingParams params;
    params.channels = 5;
    EXPECT_EQ(find_channel_problem(params, 20, 1280, PredictedParams{64}), std::nullopt);
    EXPECT_EQ(find_channel_problem(params, 20, 1216, PredictedParams{64}),
              "5 channels make 20 chunks, more than the 19 blocks of 64 values that 1216 values are; choose fewer");
    EXPECT_EQ(find_channel_problem(params, 20, 19, EqualParams{}),
              "5 channels make 20 chunks, more than the 19 blocks of a value that 19 values are; choose fewer");
    EXPECT_EQ(find_channel_problem(params, 20, 19 * 256, RoundRobinParams{}).has_value(), true);
    params.channels = 1;
    EXPECT_EQ(find_channel_problem(params, 20, 19, EqualParams{}), std::nullopt);
}

TEST(ChannelsOfAnExperiment, AreRefusedByTheMethodWhoseBlocksAreFewer) {
    SmallMachine machine(4);
    machine.parameters.chunks = PredictedParams{256};   // 16 blocks
    RingParams params;
    params.channels = 5;
    machine.parameters.collective = params;
    EXPECT_EQ(test::method_problem(machine, fp32), "none");   // which cuts anywhere
    EXPECT_THAT(test::method_problem(machine, asc), HasSubstr("5 channels make 20 chunks, more than the 16 blocks"));
}

TEST(ChannelsOfAnExperiment, AreRefusedWhereAGradientWithoutATraceIsTooSmall) {
    const ChannelsFile file("collective: {kind: ring, slices: 30, channels: 6}\n");
    EXPECT_EQ(
        file.error(),
        "exp.yaml:5:48: collective.channels: 6 channels make 720 chunks, more than the 600 blocks of a value that "
        "600 values are; choose fewer");
    EXPECT_EQ(file.error({"collective.channels=5"}), "no error");
}

TEST(ChannelsOfAnExperiment, AreUnknownToCollectivesThatAreNoAllReduceAmongRanksAndNoHalfOfOne) {
    for (const std::string kind : {"in_network", "broadcast", "all_to_all", "flows"})
        EXPECT_THAT(
            ChannelsFile("collective: {kind: " + kind + ", channels: 2}\n").error(),
            HasSubstr("exp.yaml:5:" + std::to_string(22 + kind.size()) + ": collective.channels: no such parameter"));
    EXPECT_THAT(ChannelsFile("collective: {channels: 33}\n").error(), HasSubstr("choose 1 to 32"));
}

TEST(ChannelsOfAnExperiment, OfAJobAreItsOwnAndHaveNoIslands) {
    const std::string jobs = "jobs: [{ranks: [0-1], collective: {kind: ring, channels: 3";
    EXPECT_EQ(ChannelsFile(jobs + "}}]\n").error(), "no error");
    EXPECT_THAT(ChannelsFile(jobs + ", channel_order: rotated}}]\n").error(),
                HasSubstr("jobs.0.collective: its channels cannot be rotated"));
    EXPECT_THAT(ChannelsFile(jobs + "}, size: 20B}]\n").error(),
                HasSubstr("3 channels make 6 chunks, more than the 5 blocks"));
}

TEST(ChannelsOfAnExperiment, AreNamedInTheReportWhereThereAreSeveral) {
    const Report report = run(ChannelsFile("collective: {channels: 4, channel_order: rotated}\n").load(), test::ignore);
    EXPECT_EQ(report.config["collective"]["channels"], 4);
    EXPECT_EQ(report.config["collective"]["channel_order"], "rotated");
    EXPECT_THAT(test::unbroken_table(report), HasSubstr("1 slice(s), 4 channels, order rotated | chunks"));
    EXPECT_EQ(report.methods[0].closed_form_ps, std::nullopt);
}

TEST(ChannelsOfAnExperiment, AreNotSpokenOfWhereThereIsOne) {
    const Report report = run(ChannelsFile("jobs: [{ranks: [0-1]}, {ranks: [2-3]}]\n").load(), test::ignore);
    for (const auto& collective : {report.config["collective"], report.config["jobs"][0]["collective"]})
        for (const char* key : {"channels", "channel_order"}) EXPECT_FALSE(collective.contains(key)) << key;
    EXPECT_THAT(test::unbroken_table(report), Not(HasSubstr("channels")));
}

/// Two islands of two on rails, each rail cabled to one spine. The chunk of one channel, a quarter of the values, goes
/// from each island over the same cable between rail and spine; two rotated channels have one each for their halves.
TEST(ChannelsOfAnExperiment, RotateInTheIslandsOfItsTopology) {
    Parameters p = ChannelsFile("network: {topology: {kind: hierarchical, island: 2}, link: {bandwidth: 1Gbps}}\n")
                       .load({"size=4MiB"})
                       .parameters;
    SmallMachine machine(p);
    const auto time = [&](std::uint32_t channels, ChannelOrder order) {
        RingParams params;
        params.channels = channels;
        params.channel_order = order;
        p.collective = params;
        return static_cast<double>(run_synthetic(p, p.methods[0], machine.routes, machine.system).allreduce_ps);
    };
    const double one = time(1, ChannelOrder::same);
    EXPECT_NEAR(time(2, ChannelOrder::same) / one, 1, 0.01);
    EXPECT_NEAR(time(2, ChannelOrder::rotated) / one, 0.5, 0.01);
}

}   // namespace
}   // namespace oscar::channels_test

// jobs: several collectives on one network, from the configuration to the report.
#include "sim/run/jobs.hpp"

#include <gmock/gmock.h>

#include "sim/parameters/jobs.hpp"
#include "sim/run/experiment.hpp"
#include "sim/run/synthetic_run.hpp"
#include "tests/run/laboratory.hpp"

namespace oscar::jobs_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

/// An experiment without values, whose `jobs` are on line 5.
struct File {
    explicit File(const std::string& jobs, const std::string& more = "")
        : path(folder.write("exp.yaml",
                            "payload: synthetic\nsize: 32KiB\nranks: 8\nmethods: [fp32, fixed_point]\njobs: " + jobs +
                                "\n" + more)) {}
    Experiment load(const std::vector<std::string>& overrides = {}) const { return load_experiment(path, overrides); }
    std::string error(const std::vector<std::string>& overrides = {}) const {
        return testing::error_of<ConfigError>(folder, [&] { load(overrides); });
    }
    testing::TemporaryFolder folder;
    std::filesystem::path path;
};

const std::string two = "[{ranks: [0-3]}, {name: b, ranks: [7, 4-5], size: 4KiB, collective: direct, start: 3us}]";

TEST(Jobs, HaveWhatIsSaidOfThemAndTheRestOfTheExperiment) {
    const auto jobs = File(two, "collective: {kind: ring, slices: 2}\n").load().parameters.jobs;
    EXPECT_EQ(jobs[0].name, "job0");
    EXPECT_EQ(jobs[0].size, 32_KiB);
    EXPECT_EQ(jobs[0].collective->name(), "ring");
    EXPECT_EQ(slices_of(*jobs[0].collective), 2u);
    EXPECT_EQ(jobs[1].name, "b");
    EXPECT_EQ(jobs[1].size, 4_KiB);
    EXPECT_EQ(jobs[1].collective->name(), "direct");
}

TEST(Jobs, SendBetweenTheRanksOnWhichTheyStand) {
    const File file("[{ranks: [6, 2], collective: broadcast}, {ranks: [5, 0], collective: broadcast}]");
    const auto flows = [](const Parameters& p) { return flows_of(p, make_topology(p.network, p.ranks)); };
    EXPECT_THAT(flows(file.load().parameters), ElementsAre(Pair(Rank{6}, Rank{2}), Pair(Rank{5}, Rank{0})));
    EXPECT_EQ(flows(File("[]").load().parameters).size(), 8u);   // one ring, whatever its steps
}

TEST(Jobs, OnASwitchTakeTheTimesThatTheyTakeAlone) {
    const Report report = run(File(two).load(), test::ignore);
    for (const MethodReport& method : report.methods) {
        ASSERT_EQ(method.jobs.size(), 2u);
        const JobReport &first = method.jobs[0], &second = method.jobs[1];
        for (const JobReport* job : {&first, &second}) {
            EXPECT_EQ(job->time_ps, job->alone_ps);
            EXPECT_EQ(job->slowdown, 1);
        }
        EXPECT_EQ(second.start_ps, 3'000'000);
        EXPECT_EQ(first.ranks, 4u);
        EXPECT_EQ(second.ranks, 3u);
        EXPECT_EQ(method.allreduce_ps, std::max(first.time_ps, 3'000'000 + second.time_ps));
        EXPECT_EQ(method.wire_bytes, first.wire_bytes + second.wire_bytes);
        EXPECT_EQ(method.closed_form_ps, std::nullopt);
    }
    // fp32 on a ring of 4: 24 messages of 8 KiB in 2 packets of 82 bytes of header.
    EXPECT_EQ(report.methods[0].jobs[0].wire_bytes, 24u * (8192 + 2 * 82));
}

TEST(Jobs, ThatMeetOnACableSlowEachOtherDown) {
    const std::string trunk =
        "network: {link: {bandwidth: 10Gbps}, topology: {kind: graph, switches: 2, edges: [{from: rank0, to: switch0}, "
        "{from: rank1, to: "
        "switch1}, "
        "{from: rank2, to: switch0}, {from: rank3, to: switch1}, {from: switch0, to: switch1}]}}\nranks: 4\n";
    const testing::TemporaryFolder folder;
    const auto path = folder.write("trunk.yaml",
                                   "payload: synthetic\nsize: 4MiB\nmethods: [fp32]\n"
                                   "jobs: [{ranks: [0, 1]}, {ranks: [2, 3]}]\n" +
                                       trunk);
    const Report report = run(load_experiment(path, {}), test::ignore);
    for (const JobReport& job : report.methods[0].jobs) {
        EXPECT_GT(job.slowdown, 1.5);
        EXPECT_LT(job.slowdown, 2);
    }
    EXPECT_THAT(test::unbroken_table(report), HasSubstr("Jobs, beside each other and alone"));
    EXPECT_EQ(to_json(report)["methods"][0]["jobs"][1]["name"], "job1");
}

TEST(Jobs, PayForTheLaunchEach) {
    const Report report = run(File("[{ranks: [0-3]}, {ranks: [4-7]}]", "gpu: {launch: 5us}\n").load(), test::ignore);
    EXPECT_EQ(report.methods[0].jobs[0].time_ps, report.methods[0].allreduce_ps);
    EXPECT_EQ(report.methods[0].gpu_kernel_ps, 5'000'000);
}

TEST(Jobs, LeaveNoTraceWhereThereAreNone) {
    const Report report = run(File("[]").load(), test::ignore);
    EXPECT_FALSE(report.config.contains("jobs"));
    EXPECT_FALSE(to_json(report)["methods"][0].contains("jobs"));
}

TEST(Jobs, RefuseRanksThatAreNoneTooFewOrInTwoJobs) {
    EXPECT_EQ(File("[{ranks: [0-8]}]").error(), "exp.yaml:5:17: jobs.0.ranks.0: there is no rank 8; choose 0 to 7");
    EXPECT_THAT(File("[{ranks: [0-3]}, {ranks: [3-5]}]").error(), HasSubstr("jobs.1.ranks.0: rank 3 was named before"));
    EXPECT_THAT(File("[{ranks: [3]}]").error(), HasSubstr("jobs.0.ranks: a job needs two ranks at least"));
    EXPECT_THAT(File("[{name: a}]").error(), HasSubstr("jobs.0.ranks: names no rank"));
}

TEST(Jobs, RefuseACollectiveASizeOrANameThatDoesNotFit) {
    EXPECT_THAT(File("[{ranks: [0-4], collective: {kind: ring_2d, rows: 3}}]").error(),
                HasSubstr("jobs.0.collective.rows: 3 do not divide 5 ranks; choose a divisor, or 0"));
    EXPECT_THAT(File("[{ranks: [0-4], collective: in_network}]").error(),
                HasSubstr("jobs.0.collective: switches add for one job on all ranks"));
    EXPECT_THAT(File("[{ranks: [0-4], size: 6B}]").error(),
                HasSubstr("jobs.0.size: is no whole number of fp32 values"));
    EXPECT_THAT(File("[{ranks: [0-1], name: a}, {ranks: [2-3], name: a}]").error(),
                HasSubstr("jobs.1: two jobs are named 'a'"));
    EXPECT_THAT(File("[{ranks: [0-1], colective: ring}]").error(), HasSubstr("did you mean collective?"));
}

TEST(Jobs, RefuseWhatBelongsToOneJobOnAllRanks) {
    const File file(two);
    EXPECT_THAT(file.error({"start_jitter=1us"}), HasSubstr("start_jitter: each job has its own start"));
    EXPECT_THAT(file.error({"nodes=[{ranks: [1], start_delay: 1us}]"}),
                HasSubstr("nodes.0.start_delay: each job has its own start"));
    EXPECT_THAT(file.error({"quantiser.agreement=exact"}), HasSubstr("quantiser: jobs exchange no scales"));
    EXPECT_THAT(file.error({"gpu.gradients=codes"}), HasSubstr("gpu: the width of codes depends on the ranks"));
    const test::Laboratory traced("ranks: 4\njobs: [{ranks: [0-1]}]\n");
    EXPECT_THAT(traced.error(), HasSubstr("jobs: jobs carry no values"));
}

TEST(Jobs, StartRelativeToTheFirstOfThem) {
    const Report report = run(File("[{ranks: [0-3], start: 5us}, {ranks: [4-7], start: 2us}]").load(), test::ignore);
    for (const MethodReport& method : report.methods) {
        EXPECT_EQ(method.jobs[0].start_ps, 3'000'000);
        EXPECT_EQ(method.jobs[1].start_ps, 0);
        EXPECT_EQ(method.jobs[0].time_ps, method.jobs[0].alone_ps);
        EXPECT_EQ(method.allreduce_ps, 3'000'000 + method.jobs[0].time_ps);
    }
}

TEST(Jobs, AreLaunchedAsLongAloneAsBesideOthers) {
    const Report report = run(File("[{ranks: [0-3]}, {ranks: [4-7]}]", "gpu: {launch: 5us}\n").load(), test::ignore);
    for (const MethodReport& method : report.methods)
        for (const JobReport& job : method.jobs) {
            EXPECT_EQ(job.time_ps, job.alone_ps);
            EXPECT_EQ(job.slowdown, 1);
        }
}

TEST(Jobs, TellTheirProgressUpToAllOfTheirMessages) {
    std::map<std::string, std::vector<double>> shares;
    run(File(two).load(), [&](const std::string& what, double share) { shares[what].push_back(share); });
    for (const auto& [what, all] : shares) EXPECT_TRUE(std::ranges::is_sorted(all)) << what;
    EXPECT_EQ(shares["fp32"].back(), 0.5);   // the first of two methods
    EXPECT_EQ(shares["fixed_point"].back(), 1);
}

/// Values of which no job has whole chunks, nor whole slices of them: 4 ranks and 3 slices.
TEST(Jobs, CutTheirValuesAsAnExperimentOfTheirOwnDoes) {
    const std::string each =
        "payload: synthetic\nmethods: [fp32]\ncollective: {kind: ring, slices: 3}\n"
        "network: {packet: 64B}\n";
    const testing::TemporaryFolder folder;
    const std::vector<std::string> sizes{"20B", "76B", "6000B"};
    std::vector<std::unique_ptr<test::SmallMachine>> machines;
    for (const std::string& size : sizes) {
        const auto path = folder.write("own.yaml", each + "ranks: 4\nsize: " + size + "\n");
        machines.push_back(
            std::make_unique<test::SmallMachine>(load_experiment(path, {}).parameters, ("own" + size).c_str()));
    }
    const auto path =
        folder.write("jobs.yaml", each +
                                      "ranks: 12\nsize: 20B\njobs: [{ranks: [0-3], size: 20B}, {ranks: [4-7], size: "
                                      "76B}, {ranks: [8-11], size: 6000B}]\n");
    const Report report = run(load_experiment(path, {}), test::ignore);
    for (std::size_t j = 0; j < sizes.size(); ++j) {
        const Parameters& p = machines[j]->parameters;
        const auto own = run_synthetic(p, p.methods[0], machines[j]->routes, machines[j]->system);
        EXPECT_EQ(report.methods[0].jobs[j].alone_ps, own.allreduce_ps) << sizes[j];
    }
}

const std::string islands_of_four = "collective: hierarchical\nnetwork: {topology: {kind: hierarchical, island: 4}}\n";

/// The islands of each job's collective.
std::vector<std::uint32_t> islands_in(const std::string& jobs, const std::string& more = islands_of_four) {
    std::vector<std::uint32_t> islands;
    for (const JobParams& job : File(jobs, more).load().parameters.jobs)
        islands.push_back(std::get<HierarchicalParams>(job.collective->params).island);
    return islands;
}

TEST(Jobs, OfHierarchicalHaveTheirRanksOnAnIslandOfTheTopologyAsIslands) {
    EXPECT_THAT(islands_in("[{ranks: [0-7]}]"), ElementsAre(4));
    EXPECT_THAT(islands_in("[{ranks: [0-1, 6-7]}, {ranks: [2, 4]}]"), ElementsAre(2, 1));
    EXPECT_THAT(islands_in("[{ranks: [3, 1, 0, 2]}]"), ElementsAre(4));
    EXPECT_THAT(islands_in("[{ranks: [0-5], collective: {kind: hierarchical, island: 3}}]"), ElementsAre(3));
    EXPECT_THAT(islands_in("[{ranks: [0-5]}]", "collective: hierarchical\n"), ElementsAre(0));   // a star has none
}

TEST(Jobs, OfHierarchicalOnAllRanksTakeTheTimeOfTheExperimentWithoutJobs) {
    const File alone("[]", islands_of_four), as_job("[{ranks: [0-7]}]", islands_of_four);
    test::SmallMachine machine(alone.load().parameters, "alone");
    const Parameters& p = machine.parameters;
    const Report report = run(as_job.load(), test::ignore);
    const auto own = run_synthetic(p, p.methods[0], machine.routes, machine.system);
    EXPECT_EQ(report.methods[0].jobs[0].alone_ps, own.allreduce_ps);
    EXPECT_EQ(to_json(report)["config"]["jobs"][0]["collective"]["island"], 4);
}

TEST(Jobs, OfHierarchicalWithOtherRanksOnEachIslandAreRefusedWithTheirPlace) {
    for (const std::string ranks : {"[0-5]", "[0-2, 4]", "[0, 4, 1, 5]", "[0, 4-7]"})
        EXPECT_EQ(File("[{ranks: " + ranks + "}]", islands_of_four).error(),
                  "exp.yaml:5:16: jobs.0.ranks: hierarchical needs as many ranks on each island of network.topology (4 "
                  "ranks), island after island; write ranks like [0-1, 4-5], or name the islands of the job with "
                  "collective: {kind: hierarchical, island: 2}")
            << ranks;
    EXPECT_THAT(File("[{ranks: [0-9]}]", islands_of_four).error(), HasSubstr("there is no rank 9"));
    EXPECT_THAT(File("[{ranks: [x]}]", islands_of_four).error(), HasSubstr("'x' is neither a rank nor a range"));
}

TEST(Jobs, HaveAsManyRanksOnEachIslandOrNoIslands) {
    const auto on = [](const std::vector<std::string>& ranks, std::uint32_t island) {
        return ranks_on_islands(ranks_in(ranks), island);
    };
    EXPECT_EQ(on({"0-3", "9"}, 1), 1u);       // a machine without islands
    EXPECT_EQ(on({"0-3", "8-11"}, 8), 4u);    // four ranks of two islands
    EXPECT_EQ(on({"7", "8", "16"}, 8), 1u);   // one rank of three
    EXPECT_EQ(on({"0-3", "8-10"}, 8), std::nullopt);
    EXPECT_EQ(on({"0-1", "8-9", "2-3"}, 8), std::nullopt);   // island 0 twice
}

}   // namespace
}   // namespace oscar::jobs_test

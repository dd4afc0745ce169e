// A collective as a timeline: three steps of two ranks, by hand.
#include "sim/report/timeline.hpp"

#include <gmock/gmock.h>

#include <array>
#include <nlohmann/json.hpp>
#include <set>

namespace oscar::timeline_test {
namespace {

using Json = nlohmann::json;
using namespace literals;

CriticalPath path(std::int64_t wire, std::int64_t latency, std::int64_t wait = 0) {
    CriticalPath result;
    result.wire_ps = wire;
    result.latency_ps = latency;
    result.wait_ps = wait;
    return result;
}

/// Rank 1 starts at 2 us. Step 0: 0->1, 0 to 10 us; step 1: 1->0, 2 to 5 us; step 2, after step 0: 1->0, 10 to 20 us,
/// stored at 21 us.
struct Collective {
    Schedule schedule;
    Outcome outcome;
    Collective() {
        schedule.ranks = 2;
        schedule.chunks = 2;
        schedule.steps = {{Rank{0}, Rank{1}, ChunkId{0}, Op::reduce, Timestep{0}, {}},
                          {Rank{1}, Rank{0}, ChunkId{1}, Op::reduce, Timestep{0}, {}},
                          {Rank{1}, Rank{0}, ChunkId{0}, Op::copy, Timestep{1}, {}}};
        const std::array first{StepId{0}};
        schedule.steps[2].after = schedule.joins.add(first);
        outcome.steps = {{0_us, 8_us, 9_us, 10_us, path(8'000'000, 2'000'000)},
                         {2_us, 4_us, 5_us, 5_us, path(2'000'000, 1'000'000, 2'000'000)},
                         {10_us, 19_us, 20_us, 20_us, path(17'000'000, 3'000'000), 21_us}};
        outcome.ranks.resize(2);
        outcome.ranks[0].finish = 21_us;
        outcome.ranks[0].path = path(17'000'000, 4'000'000);
        outcome.ranks[0].last = StepId{2};
        outcome.ranks[1].finish = 10_us;
        outcome.ranks[0].encoder = {{0_us, 3_us}, {3_us, 4_us}};
        outcome.finish = 21_us;
        outcome.path = outcome.ranks[0].path;
        outcome.links.push_back({"rank0->switch0", {{5_us, 8_us}, {0_us, 5_us}}, 2, 100, 0});
        outcome.links.push_back({"unused", {}, 0, 0, 0});
    }
};

std::vector<Json> events(const Json& trace, const char* phase, int pid) {
    std::vector<Json> found;
    for (const Json& event : trace["traceEvents"])
        if (event["ph"] == phase && event["pid"] == pid) found.push_back(event);
    return found;
}

TEST(Timeline, CriticalStepsFollowEachOtherUpToTheEnd) {
    const Collective c;
    const auto steps = critical_steps(c.outcome, c.schedule);
    ASSERT_EQ(steps.size(), 2u);
    EXPECT_EQ(steps[0].step, StepId{0});
    EXPECT_EQ(steps[0].begin, 0_us);
    EXPECT_EQ(steps[0].end, 10_us);
    EXPECT_EQ(steps[0].path, path(8'000'000, 2'000'000));
    EXPECT_EQ(steps[1].step, StepId{2});
    EXPECT_EQ(steps[1].begin, 10_us);
    EXPECT_EQ(steps[1].end, 21_us);
    EXPECT_EQ(steps[1].path, path(9'000'000, 2'000'000));
}

TEST(Timeline, AStepThatWaitedForItsRankBeginsWithThatWait) {
    Collective c;
    c.outcome.ranks[0].last = StepId{1};
    c.outcome.ranks[0].finish = c.outcome.finish = 30_us;
    c.outcome.ranks[0].path = c.outcome.path = path(27'000'000, 1'000'000, 2'000'000);
    const auto steps = critical_steps(c.outcome, c.schedule);
    ASSERT_EQ(steps.size(), 1u);
    EXPECT_EQ(steps[0].begin, 2_us);
    EXPECT_EQ(steps[0].path, path(27'000'000, 1'000'000));
}

/// In lock-step a step follows one that it does not wait for, of the timestep before.
TEST(Timeline, InLockStepTheStepBeforeIsTheOneThatOpenedTheTimestep) {
    Collective c;
    c.schedule.steps[2].after = {};
    EXPECT_EQ(critical_steps(c.outcome, c.schedule).front().step, StepId{0});
}

TEST(Timeline, ShowsPhasesStepsLinksEnginesAndArrows) {
    const Collective c;
    const Json trace =
        Json::parse(timeline_text(c.outcome, c.schedule, {{"exchange of scales", 4_us}, {"nothing", Time{}}}));
    const auto critical = events(trace, "X", 1);
    ASSERT_EQ(critical.size(), 3u);
    EXPECT_EQ(critical[0]["name"], "exchange of scales");
    EXPECT_EQ(critical[0]["ts"], 0.0);
    EXPECT_EQ(critical[1]["name"], "link: rank0->rank1 chunk 0, timestep 0");
    EXPECT_EQ(critical[1]["ts"], 4.0);
    EXPECT_EQ(critical[2]["args"]["link us"], 9.0);
    double sum = 0;
    for (const Json& slice : critical) sum += slice["dur"].get<double>();
    EXPECT_DOUBLE_EQ(sum, 25);

    const auto links = events(trace, "X", 2);
    ASSERT_EQ(links.size(), 1u);   // two spans that touch
    EXPECT_EQ(links[0]["dur"], 8.0);
    const auto rank0 = events(trace, "X", 10);
    ASSERT_EQ(rank0.size(), 4u);   // the encoder, a send, two arrivals
    EXPECT_EQ(rank0[0]["dur"], 4.0);
    EXPECT_EQ(events(trace, "s", 10).size() + events(trace, "s", 11).size(), 3u);
    EXPECT_EQ(events(trace, "f", 10).size() + events(trace, "f", 11).size(), 3u);
}

TEST(Timeline, PutsSlicesThatOverlapOnTracksOfTheirOwn) {
    Collective c;
    c.outcome.steps[2].issued = 3_us;   // while step 1 is sent
    const Json trace = Json::parse(timeline_text(c.outcome, c.schedule, {}));
    std::set<int> tracks;
    for (const Json& slice : events(trace, "X", 11)) tracks.insert(slice["tid"].get<int>());
    EXPECT_EQ(tracks.size(), 3u);   // two of sends, one of arrivals
}

TEST(Timeline, SaysWhereAUnitWasBusyWithAnEarlierStep) {
    Collective c;
    c.outcome.path = c.outcome.ranks[0].path = path(7'000'000, 14'000'000);   // less wire time than step 0 had
    const Json trace = Json::parse(timeline_text(c.outcome, c.schedule, {}));
    const Json last = events(trace, "X", 1).back();
    EXPECT_EQ(last["name"], "queue: rank1->rank0 chunk 0, timestep 1");
    EXPECT_EQ(last["args"]["causes"], "a unit was still busy with an earlier step");
}

TEST(Timeline, OfNoStepsIsEmpty) {
    EXPECT_TRUE(critical_steps({}, {}).empty());
    EXPECT_TRUE(Json::parse(timeline_text({}, {}, {})).contains("traceEvents"));
}

}   // namespace
}   // namespace oscar::timeline_test

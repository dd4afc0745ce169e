// A collective as a timeline: three steps of two ranks, by hand.
#include "sim/report/causes/timeline.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tests/report/causes/collective.hpp"

namespace oscar::timeline_test {
namespace {

using Json = nlohmann::json;
using namespace literals;
using test::Collective;
using test::path;

std::vector<Json> events(const Json& trace, const char* phase, int pid) {
    std::vector<Json> found;
    for (const Json& event : trace["traceEvents"])
        if (event["ph"] == phase && event["pid"] == pid) found.push_back(event);
    return found;
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

TEST(Timeline, OfNoStepsIsEmpty) { EXPECT_TRUE(Json::parse(timeline_text({}, {}, {})).contains("traceEvents")); }

}   // namespace
}   // namespace oscar::timeline_test

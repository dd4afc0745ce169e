// A collective as a timeline: three steps of two ranks, by hand.
#include "sim/report/timeline/timeline.hpp"

#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/report/causes/collective.hpp"

namespace oscar::timeline_test {
namespace {

using Json = nlohmann::json;
using namespace literals;
using test::Collective;
using test::path;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Gt;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Lt;
using ::testing::Not;
using ::testing::Pair;
using ::testing::SizeIs;

std::vector<Json> events(const Json& trace, const char* phase, int pid) {
    std::vector<Json> found;
    for (const Json& event : trace["traceEvents"])
        if (event["ph"] == phase && event["pid"] == pid) found.push_back(event);
    return found;
}

TEST(Timeline, ShowsPhasesStepsLinksEnginesAndArrows) {
    const Collective c;
    const Json trace =
        Json::parse(timeline_of(c.outcome, c.schedule, {{"exchange of scales", 4_us}, {"nothing", Time{}}}).text());
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
    c.outcome.steps.change(2).issued = 3_us;   // while step 1 is sent
    const Json trace = Json::parse(timeline_of(c.outcome, c.schedule, {}).text());
    std::set<int> tracks;
    for (const Json& slice : events(trace, "X", 11)) tracks.insert(slice["tid"].get<int>());
    EXPECT_EQ(tracks.size(), 3u);   // two of sends, one of arrivals
}

TEST(Timeline, SaysWhereAUnitWasBusyWithAnEarlierStep) {
    Collective c;
    c.outcome.path = c.outcome.ranks[0].path = path(7'000'000, 14'000'000);   // less wire time than step 0 had
    const Json trace = Json::parse(timeline_of(c.outcome, c.schedule, {}).text());
    const Json last = events(trace, "X", 1).back();
    EXPECT_EQ(last["name"], "queue: rank1->rank0 chunk 0, timestep 1");
    EXPECT_EQ(last["args"]["causes"], "a unit was still busy with an earlier step");
}

TEST(Timeline, OfNoStepsIsEmpty) { EXPECT_TRUE(Json::parse(timeline_of({}, {}, {}).text()).contains("traceEvents")); }

/// The names of the tracks of a process that have slices.
std::set<std::string> tracks(const Json& trace, int process) {
    std::set<std::string> names;
    for (const Json& name : events(trace, "M", process))
        for (const Json& slice : events(trace, "X", process))
            if (slice["tid"] == name["tid"]) names.insert(name["args"]["name"]);
    return names;
}

TEST(Timeline, HasATrackForEachUnitThatWasBusy) {
    Collective c;
    RankUse& rank = c.outcome.ranks[1];
    rank.decoder = rank.dma_read.spans = rank.dma_write.spans = {{1_us, 2_us}};
    rank.noted = {{{2_us, 3_us}}, {{3_us, 4_us}}, {{4_us, 5_us}}};
    const Json trace = Json::parse(timeline_of(c.outcome, c.schedule, {}).text());
    EXPECT_THAT(tracks(trace, 11),
                IsSupersetOf({"decoder", "DMA read", "DMA write", "adders", "port reads", "port additions", "sends"}));
    EXPECT_THAT(tracks(trace, 10), Not(Contains("adders")));
}

/// The values of a counter by the time at which each begins.
std::map<double, int> values(const Json& trace, int process, const std::string& name) {
    std::map<double, int> result;
    for (const Json& change : events(trace, "C", process))
        if (change["name"] == name) result[change["ts"]] = change["args"].front();
    return result;
}

TEST(Timeline, CountsMessages) {
    const Collective c;
    const Json trace = Json::parse(timeline_of(c.outcome, c.schedule, {{"before", 1_us}}).text());
    EXPECT_THAT(values(trace, 11, "messages sending"),
                ElementsAre(Pair(1, 0), Pair(3, 1), Pair(5, 0), Pair(11, 1), Pair(20, 0)));
    EXPECT_THAT(values(trace, 11, "messages arriving"), ElementsAre(Pair(1, 0), Pair(9, 1), Pair(11, 0)));
}

TEST(Timeline, ShowsTheSignalsOfAWaveform) {
    Collective c;
    c.outcome.waveform = {{"rank0.nic.port0.credits", {{0_us, 8}, {3_us, 7}}}};
    const Json trace = Json::parse(timeline_of(c.outcome, c.schedule, {{"before", 1_us}}).text());
    EXPECT_THAT(values(trace, 3, "rank0.nic.port0.credits"), ElementsAre(Pair(1, 8), Pair(4, 7)));
    const Json later = Json::parse(timeline_of(c.outcome, c.schedule, {{"before", 1_us}}, {3_us, 8_us}).text());
    EXPECT_THAT(values(later, 3, "rank0.nic.port0.credits"), ElementsAre(Pair(3, 8), Pair(4, 7)));
}

TEST(Timeline, ShowsAWindowAlone) {
    const Collective c;
    const Json trace = Json::parse(timeline_of(c.outcome, c.schedule, {{"before", 1_us}}, {12_us, 15_us}).text());
    EXPECT_THAT(events(trace, "X", 1), SizeIs(1));    // the second step of the critical path
    EXPECT_THAT(events(trace, "X", 2), IsEmpty());    // the link was busy before
    EXPECT_THAT(events(trace, "X", 11), SizeIs(1));   // the send of step 2
    EXPECT_THAT(events(trace, "s", 11), IsEmpty());   // whose arrival is later
}

/// A ring's worth of messages, with as many spans as are shown.
Collective large_collective() {
    Collective c;
    c.schedule.steps.resize(most_messages_shown, c.schedule.steps[1]);
    c.outcome.steps.resize(most_messages_shown, c.outcome.steps[1]);
    for (std::size_t i = 3; i < most_messages_shown; ++i) {
        const Time begin{static_cast<std::int64_t>(i) * 1'234'567};
        c.outcome.steps.set(i, {begin, begin + 1_us, begin + 1_us, begin + Time{1'234'566}, {}});
    }
    std::vector<Span>& encoder = c.outcome.ranks[0].encoder;
    encoder.clear();
    for (std::size_t i = 0; i < most_spans_shown; ++i) {
        const Time begin{static_cast<std::int64_t>(i) * 1'234'567};
        encoder.push_back({begin, begin + 1_us});
    }
    c.outcome.links[EdgeId{0}].busy = Spans(encoder);
    return c;
}

TEST(Timeline, IsSmallerThan100MB) {
    Collective c = large_collective();
    const std::string text = timeline_of(c.outcome, c.schedule, {}).text();
    EXPECT_THAT(text.size(), AllOf(Gt(60'000'000u), Lt(100'000'000u)));
    c.outcome.ranks[0].encoder.push_back({3'000_ms, 3'001_ms});   // one too many
    const std::string without = timeline_of(c.outcome, c.schedule, {}).text();
    EXPECT_LT(without.size(), text.size() - 10'000'000);
}

}   // namespace
}   // namespace oscar::timeline_test

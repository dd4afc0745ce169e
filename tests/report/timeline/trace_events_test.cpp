// Events as text, and traces one after the other.
#include "sim/report/timeline/trace_events.hpp"

#include <gmock/gmock.h>

namespace oscar::trace_events_test {
namespace {

using Json = nlohmann::json;
using namespace literals;
using ::testing::HasSubstr;

std::vector<Json> events_of(const TraceEvents& trace, const char* phase) {
    std::vector<Json> found;
    const Json file = Json::parse(trace.text());
    for (const Json& event : file["traceEvents"])
        if (event["ph"] == phase) found.push_back(event);
    return found;
}

TEST(TraceEvents, AreReadBack) {
    TraceEvents trace;
    trace.name_process(10, "rank \"0\"");
    trace.name_track(10, 1, "encoder");
    trace.slice(10, 1, "busy", {1_us, 1'500_ns}, {{"bytes", 3}});
    trace.arrow('s', 7, 10, 1, 1_us);
    trace.counter(10, "credits", 2_us, {{"value", 4}});
    const Json slice = events_of(trace, "X").at(0);
    EXPECT_EQ(slice, Json::parse(R"({"ph":"X","pid":10,"tid":1,"ts":1.0,"dur":0.5,"name":"busy","args":{"bytes":3}})"));
    EXPECT_EQ(events_of(trace, "s").at(0)["id"], 7);
    EXPECT_EQ(events_of(trace, "C").at(0)["args"]["value"], 4);
    EXPECT_EQ(events_of(trace, "M").at(0)["args"]["name"], "rank \"0\"");
    EXPECT_EQ(events_of(trace, "M").at(2)["args"]["name"], "encoder");
}

/// A double has 53 bits: at 3 hours it would be off by a picosecond.
TEST(TraceEvents, TellTimesExactly) {
    TraceEvents trace;
    trace.slice(1, 1, "late", {Time{10'800'000'000'000'001}, Time{10'800'000'000'000'004}});
    trace.slice(1, 1, "early", {Time{-1}, Time{0}});
    EXPECT_THAT(trace.text(), HasSubstr("\"ts\":10800000000.000001,"));
    EXPECT_THAT(trace.text(), HasSubstr("\"dur\":0.000003"));
    EXPECT_THAT(trace.text(), HasSubstr("\"ts\":-0.000001,"));
}

TEST(TraceEvents, OfNothingAreATraceToo) { EXPECT_TRUE(Json::parse(TraceEvents().text())["traceEvents"].empty()); }

TEST(TraceEvents, FollowEachOtherWithArrowsOfTheirOwn) {
    TraceEvents one;
    one.name_track(10, 1, "sends");
    one.arrow('s', 5, 10, 1, 1_us);
    TraceEvents two = one;
    two.slice(10, 1, "only here", {2_us, 3_us});
    one.append(two, 100_us);
    const auto arrows = events_of(one, "s");
    ASSERT_EQ(arrows.size(), 2u);
    EXPECT_NE(arrows[0]["id"], arrows[1]["id"]);
    EXPECT_EQ(arrows[1]["ts"], 101.0);
    EXPECT_EQ(events_of(one, "X").at(0)["ts"], 102.0);
    EXPECT_EQ(events_of(one, "M").size(), 1u);
}

TEST(TraceEvents, OutsideTheWindowAreLeftOut) {
    TraceEvents of_exchange, all;
    for (const int begin : {0, 10, 20, 30}) of_exchange.slice(1, 1, "busy", {begin * 1_us, begin * 1_us + 5_us});
    all.append(of_exchange, 100_us, {112_us, 120_us});   // the end of one, and where the next begins
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(events_of(all, "X").at(0)["ts"], 110.0);
}

}   // namespace
}   // namespace oscar::trace_events_test

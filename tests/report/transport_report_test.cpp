// What the network lost, paused, marked and repaired, in the report.
#include <gmock/gmock.h>

#include "models/collective/algorithms/all_reduce/ring.hpp"
#include "sim/report/report.hpp"
#include "sim/report/statistics.hpp"

namespace oscar::transport_report_test {
namespace {

TransportUse counts(std::uint64_t drops, std::uint64_t marks) {
    TransportUse use;
    use.dropped = drops;
    use.marked = marks;
    return use;
}

IterationResult iteration(const std::optional<TransportUse>& transport) {
    IterationResult result;
    result.allreduce_ps = 100;
    result.transport = transport;
    return result;
}

Report report_of(const MethodReport& method) {
    Report report;
    report.methods = {method};
    return report;
}

TEST(TransportCounters, AddUpOverIterationsAndBuckets) {
    const std::vector<IterationResult> results{iteration(counts(1, 10)), iteration(counts(2, 20))};
    EXPECT_EQ(summarise("m", results).transport, counts(3, 30));
    EXPECT_EQ(sum_of_buckets(results).transport, counts(3, 30));
}

TEST(TransportCounters, StandInTheReportOnlyWhereTheNetworkHasThem) {
    const auto with = to_json(report_of(summarise("m", {iteration(counts(1, 10))})))["methods"][0];
    EXPECT_EQ(with["transport"]["drops"], 1);
    EXPECT_EQ(with["transport"]["ecn_marks"], 10);
    EXPECT_EQ(with["transport"].size(), TransportUse::fields().size);
    EXPECT_FALSE(to_json(report_of(summarise("m", {iteration({})})))["methods"][0].contains("transport"));
}

TEST(TransportCounters, BytesSentAgainAndAnswersAreOnTheWire) {
    const Plan plan{make_schedule(RingParams{}, 2), ElementType::integer, 8};
    Outcome outcome;
    outcome.finish = Time{100};
    outcome.ranks.resize(2);
    outcome.steps.resize(4);
    outcome.records = {{10, 20, 0}, {10, 20, 0}, {10, 20, 0}, {10, 20, 0}};
    outcome.wire_bytes = {22, 22, 22, 22};
    EXPECT_EQ(measure(outcome, plan).wire_bytes, 88u);
    outcome.transport.emplace();
    outcome.transport->retransmitted_bytes = 44;
    outcome.transport->answer_bytes = 8;
    EXPECT_EQ(measure(outcome, plan).wire_bytes, 88u + 44 + 8);
}

TEST(PriorExchange, OfAnAllReduceIsInItsTimeItsBytesAndItsTransportAndInNoShareOfTime) {
    IterationResult result = iteration(counts(1, 10));
    result.wire_bytes = 1000;
    result.links = {{"a", 0.5, 800}};
    result.link_utilisation = 0.5;
    const PriorExchange before{{.wire_ps = 7}, 30, counts(2, 5), {}, {{"a", 20}, {"b", 10}}};
    EXPECT_EQ(add(result, before), 7);
    EXPECT_EQ(result.allreduce_ps, 107);
    EXPECT_EQ(result.critical_path.wire_ps, 7);
    EXPECT_EQ(result.wire_bytes, 1030u);
    EXPECT_EQ(result.transport, counts(3, 15));
    ASSERT_EQ(result.links.size(), 2u);
    EXPECT_EQ(result.links[0].wire_bytes, 820u);
    EXPECT_EQ(result.links[0].utilisation, 0.5);
    EXPECT_EQ(result.links[1].name, "b");
    EXPECT_EQ(result.links[1].wire_bytes, 10u);
    EXPECT_EQ(result.link_utilisation, 0.5);
}

TEST(LinksOfAMethod, AreFoundByNameForOneMayBeUnusedInAnIteration) {
    IterationResult first = iteration({}), second = iteration({});
    first.links = {{"a", 0.5, 10}};
    second.links = {{"back", 0.25, 3}, {"a", 0.25, 20}};
    const auto links = summarise("m", {first, second}).links;
    ASSERT_EQ(links.size(), 2u);
    EXPECT_EQ(links[0].name, "a");
    EXPECT_DOUBLE_EQ(links[0].utilisation, 0.375);
    EXPECT_EQ(links[0].wire_bytes, 30u);
    EXPECT_EQ(links[1].name, "back");
    EXPECT_DOUBLE_EQ(links[1].utilisation, 0.125);
}

}   // namespace
}   // namespace oscar::transport_report_test

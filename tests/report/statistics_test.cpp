// The list of statistics: where each stands, and the rules by which those of iterations make one.
#include "sim/report/statistics.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "sim/report/describe_report.hpp"
#include "sim/report/report.hpp"

namespace oscar::statistics_test {
namespace {

using ::testing::HasSubstr;

IterationResult iteration(std::int64_t ps) {
    IterationResult r;
    r.allreduce_ps = ps;
    r.closed_form_ps = ps - 1;
    r.payload_bytes = 100;
    r.values = 200;
    r.counted_bytes = 1000;
    r.bus_factor = 1.5;
    r.table_memory_bytes = static_cast<std::uint64_t>(ps);
    r.entropy_bits = 300;
    r.imbalance = static_cast<double>(ps);
    r.sums_match_reference = true;
    return r;
}

MethodReport summary(const std::vector<IterationResult>& iterations) { return summarise("m", iterations); }

TEST(Statistics, HaveKeysOfTheirOwnAndAMeaning) {
    std::set<std::string_view> keys;
    for_each_statistic([&](const auto& statistic) {
        EXPECT_TRUE(keys.insert(statistic.key).second) << statistic.key;
        EXPECT_FALSE(statistic.meaning.empty()) << statistic.key;
    });
}

TEST(Statistics, AreInTheJsonOfMethodsAndIterationsWhereTheirEntrySaysSo) {
    Report report;
    report.methods = {summary({iteration(10)})};
    const auto method = to_json(report)["methods"][0];
    const auto in = [](const auto& object, std::string_view key) { return object.contains(std::string(key)); };
    for_each_statistic([&](const auto& s) {
        if (s.key == "links" || s.shown == Shown::methods_if_present)
            return;   // behind the others, where there are any
        EXPECT_EQ(in(method, s.key), s.shown == Shown::methods || s.shown == Shown::everywhere) << s.key;
        EXPECT_EQ(in(method["iterations"][0], s.key), s.shown == Shown::iterations || s.shown == Shown::everywhere)
            << s.key;
    });
}

TEST(Statistics, OfIterationsAreMeansOfTimesSumsOfBytesAndLargestMemories) {
    const MethodReport m = summary({iteration(10), iteration(11), iteration(13)});
    EXPECT_EQ(m.allreduce_ps, 11);     // 34 / 3, rounded
    EXPECT_EQ(m.closed_form_ps, 10);   // 31 / 3, rounded down
    EXPECT_EQ(m.payload_bytes, 300u);
    EXPECT_EQ(m.table_memory_bytes, 13u);
    EXPECT_DOUBLE_EQ(m.imbalance, 34 / 3.0);
}

TEST(Statistics, ThatAreDerivedAreMadeOfTheSums) {
    const MethodReport m = summary({iteration(100), iteration(200)});
    EXPECT_DOUBLE_EQ(m.bits_per_value, 8 * 200 / 400.0);
    EXPECT_DOUBLE_EQ(m.entropy_bits_per_value.value(), 600 / 400.0);
    EXPECT_DOUBLE_EQ(m.algorithm_bandwidth_gbps, 8000 * 1000 / 150.0);
    EXPECT_DOUBLE_EQ(m.bus_bandwidth_gbps, 1.5 * m.algorithm_bandwidth_gbps);
    EXPECT_DOUBLE_EQ(m.iterations[1].algorithm_bandwidth_gbps, 8000 * 1000 / 200.0);
}

TEST(Statistics, AreNullWhereOneIterationHasNone) {
    IterationResult none = iteration(10);
    none.closed_form_ps.reset();
    none.entropy_bits.reset();
    none.sums_match_reference.reset();
    const MethodReport m = summary({iteration(10), none, iteration(10)});
    EXPECT_FALSE(m.closed_form_ps);
    EXPECT_FALSE(m.entropy_bits_per_value);
    EXPECT_FALSE(m.sums_match_reference);
}

TEST(Statistics, AverageThePredictionsOfThoseThatWerePredicted) {
    IterationResult predicted = iteration(10), again = iteration(10);
    predicted.chunk_prediction_error = 0.2;
    again.chunk_prediction_error = 0.4;
    EXPECT_DOUBLE_EQ(summary({predicted, iteration(10), again}).chunk_prediction_error.value(), 0.6 / 2);
    EXPECT_FALSE(summary({iteration(10)}).chunk_prediction_error);
}

TEST(Statistics, OfErrorsAreMeansOverIterationsWhereAllHaveOne) {
    IterationResult a = iteration(10), b = iteration(10);
    a.fidelity = Fidelity{0.25, 1, {}};
    b.fidelity = Fidelity{0.75, 0.5, {}};
    EXPECT_DOUBLE_EQ(summary({a, b}).relative_l2_error.value(), 0.5);
    EXPECT_DOUBLE_EQ(summary({a, b}).cosine.value(), 0.75);
    EXPECT_FALSE(summary({a, iteration(10)}).relative_l2_error);
}

TEST(Statistics, OfPartsThatAreThereAreAddedUp) {
    IterationResult a = iteration(10), b = iteration(10);
    a.transport = TransportUse{};
    a.transport->sent = 3;
    b.flows = {{0, 1, 8, 0, 5}};
    const MethodReport m = summary({a, b, a});
    EXPECT_EQ(m.transport.value().sent, 6u);
    EXPECT_EQ(m.flows.size(), 1u);
    EXPECT_FALSE(summary({b}).transport);
}

/// Of 10 values of 8 bits between islands, 30 of 16 inside them.
IterationResult tiered_iteration() {
    IterationResult r = iteration(10);
    r.tiered = true;
    r.nic_payload_bytes = 10;
    r.nic_values = 10;
    r.island_payload_bytes = 60;
    r.island_values = 30;
    return r;
}

TEST(Statistics, OfTiersAreInTheJsonOfMethodsThatHaveTiersAndAddUp) {
    Report report;
    report.methods = {summary({tiered_iteration(), tiered_iteration()}), summary({iteration(10)})};
    const auto methods = to_json(report)["methods"];
    EXPECT_EQ(methods[0]["nic_payload_bytes"], 20);
    EXPECT_EQ(methods[0]["island_values"], 60);
    EXPECT_EQ(methods[0]["nic_bits_per_value"], 8);
    EXPECT_EQ(methods[0]["island_bits_per_value"], 16);
    for_each_statistic([&](const auto& s) {
        if (s.shown != Shown::methods_if_tiered) return;
        EXPECT_TRUE(methods[0].contains(std::string(s.key))) << s.key;
        EXPECT_FALSE(methods[1].contains(std::string(s.key))) << s.key;
    });
}

TEST(Statistics, OfATierThatCarriesNothingHaveNoBits) {
    IterationResult inside = tiered_iteration();
    inside.nic_payload_bytes = inside.nic_values = 0;
    EXPECT_FALSE(summary({inside}).nic_bits_per_value);
    EXPECT_EQ(summary({inside}).island_bits_per_value, 16);
}

/// 41 words, of which 31 inside islands, stand for 3.5 values each.
TEST(Statistics, OfValuesThatWordsRepresentAddUpOverTiers) {
    IterationResult r = tiered_iteration();
    r.values = 41;
    r.nic_values = 10;
    r.island_values = 31;
    count_represented(r, 3.5);
    EXPECT_EQ(r.values, 144u);          // 143.5
    EXPECT_EQ(r.island_values, 109u);   // 108.5
    EXPECT_EQ(r.nic_values + r.island_values, r.values);
    IterationResult one = iteration(10);
    count_represented(one, 0);
    EXPECT_EQ(one.values + one.nic_values + one.island_values, 0u);
}

TEST(Units, AreTheEndingsOfKeys) {
    EXPECT_EQ(unit_of("allreduce_ps"), "ps");
    EXPECT_EQ(unit_of("wire_bytes"), "bytes");
    EXPECT_EQ(unit_of("bytes"), "bytes");
    EXPECT_EQ(unit_of("bus_bandwidth_gbps"), "Gbit/s");
    EXPECT_EQ(unit_of("bits_per_value"), "bits");
    EXPECT_EQ(unit_of("cpu_s"), "s");
    EXPECT_EQ(unit_of("flit_hops_per_cpu_s"), "1/s");
    EXPECT_EQ(unit_of("name"), "");
}

/// The text in one line, with a space where a line and the indent of the next were.
std::string joined_lines(const std::string& text) {
    std::istringstream lines(text);
    std::string joined;
    for (std::string line; std::getline(lines, line);)
        joined += " " + line.substr(std::min(line.size(), line.find_first_not_of(' ')));
    return joined;
}

TEST(DescribeReport, HasEveryShownStatisticWithHowItAddsUp) {
    const std::string text = describe_report(110);
    for_each_statistic([&](const auto& s) {
        if (s.shown == Shown::methods || s.shown == Shown::everywhere || s.shown == Shown::methods_if_tiered) {
            EXPECT_THAT(text, HasSubstr("\n" + std::string(s.key) + " ")) << s.key;
        }
    });
    EXPECT_THAT(text, HasSubstr("methods[].transport: sum over buckets and iterations\n"));
    const std::string unbroken = joined_lines(text);
    EXPECT_THAT(unbroken, HasSubstr("[over buckets: sum; over iterations: mean]"));
    EXPECT_THAT(text, ::testing::Not(HasSubstr("link_window_ps")));
}

}   // namespace
}   // namespace oscar::statistics_test

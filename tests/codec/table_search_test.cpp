#include "models/codec/learning/table_search.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <numeric>
#include <random>

#include "models/codec/kinds/codecs.hpp"
#include "models/codec/learning/binning.hpp"
#include "models/codec/learning/row_learning.hpp"
#include "models/codec/learning/table_heuristic.hpp"
#include "tests/codec/support.hpp"

namespace oscar::table_search_test {
namespace {

struct Histogram {
    Counts counts;
    std::vector<std::uint64_t> edges{0};
};

Histogram random_histogram(std::mt19937_64& random, std::size_t bins) {
    Histogram result;
    for (std::size_t bin = 0; bin < bins; ++bin) {
        result.counts.push_back(random() % 3 == 0 ? 0 : random() >> (44 + random() % 20));
        result.edges.push_back(result.edges.back() + 1 + random() % 5);
    }
    result.counts[random() % bins] += 1;
    return result;
}

std::uint64_t cost_of(const Histogram& h, std::span<const std::size_t> firsts) {
    const std::uint64_t total = std::accumulate(h.counts.begin(), h.counts.end(), std::uint64_t{0});
    std::uint64_t cost = 0;
    for (std::size_t row = 0; row < firsts.size(); ++row) {
        const std::size_t end = row + 1 < firsts.size() ? firsts[row + 1] : h.counts.size();
        std::uint64_t count = 0;
        for (std::size_t bin = firsts[row]; bin < end; ++bin) count += h.counts[bin];
        cost += range_cost(count, total, h.edges[end] - h.edges[firsts[row]]);
    }
    return cost;
}

/// The least cost over every way to cut the bins into `rows` ranges.
std::uint64_t exhaustive_cost(const Histogram& h, std::size_t rows) {
    std::uint64_t best = std::numeric_limits<std::uint64_t>::max();
    std::vector<std::size_t> firsts{0};
    const std::function<void()> extend = [&] {
        if (firsts.size() == rows) {
            best = std::min(best, cost_of(h, firsts));
            return;
        }
        for (std::size_t first = firsts.back() + 1; first < h.counts.size(); ++first) {
            firsts.push_back(first);
            extend();
            firsts.pop_back();
        }
    };
    extend();
    return best;
}

TEST(RangeCost, IsOffsetLengthAndCostOfTheRowForEachSymbol) {
    // Half of the symbols: 1 + floor(5 * 1008 / 10) = 505 of 1024, round(-256 * log2(505/1024)) = 261; 9 patterns: 4
    // bits.
    EXPECT_EQ(range_cost(5, 10, 9), 5u * (4 * 256 + 261));
    EXPECT_EQ(range_cost(0, 10, 1000), 0u);
}

TEST(BestPartition, EqualsExhaustiveSearchOnSmallHistograms) {
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        const Histogram h = random_histogram(random, 4 + random() % 9);
        const std::size_t rows = 1 + random() % std::min<std::size_t>(5, h.counts.size());
        const auto firsts = best_partition(h.counts, h.edges, rows);
        ASSERT_EQ(firsts.size(), rows);
        ASSERT_EQ(firsts.front(), 0u);
        ASSERT_TRUE(std::is_sorted(firsts.begin(), firsts.end(), std::less_equal{}));   // strictly ascending
        ASSERT_EQ(cost_of(h, firsts), exhaustive_cost(h, rows));
    }
}

TEST(BestPartition, EqualsExhaustiveSearchOver16Rows) {
    // 20 bins of one or two patterns, 30 in all: C(19, 15) = 3876 ways to cut them.
    std::mt19937_64 random(7);
    Histogram h;
    for (std::size_t bin = 0; bin < 20; ++bin) {
        h.counts.push_back(random() % 1000);
        h.edges.push_back(h.edges.back() + (bin % 2 == 0 ? 1 : 2));
    }
    EXPECT_EQ(cost_of(h, best_partition(h.counts, h.edges, 16)), exhaustive_cost(h, 16));
}

TEST(HeuristicPartition, NeverCostsLessThanTheBestAndSometimesMore) {
    int worse = 0;
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        const Histogram h = random_histogram(random, 20 + random() % 100);
        const auto firsts = heuristic_partition(h.counts, h.edges, 16);
        ASSERT_EQ(firsts.size(), 16u);
        ASSERT_EQ(firsts.front(), 0u);
        ASSERT_TRUE(std::is_sorted(firsts.begin(), firsts.end(), std::less_equal{}));   // strictly ascending
        ASSERT_LT(firsts.back(), h.counts.size());
        const std::uint64_t cost = cost_of(h, firsts), least = cost_of(h, best_partition(h.counts, h.edges, 16));
        ASSERT_GE(cost, least);
        worse += cost > least ? 1 : 0;
    }
    EXPECT_GT(worse, 75);
}

TEST(HeuristicPartition, MovesEachBoundaryToItsBestPlaceBetweenItsNeighbours) {
    // 2 rows: a single boundary, so the first pass finds the best place and the next gains nothing.
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        const Histogram h = random_histogram(random, 5 + random() % 30);
        EXPECT_EQ(cost_of(h, heuristic_partition(h.counts, h.edges, 2)), exhaustive_cost(h, 2));
    }
}

TEST(HeuristicPartition, GoesOnWhileAPassGainsAPercent) {
    const auto codec = make_codec(AtalantaParams{}, Framing{});
    Counts counts;
    codec->learn(make_symbols("geometric", 50'000, 8, 3), 8, counts);
    const Histogram h{counts, Binning(8).edges()};
    const auto ratio = [&](std::span<const std::size_t> firsts) {
        return static_cast<double>(cost_of(h, firsts)) /
               static_cast<double>(cost_of(h, best_partition(counts, h.edges, 16)));
    };
    EXPECT_LT(ratio(heuristic_partition(counts, h.edges, 16)), 1.05);   // 1.13 after the first pass
    EXPECT_THROW(heuristic_partition(Counts(4), std::vector<std::uint64_t>{0, 1, 2, 3, 4}, 2), std::invalid_argument);
}

TEST(BestPartition, CutsARegionNeverSeenEvenly) {
    // One hit in bin 0, 16 bins of one pattern unseen; 3 rows: {0}, and two of 8 with 3 offset bits, rather than 1
    // and 15.
    Histogram h;
    h.counts.assign(17, 0);
    h.counts[0] = 5;
    h.edges.resize(18);
    std::iota(h.edges.begin(), h.edges.end(), std::uint64_t{0});
    EXPECT_EQ(best_partition(h.counts, h.edges, 3), (std::vector<std::size_t>{0, 1, 9}));
}

TEST(BestPartition, HoldsHistogramsOfMoreSymbolsThanFit32Bits) {
    Histogram h;
    h.counts = {std::uint64_t{1} << 45, 3, std::uint64_t{1} << 44, 9};
    h.edges = {0, 1, 2, 3, 4};
    EXPECT_EQ(best_partition(h.counts, h.edges, 3), (std::vector<std::size_t>{0, 1, 2}));
}

TEST(BestPartition, RefusesAHistogramOfNothing) {
    EXPECT_THROW(best_partition(Counts(4), std::vector<std::uint64_t>{0, 1, 2, 3, 4}, 2), std::invalid_argument);
}

TEST(SearchRanges, TilesThePatternsAndLeavesNoRowWithoutACount) {
    for (std::uint32_t width = 1; width <= 32; ++width) {
        SCOPED_TRACE(width);
        const auto codec = make_codec(AtalantaParams{}, Framing{});
        const Table table = table_of(*codec, make_symbols("geometric", 3000, width, width), width);
        EXPECT_EQ(table.width, width);
        EXPECT_EQ(table.first[0], 0u);
        for (std::size_t row = 1; row < Table::rows_for(width); ++row)
            EXPECT_LT(table.first[row - 1], table.first[row]);
        for (std::size_t row = 0; row < table_rows; ++row) EXPECT_GE(table.count(row), 1u);
        EXPECT_EQ(table.cumulative.back(), 1024);
    }
}

TEST(SearchRanges, RefusesAHistogramOfAnotherWidth) {
    EXPECT_THROW(search_ranges(Counts(Binning(8).bins(), 1), 11), std::invalid_argument);
}

TEST(SearchRanges, CostsLessThanEqualRanges) {
    const auto codec = make_codec(AtalantaParams{}, Framing{});
    const auto symbols = make_symbols("geometric", 5000, 8, 3);
    const Table searched = table_of(*codec, symbols, 8);
    std::array<std::uint32_t, table_rows> first{};
    std::array<std::uint64_t, table_rows> hits{};
    for (std::uint32_t row = 0; row < table_rows; ++row) first[row] = 16 * row;
    for (const Symbol v : symbols) ++hits[static_cast<std::uint8_t>(v) / 16];
    const Table equal = Table::ranges(8, first, normalise(hits));
    const auto total = [&](const Table& table) {
        std::uint64_t cost = 0;
        for (const Symbol v : symbols) cost += table.cost(v);
        return cost;
    };
    EXPECT_LT(total(searched), total(equal));
}

TEST(Binning, HasABinPerPatternUpTo8BitsAndFewAbove) {
    EXPECT_EQ(Binning(1).bins(), 2u);
    EXPECT_EQ(Binning(8).bins(), 256u);
    EXPECT_EQ(Binning(11).bins(), 2u * (64 + 4 * 4));    // octaves 6..9
    EXPECT_EQ(Binning(24).bins(), 2u * (64 + 17 * 4));   // octaves 6..22
}

TEST(Binning, PutsEachSymbolBetweenTheEdgesOfItsBin) {
    for (std::uint32_t width = 1; width <= 32; ++width) {
        SCOPED_TRACE(width);
        const Binning binning(width);
        const auto edges = binning.edges();
        ASSERT_EQ(edges.size(), binning.bins() + 1);
        ASSERT_EQ(edges.back(), std::uint64_t{1} << width);
        ASSERT_TRUE(std::is_sorted(edges.begin(), edges.end(), std::less_equal{}));   // no bin is empty
        auto symbols = make_symbols("uniform", 2000, width, width);
        for (Symbol v = -std::min(largest(width), 600); v <= std::min(largest(width), 600); ++v) symbols.push_back(v);
        for (const Symbol v : symbols) {
            const std::uint64_t pattern = static_cast<std::uint32_t>(v) & low_mask(width);
            const std::size_t bin = binning.bin(v);
            ASSERT_LE(edges[bin], pattern) << v;
            ASSERT_LT(pattern, edges[bin + 1]) << v;
        }
    }
}

TEST(Binning, IsOfEachSymbolHoweverManyAreCountedAtOnce) {
    for (const std::uint32_t width : {1u, 2u, 8u, 11u, 12u, 24u})
        for (const std::size_t size :
             {0u, 3u, 255u, 256u, 2047u, 2051u, 9'999u}) {   // also fewer than there are patterns
            SCOPED_TRACE(::testing::Message() << "width " << width << ", size " << size);
            const auto symbols = make_symbols("uniform", size, width, width + size);
            const Binning binning(width);
            Counts counts(binning.bins(), 5), expected(binning.bins(), 5);   // what was counted before stays
            learn_rows(Layout::ranges, symbols, width, counts);
            for (const Symbol symbol : symbols) ++expected[binning.bin(symbol)];
            EXPECT_EQ(counts, expected);
        }
}

}   // namespace
}   // namespace oscar::table_search_test

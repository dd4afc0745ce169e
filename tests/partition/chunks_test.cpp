#include "models/partition/chunks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>

#include "tests/golden/golden.hpp"

namespace oscar::chunks_test {
namespace {

std::uint64_t cost_of(const ChunkLayout& layout, std::uint32_t chunk, const std::vector<std::uint32_t>& costs) {
    std::uint64_t cost = 0;
    layout.for_each(ChunkId{chunk}, [&](std::uint32_t i, std::uint32_t) { cost += costs[i]; });
    return cost;
}

/// Zero-rich layers of different cost, as a gradient has: blocks of 1000 elements at 1 to 12 bits.
std::vector<std::uint32_t> uneven_costs(std::uint32_t elements, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<std::uint32_t> costs(elements);
    for (std::uint32_t i = 0; i < elements; ++i) {
        const auto bits = static_cast<std::uint32_t>(1 + (i / 1000 * 7 + seed) % 12);
        costs[i] = bits * 256 + static_cast<std::uint32_t>(random() % 128);
    }
    return costs;
}

TEST(ChunkLayout, OfEveryKindPutsEachElementInExactlyOneChunk) {
    for_each_kind(chunk_kinds, []<class P>(const Kind<P>& kind) {
        for (const std::uint32_t elements : {0u, 1u, 7u, 64u, 1000u, 12345u})
            for (const ChunkCount count : {ChunkCount{2, 1}, ChunkCount{8, 1}, ChunkCount{5, 3}})
                for (const bool predicted : {false, true}) {
                    SCOPED_TRACE(::testing::Message()
                                 << kind.name << " " << elements << " in " << count.groups << "x" << count.slices);
                    const auto costs = predicted ? uneven_costs(elements, 3) : std::vector<std::uint32_t>{};
                    const ChunkLayout layout = make_layout(P{}, elements, count, costs);
                    ASSERT_EQ(layout.chunks(), count.groups * count.slices);
                    std::vector<int> seen(elements);
                    for (std::uint32_t c = 0; c < layout.chunks(); ++c) {
                        std::uint32_t size = 0;
                        layout.for_each(ChunkId{c}, [&](std::uint32_t i, std::uint32_t position) {
                            ++seen[i];
                            EXPECT_EQ(position, size++);
                        });
                        EXPECT_EQ(size, layout.size(ChunkId{c}));
                    }
                    EXPECT_TRUE(std::ranges::all_of(seen, [](int n) { return n == 1; }));
                }
    });
}

TEST(ChunkLayout, GathersTheValuesThatForEachVisits) {
    const ChunkLayout layout = make_layout(RoundRobinParams{4}, 30, {3, 1}, {});
    std::vector<std::int32_t> bucket(30);
    std::iota(bucket.begin(), bucket.end(), 100);
    const auto values = layout.gather(ChunkId{1}, std::span<const std::int32_t>(bucket));
    EXPECT_EQ(values, (std::vector<std::int32_t>{104, 105, 106, 107, 116, 117, 118, 119, 128, 129}));
    layout.for_each(ChunkId{1}, [&](std::uint32_t i, std::uint32_t p) { EXPECT_EQ(values[p], bucket[i]); });
}

TEST(ChunkLayout, EqualDiffersByAtMostOneElement) {
    const ChunkLayout layout = make_layout(EqualParams{}, 1003, {8, 2}, {});
    std::uint32_t least = 2000, most = 0;
    for (std::uint32_t c = 0; c < layout.chunks(); ++c) {
        least = std::min(least, layout.size(ChunkId{c}));
        most = std::max(most, layout.size(ChunkId{c}));
    }
    EXPECT_LE(most - least, 1u);
}

TEST(ChunkLayout, SlicesOfAChunkAreNeighbours) {
    const ChunkLayout layout = make_layout(EqualParams{}, 120, {3, 2}, {});   // pieces of 20; chunk c: pieces 2c, 2c+1
    EXPECT_EQ(layout.segments(ChunkId{1}).front(), (Segment{40, 60}));        // slice 0 of chunk 1
    EXPECT_EQ(layout.segments(ChunkId{3 + 1}).front(), (Segment{60, 80}));    // slice 1 of chunk 1
}

TEST(ChunkLayout, PredictedBalancesCostWithinTwoGranules) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(seed);
        const auto costs = uneven_costs(32000, seed);
        const std::uint64_t total = std::accumulate(costs.begin(), costs.end(), std::uint64_t{0});
        const ChunkLayout layout = make_layout(PredictedParams{64}, 32000, {8, 1}, costs);
        const std::uint64_t granule = 64 * (13 * 256);   // dearest granule: 64 values of less than 13 bits
        for (std::uint32_t c = 0; c < 8; ++c) {
            EXPECT_LE(cost_of(layout, c, costs), total / 8 + granule);
            EXPECT_GE(cost_of(layout, c, costs) + granule, total / 8);
        }
    }
}

std::vector<Segment> segments_of(const ChunkLayout& layout, std::uint32_t chunk) {
    const auto segments = layout.segments(ChunkId{chunk});
    return {segments.begin(), segments.end()};
}

TEST(ChunkLayout, PredictedCutsBeforeAGranuleInWhoseMiddleTheShareIsReached) {
    // Six values of cost 1: a piece has 3, which is in the middle of [2, 4); both ends of it are as near.
    const ChunkLayout layout = make_layout(PredictedParams{2}, 6, {2, 1}, std::vector<std::uint32_t>(6, 1));
    EXPECT_EQ(segments_of(layout, 0), (std::vector<Segment>{{0, 2}}));
    EXPECT_EQ(segments_of(layout, 1), (std::vector<Segment>{{2, 6}}));
}

TEST(ChunkLayout, PredictedCutsBehindTheGranuleThatReachesTheShareExactly) {
    // Half of 4 is reached with the second value; the two that cost nothing belong to the second piece.
    const ChunkLayout layout = make_layout(PredictedParams{1}, 6, {2, 1}, std::vector<std::uint32_t>{1, 1, 0, 0, 1, 1});
    EXPECT_EQ(segments_of(layout, 0), (std::vector<Segment>{{0, 2}}));
    EXPECT_EQ(segments_of(layout, 1), (std::vector<Segment>{{2, 6}}));
}

TEST(ChunkLayout, PredictedWithoutAPredictionIsEqual) {
    EXPECT_EQ(make_layout(PredictedParams{}, 999, {4, 2}, {}), make_layout(EqualParams{}, 999, {4, 2}, {}));
}

TEST(ChunkLayout, PredictedSurvivesAPredictionOfNothing) {
    const ChunkLayout layout = make_layout(PredictedParams{}, 640, {4, 1}, std::vector<std::uint32_t>(640, 0));
    std::uint32_t size = 0;
    for (std::uint32_t c = 0; c < 4; ++c) size += layout.size(ChunkId{c});
    EXPECT_EQ(size, 640u);
}

TEST(ChunkLayout, OfContiguousChunksIsToldByTheEndsOfItsPieces) {
    EXPECT_EQ(ends_of(make_layout(EqualParams{}, 120, {3, 2}, {}), {3, 2}),
              (std::vector<std::uint32_t>{20, 40, 60, 80, 100, 120}));
    for (const ChunkCount count : {ChunkCount{2, 1}, ChunkCount{8, 1}, ChunkCount{5, 3}})
        for (const std::uint32_t elements : {0u, 3u, 9000u}) {
            const ChunkLayout layout = make_layout(LeaderParams{}, elements, count, uneven_costs(elements, 5));
            EXPECT_EQ(layout_of_ends(ends_of(layout, count), count), layout);
        }
}

TEST(ChunkLayout, RoundRobinDealsBlocksInTurn) {
    const ChunkLayout layout = make_layout(RoundRobinParams{10}, 65, {3, 1}, {});
    const auto segments = layout.segments(ChunkId{0});
    ASSERT_EQ(segments.size(), 3u);
    EXPECT_EQ(segments[1], (Segment{30, 40}));
    EXPECT_EQ(segments[2], (Segment{60, 65}));
}

TEST(ChunkLayout, GreedyGivesTheCostliestBlockToTheCheapestChunk) {
    // Blocks of two: costs 10, 2, 8, 4, 6, 4. In order 10 -> 0, 8 -> 1, 6 -> 1 (8 < 10), 4 -> 0, then chunk 0 has 14
    // and 1 has 14: 4 -> 0, which is full with three, so 2 -> 1.
    const std::vector<std::uint32_t> costs{5, 5, 1, 1, 4, 4, 2, 2, 3, 3, 2, 2};
    const ChunkLayout layout = make_layout(GreedyParams{2}, 12, {2, 1}, costs);
    EXPECT_EQ(std::vector(layout.segments(ChunkId{0}).begin(), layout.segments(ChunkId{0}).end()),
              (std::vector<Segment>{{0, 2}, {6, 8}, {10, 12}}));
    EXPECT_EQ(std::vector(layout.segments(ChunkId{1}).begin(), layout.segments(ChunkId{1}).end()),
              (std::vector<Segment>{{2, 4}, {4, 6}, {8, 10}}));
}

TEST(ChunkLayout, GreedyGivesEachChunkAsManyBlocksWhereTheyDivideEvenly) {
    // Four blocks for two chunks, two for each. 10 -> 0; then 1 -> 1 and 1 -> 1, which is full: the last goes to chunk
    // 0, though chunk 1 is cheaper.
    const ChunkLayout layout = make_layout(GreedyParams{1}, 4, {2, 1}, std::vector<std::uint32_t>{10, 1, 1, 1});
    EXPECT_EQ(segments_of(layout, 0), (std::vector<Segment>{{0, 1}, {3, 4}}));
    EXPECT_EQ(segments_of(layout, 1), (std::vector<Segment>{{1, 2}, {2, 3}}));
}

TEST(ChunkLayout, GreedyGivesBlocksOfEqualCostInTheirOrderToTheFirstOfEqualChunks) {
    // 60 blocks of cost 7 for three chunks: each round finds all chunks equal.
    const ChunkLayout layout = make_layout(GreedyParams{1}, 60, {3, 1}, std::vector<std::uint32_t>(60, 7));
    EXPECT_EQ(layout, make_layout(RoundRobinParams{1}, 60, {3, 1}, {}));
}

TEST(ChunkLayout, GreedyBalancesCostWithinOneBlockAndElementsToo) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(seed);
        const auto costs = uneven_costs(20'000, seed);
        const ChunkLayout layout = make_layout(GreedyParams{16}, 20'000, {8, 1}, costs);
        std::uint64_t least = UINT64_MAX, most = 0;
        for (std::uint32_t c = 0; c < 8; ++c) {
            least = std::min(least, cost_of(layout, c, costs));
            most = std::max(most, cost_of(layout, c, costs));
            EXPECT_NEAR(layout.size(ChunkId{c}), 2500, 16);
        }
        EXPECT_LE(most - least, 16u * 13 * 256);   // a block of the costliest elements
    }
}

/// "0-64 128-192 | 64-128": the segments of each chunk.
std::string text_of(const ChunkLayout& layout) {
    std::string text;
    for (std::uint32_t c = 0; c < layout.chunks(); ++c) {
        text += c == 0 ? "" : " |";
        for (const Segment s : layout.segments(ChunkId{c}))
            text += " " + std::to_string(s.begin) + "-" + std::to_string(s.end);
    }
    return text;
}

/// Both ends of a link cut by the same code, so that only what is written down shows a change.
TEST(GoldenLayouts, OfEveryKindWithAndWithoutCosts) {
    std::string text;
    for_each_kind(chunk_kinds, [&]<class P>(const Kind<P>& kind) {
        for (const bool costs : {false, true})
            text +=
                std::string(kind.name) + (costs ? " by costs:" : ":") +
                text_of(make_layout(P{}, 3000, {3, 2}, costs ? uneven_costs(3000, 1) : std::vector<std::uint32_t>{})) +
                "\n";
    });
    test::expect_golden("tests/golden/chunk_layouts.txt", text);
}

TEST(SliceSizes, AddUpTheChunksOfEachSlice) {
    const ChunkLayout layout = make_layout(EqualParams{}, 103, {4, 3}, {});
    const auto sizes = slice_sizes(layout, 3);
    ASSERT_EQ(sizes.size(), 3u);
    for (std::uint32_t k = 0; k < 3; ++k) {
        std::uint64_t sum = 0;
        for (std::uint32_t c = 0; c < 4; ++c) sum += layout.size(ChunkId{k * 4 + c});
        EXPECT_EQ(sizes[k], sum);
    }
    EXPECT_EQ(slice_sizes(layout, 1).front(), 103u);
}

}   // namespace
}   // namespace oscar::chunks_test

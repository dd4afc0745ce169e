// What OSCAR-SW sends and what it takes.
#include <gtest/gtest.h>

#include <algorithm>

#include "models/compressor/sketch/bloom_filter.hpp"
#include "models/compressor/sketch/lhc.hpp"
#include "tests/compressor/sketch/oscar_sw_support.hpp"

namespace oscar::oscar_sw_cost_test {
namespace {

using testing::all_modes;
using testing::churned;
using testing::gradients_at;
using testing::params_of;
using testing::Ranks;
using testing::step_of;

constexpr std::uint32_t ranks = 4;
constexpr std::uint64_t elements = 20'000;

std::uint64_t bytes_of(const CompressionResult& step) {
    std::uint64_t bytes = 0;
    for (const WordExchange& exchange : step.exchanges)
        if (exchange.what != "mask" && exchange.what != "members" && exchange.what != "peak") bytes += exchange.padded;
    return bytes;
}

TEST(OscarSw, OfNarrowCellsIsThatOfWideOnesInFewerBytes) {
    for (const auto& [bits, fewer] : {std::pair{5u, 4u}, {6u, 4u}, {7u, 2u}, {14u, 2u}, {15u, 1u}})   // of 4 ranks
        for (const OscarSwMode mode : all_modes) {
            OscarSwParams params = params_of(mode);
            params.bits = bits;
            OscarSw wide(params, ranks, 1);
            params.cells = CodeCells::narrowest;
            OscarSw narrow(params, ranks, 1);
            for (std::uint64_t step = 0; step < 4; ++step) {
                const Ranks gradients =
                    gradients_at(elements, step, ranks, [&](std::uint64_t i) { return churned(i, step, 0.1, 0.1); });
                const CompressionResult expected = step_of(wide, gradients), found = step_of(narrow, gradients);
                EXPECT_EQ(found.mean, expected.mean) << bits << to_text(mode) << step;
                // Each of at most two exchanges of cells ends with a whole word.
                EXPECT_GE(bytes_of(found) * fewer, bytes_of(expected)) << bits << to_text(mode) << step;
                EXPECT_LT(bytes_of(found) * fewer, bytes_of(expected) + 8 * fewer) << bits << to_text(mode) << step;
                EXPECT_EQ(found.operations, expected.operations);
            }
        }
}

/// How much more `later` took than `before`.
ComputeCost more(const ComputeCost& later, const ComputeCost& before) {
    return {.elements = later.elements - before.elements,
            .comparisons = later.comparisons - before.comparisons,
            .hashes = later.hashes - before.hashes,
            .additions = later.additions - before.additions,
            .rounds = later.rounds - before.rounds};
}

TEST(OscarSw, CountsWhatUnexpectedElementsTake) {
    OscarSw compressor(params_of(OscarSwMode::packed_and_sketch), 1, 1);
    Ranks gradients(1, std::vector<float>(1000));
    std::ranges::fill_n(gradients[0].begin(), 100, 1.0f);
    step_of(compressor, gradients);
    const ComputeCost expected = step_of(compressor, gradients).operations;
    std::ranges::fill_n(gradients[0].begin() + 500, 3, 1.0f);
    const CompressionResult step = step_of(compressor, gradients);
    ASSERT_EQ(compressor.last().unexpected, 3u);
    ASSERT_EQ(compressor.last().kept_back, 0u);
    // Three to add, count in and visit once, each in three rows; then out of cells and counts; and into the filter.
    EXPECT_EQ(more(step.operations, expected), (ComputeCost{.elements = 9,
                                                            .comparisons = 9,
                                                            .hashes = 2 * 3 * 9 + 2 * 3,
                                                            .additions = 9 + 9 + 2 * 9 + 3 * bloom_hashes(16),
                                                            .rounds = 1}));
    // Of a scan of 900 probable zeros and their queries, and the four passes of every step.
    EXPECT_EQ(expected.elements, 4u * 1000 + 1000 + 2 * 100 + 900);
    EXPECT_EQ(expected.hashes, 2u * 900);
    EXPECT_EQ(expected.comparisons, 2u * 900);
}

TEST(OscarSw, CountsWhatExpectedElementsTake) {
    OscarSwParams params = params_of(OscarSwMode::sketch_and_keep);
    params.load = 0.01;   // so that each is alone in a cell at once
    OscarSw compressor(params, 1, 1);
    Ranks gradients(1, std::vector<float>(1000));
    std::ranges::fill_n(gradients[0].begin(), 100, 1.0f);
    step_of(compressor, gradients);
    EXPECT_EQ(step_of(compressor, gradients).operations, (ComputeCost{.elements = 4 * 1000 + 1000 + 3 * 100,
                                                                      .comparisons = 3 * 100,
                                                                      .hashes = 2 * 3 * 3 * 100,
                                                                      .additions = 2 * 1000 + 3 * 4 * 100,
                                                                      .rounds = 2}));
}

/// Bytes over those of the dense gradient, without the peak and the exchange of the mask.
double share_of_dense(const CompressionResult& step, std::uint64_t n) {
    double bytes = 0;
    for (const WordExchange& exchange : step.exchanges)
        if (exchange.what != "mask" && exchange.what != "peak") bytes += static_cast<double>(exchange.padded);
    return bytes / (4.0 * static_cast<double>(n));
}

struct Row {
    double density, miss, lhc_or, lhc_nibble, packed, gain;
};
class ByteTable : public ::testing::TestWithParam<Row> {};
INSTANTIATE_TEST_SUITE_P(Densities, ByteTable,
                         ::testing::Values(Row{0.05, 0.08, 0.093, 0.186, 0.056, 1.65},
                                           Row{0.10, 0.08, 0.154, 0.248, 0.112, 1.37},
                                           Row{0.20, 0.08, 0.277, 0.371, 0.225, 1.23},
                                           Row{0.20, 0.17, 0.277, 0.371, 0.252, 1.10}));

/// A third step with 1.23 cells and 10 bits per unexpected non-zero of the second, of which a share `miss` is.
TEST_P(ByteTable, IsMetByTheBytesOfAStep) {
    constexpr std::uint64_t n = 400'000;
    const Row row = GetParam();
    const auto gradients = [&](std::uint64_t step) {
        return gradients_at(n, step, 2, [&](std::uint64_t i) { return churned(i, step, row.density, row.miss); });
    };
    OscarSwParams params = params_of(OscarSwMode::packed_and_sketch);
    params.miss_load = 1 / 1.23;
    params.bloom_bits = 10;
    params.margin = 1;
    params.min_misses = 0;
    OscarSw compressor(params, 2, 1);
    step_of(compressor, gradients(0));
    step_of(compressor, gradients(1));
    const double packed = share_of_dense(step_of(compressor, gradients(2)), n);
    EXPECT_NEAR(packed / row.packed, 1, 0.02);

    params.mode = OscarSwMode::sketch_and_keep;
    params.load = 0.8;
    OscarSw sketching(params, 2, 1);
    step_of(sketching, gradients(0));
    step_of(sketching, gradients(1));
    EXPECT_NEAR(share_of_dense(step_of(sketching, gradients(2)), n) / (row.density / 0.8), 1, 0.02);

    LhcParams lhc;   // with 1.23 cells per non-zero
    lhc.ratio = 1 / (1.23 * row.density);
    lhc.lanes = 64;   // so that whole rows come close to it
    const double with_or = share_of_dense(step_of(*make_compressor(lhc, 2, 1), gradients(2)), n);
    lhc.index = IndexMerge::sum_nibble;
    const double with_nibbles = share_of_dense(step_of(*make_compressor(lhc, 2, 1), gradients(2)), n);
    EXPECT_NEAR(with_or / row.lhc_or, 1, 0.02);
    EXPECT_NEAR(with_nibbles / row.lhc_nibble, 1, 0.02);
    EXPECT_NEAR(with_or / packed / row.gain, 1, 0.02);
}

}   // namespace
}   // namespace oscar::oscar_sw_cost_test

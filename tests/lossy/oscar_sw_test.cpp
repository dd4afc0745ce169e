#include "models/compress/lossy/oscar_sw.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "models/compress/lossy/bloom_filter.hpp"
#include "models/compress/lossy/integer_codes.hpp"
#include "models/compress/lossy/lhc.hpp"
#include "models/core/hash.hpp"
#include "tests/lossy/sketch_support.hpp"

namespace oscar {
namespace {

using testing::norm;
using testing::Ranks;
using testing::step_of;

constexpr std::uint32_t ranks = 4;
constexpr std::uint64_t elements = 20'000;
constexpr OscarSwMode all_modes[] = {OscarSwMode::sketch_and_keep, OscarSwMode::packed_and_sketch,
                                     OscarSwMode::two_sketches};

OscarSwParams params_of(OscarSwMode mode) {
    OscarSwParams params;
    params.mode = mode;
    return params;
}

/// Values of magnitude 0.1 .. 1 wherever `is_member(i)`, so that codes of 8 bits are not zero there; of one step.
template <class Member>
Ranks gradients_at(std::uint64_t n, std::uint64_t step, std::uint32_t rank_count, Member is_member) {
    Ranks gradients(rank_count, std::vector<float>(n));
    for (std::uint32_t rank = 0; rank < rank_count; ++rank)
        for (std::uint64_t i = 0; i < n; ++i) {
            if (!is_member(i)) continue;
            const double u = uniform_at(random_at(step, rank), i);
            gradients[rank][i] =
                static_cast<float>((u < 0.5 ? -1 : 1) * (0.1 + 0.9 * uniform_at(random_at(step, rank) + 1, i)));
        }
    return gradients;
}

/// A share `churn` of the members changes between steps, the others stay.
bool churned(std::uint64_t i, std::uint64_t step, double density, double churn) {
    const bool changes = uniform_at(11, i) < 0.5 || churn == 1;
    const double stay = changes ? 0 : 1;
    const double u = uniform_at(stay > 0 ? 12 : random_at(13, step), i);
    return u < density * (changes ? 2 * churn : 2 * (1 - churn));
}

Ranks persistent(std::uint64_t step) {
    return gradients_at(elements, step, ranks, [](std::uint64_t i) { return uniform_at(5, i) < 0.1; });
}

/// The dense all-reduce of int32 codes with error feedback.
class DenseIntegers {
public:
    explicit DenseIntegers(std::uint32_t bits) : bits_(bits), residuals_(ranks, std::vector<float>(elements)) {}
    std::vector<float> step(const Ranks& gradients) {
        for (std::uint32_t r = 0; r < ranks; ++r)
            for (std::size_t i = 0; i < elements; ++i) residuals_[r][i] += gradients[r][i];
        const std::vector<std::span<const float>> views(residuals_.begin(), residuals_.end());
        const double unit = shared_code_step(views, bits_);
        std::vector<std::int32_t> sum(elements);
        for (auto& values : residuals_) {
            const auto codes = codes_of(values, unit, bits_);
            for (std::size_t i = 0; i < elements; ++i) {
                sum[i] += codes[i];
                values[i] -= value_of(codes[i], unit);
            }
        }
        std::vector<float> mean(elements);
        for (std::size_t i = 0; i < elements; ++i) mean[i] = value_of(sum[i], unit) / ranks;
        return mean;
    }

private:
    std::uint32_t bits_;
    Ranks residuals_;
};

TEST(OscarSw, OfAStaticSupportIsTheDenseSumOfIntegersToTheBit) {
    for (const OscarSwMode mode : all_modes) {
        OscarSw compressor(params_of(mode), ranks, 1);
        DenseIntegers dense(8);
        for (std::uint64_t step = 0; step < 5; ++step) {
            const Ranks gradients = persistent(step);
            EXPECT_EQ(step_of(compressor, gradients).mean, dense.step(gradients)) << to_text(mode) << step;
            EXPECT_EQ(compressor.last().estimated, 0u);
            EXPECT_EQ(compressor.last().kept_back, 0u);
        }
    }
}

std::uint64_t bytes_of(const LossyStep& step) {
    std::uint64_t bytes = 0;
    for (const Exchange& exchange : step.exchanges)
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
                const LossyStep expected = step_of(wide, gradients), found = step_of(narrow, gradients);
                EXPECT_EQ(found.mean, expected.mean) << bits << to_text(mode) << step;
                EXPECT_EQ(bytes_of(found) * fewer, bytes_of(expected)) << bits << to_text(mode) << step;
                EXPECT_EQ(found.operations, expected.operations);
            }
        }
}

TEST(OscarSw, OfAPercentileKeepsWhatIsLarger) {
    OscarSwParams params = params_of(OscarSwMode::packed_and_sketch);
    params.percentile = 75;
    OscarSw compressor(params, 1, 1), of_peak(params_of(OscarSwMode::packed_and_sketch), 1, 1);
    const Ranks gradients{{0, 0, 0, 0, 1, -2, 4, -30, 0}};
    const LossyStep step = step_of(compressor, gradients);
    EXPECT_NEAR(step.mean[6], 4, 1e-6);
    EXPECT_NEAR(step.mean[7], -4, 1e-6);
    EXPECT_NEAR(compressor.residual(0)[7], -26, 1e-5);
    EXPECT_EQ(step.operations.comparisons, step_of(of_peak, gradients).operations.comparisons + 3 * 9);
}

/// How much more `later` took than `before`.
Operations more(const Operations& later, const Operations& before) {
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
    const Operations expected = step_of(compressor, gradients).operations;
    std::ranges::fill_n(gradients[0].begin() + 500, 3, 1.0f);
    const LossyStep step = step_of(compressor, gradients);
    ASSERT_EQ(compressor.last().unexpected, 3u);
    ASSERT_EQ(compressor.last().kept_back, 0u);
    // Three to add, count in and visit once, each in three rows; then out of cells and counts; and into the filter.
    EXPECT_EQ(more(step.operations, expected), (Operations{.elements = 9,
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
    EXPECT_EQ(step_of(compressor, gradients).operations, (Operations{.elements = 4 * 1000 + 1000 + 3 * 100,
                                                                     .comparisons = 3 * 100,
                                                                     .hashes = 2 * 3 * 3 * 100,
                                                                     .additions = 2 * 1000 + 3 * 4 * 100,
                                                                     .rounds = 2}));
}

TEST(OscarSw, IsLosslessForUnexpectedElementsWhereTheyAreSketched) {
    const auto support = [](std::uint64_t step) {
        return gradients_at(elements, step, ranks, [&](std::uint64_t i) { return churned(i, step, 0.1, 0.1); });
    };
    for (const OscarSwMode mode : {OscarSwMode::packed_and_sketch, OscarSwMode::two_sketches}) {
        OscarSwParams params = params_of(mode);
        params.min_misses = 300;
        OscarSw compressor(params, ranks, 1);
        DenseIntegers dense(8);
        for (std::uint64_t step = 0; step < 6; ++step) {
            EXPECT_EQ(step_of(compressor, support(step)).mean, dense.step(support(step))) << to_text(mode) << step;
            if (step > 0) {
                EXPECT_GT(compressor.last().unexpected, 100u);
            }
        }
    }
}

TEST(OscarSw, GivesEveryRankTheSameMaskWhateverItsPlace) {
    for (const OscarSwMode mode : all_modes) {
        OscarSw forward(params_of(mode), ranks, 1), backward(params_of(mode), ranks, 1);
        for (std::uint64_t step = 0; step < 100; ++step) {
            Ranks gradients =
                gradients_at(2000, step, ranks, [&](std::uint64_t i) { return churned(i, step, 0.1, 0.2); });
            const std::vector<float> mean = step_of(forward, gradients).mean;
            std::ranges::reverse(gradients);
            ASSERT_EQ(step_of(backward, gradients).mean, mean) << to_text(mode) << step;
        }
        EXPECT_EQ(fnv1a(std::as_bytes(std::span(forward.mask()))), fnv1a(std::as_bytes(std::span(backward.mask()))));
    }
}

TEST(OscarSw, AccountsForAllGradientsByWhatWasSentAndTheResidual) {
    for (const OscarSwMode mode : all_modes)
        for (const double churn : {0.1, 1.0}) {
            OscarSw compressor(params_of(mode), ranks, 1);
            std::vector<double> unsent(elements);   // of rank 1
            for (std::uint64_t step = 0; step < 20; ++step) {
                const Ranks gradients =
                    gradients_at(elements, step, ranks, [&](std::uint64_t i) { return churned(i, step, 0.1, churn); });
                const LossyStep result = step_of(compressor, gradients);
                for (std::size_t i = 0; i < elements; ++i)
                    unsent[i] += static_cast<double>(gradients[1][i]) - static_cast<double>(result.sent[1][i]);
            }
            for (std::size_t i = 0; i < elements; ++i)
                ASSERT_NEAR(unsent[i], static_cast<double>(compressor.residual(1)[i]), 2e-5) << to_text(mode) << i;
        }
}

TEST(OscarSw, OfASupportThatMovesEveryStepFallsBackAndStaysBounded) {
    for (const OscarSwMode mode : all_modes) {
        OscarSw compressor(params_of(mode), ranks, 1);
        double largest = 0;
        int refreshed = 0;
        for (std::uint64_t step = 0; step < 60; ++step) {
            const Ranks gradients =
                gradients_at(elements, step, ranks, [&](std::uint64_t i) { return i % 20 == step % 20; });
            step_of(compressor, gradients);
            refreshed += compressor.last().refreshed;
            largest = std::max(largest, norm(compressor.residual(0)));
            if (step >= 2) {
                EXPECT_TRUE(compressor.last().refreshed) << to_text(mode) << step;
            }
        }
        EXPECT_GE(refreshed, 59);
        // One step's gradient may wait: 1000 values of at most 1; and the rounding of the others.
        EXPECT_LT(largest, std::sqrt(1000.0) + 1) << to_text(mode);
    }
}

TEST(OscarSw, KeepsBackWhatTheSketchOfUnexpectedElementsCannotHold) {
    for (const OscarSwMode mode : {OscarSwMode::packed_and_sketch, OscarSwMode::two_sketches}) {
        OscarSw compressor(params_of(mode), ranks, 1);   // with room for 64 / 0.7 of them
        step_of(compressor, persistent(0));
        const auto either = [](std::uint64_t i) { return uniform_at(5, i) < 0.1 || i % 100 == 0; };
        const Ranks gradients = gradients_at(elements, 1, ranks, either);   // about 180 more
        DenseIntegers dense(8);
        dense.step(persistent(0));
        const std::vector<float> expected = dense.step(gradients), mean = step_of(compressor, gradients).mean;
        std::uint64_t kept_back = 0;
        for (std::size_t i = 0; i < elements; ++i)
            if (mean[i] != expected[i]) {
                EXPECT_EQ(mean[i], 0) << i;   // all or nothing
                ++kept_back;
            }
        EXPECT_GT(kept_back, 50u);
        EXPECT_LE(kept_back, compressor.last().kept_back);   // sums of zero are not seen here
    }
}

TEST(OscarSw, DeliversAnElementThatWakesUpWithinTwoSteps) {
    for (const OscarSwMode mode : all_modes) {
        OscarSwParams params = params_of(mode);
        params.min_misses = 0;   // no room for unexpected ones, so that all modes must wait for the mask
        OscarSw compressor(params, ranks, 1);
        double delivered = 0;
        for (std::uint64_t step = 0; step < 12; ++step) {
            Ranks gradients = persistent(step);
            for (auto& gradient : gradients) gradient[77] = step == 10 ? 1.0f : 0.0f;
            const LossyStep result = step_of(compressor, gradients);
            if (step < 10) {
                EXPECT_EQ(result.mean[77], 0) << step;
            }
            delivered += static_cast<double>(result.mean[77]);
        }
        EXPECT_NEAR(delivered, 1, 0.005) << to_text(mode);
    }
}

TEST(OscarSw, SendsMessagesOfOneLengthFromAllRanks) {
    for (const OscarSwMode mode : all_modes) {
        OscarSw compressor(params_of(mode), ranks, 1);
        for (std::uint64_t step = 0; step < 5; ++step) {
            Ranks gradients =
                gradients_at(elements, step, ranks, [&](std::uint64_t i) { return churned(i, step, 0.1, 0.1); });
            gradients[2].assign(elements, 0);   // even of a rank that has nothing
            for (const Exchange& exchange : step_of(compressor, gradients).exchanges) {
                EXPECT_EQ(exchange.carrier, Carrier::all_reduce);
                EXPECT_EQ(exchange.payload, std::vector<std::uint64_t>(ranks, exchange.padded));
            }
        }
    }
}

const Exchange* find(const LossyStep& step, std::string_view what) {
    const auto found = std::ranges::find(step.exchanges, what, &Exchange::what);
    return found == step.exchanges.end() ? nullptr : &*found;
}

TEST(OscarSw, WaitsForTheMaskOnlyWhereItRefreshes) {
    OscarSw compressor(params_of(OscarSwMode::packed_and_sketch), ranks, 1);
    const LossyStep first = step_of(compressor, persistent(0)), second = step_of(compressor, persistent(1));
    ASSERT_TRUE(find(first, "mask") && find(first, "values") && find(second, "mask") && find(second, "values"));
    EXPECT_FALSE(find(first, "mask")->overlapped);
    EXPECT_EQ(find(first, "values")->after, std::vector<std::uint32_t>{1});   // 0 is the peak, 1 the mask
    EXPECT_TRUE(find(second, "mask")->overlapped);
    EXPECT_EQ(find(second, "mask")->padded, elements / 8);
    EXPECT_EQ(find(second, "values")->after, std::vector<std::uint32_t>{0});
}

TEST(OscarSw, OfTheLastPeakWaitsForNoneAndKeepsWhatSaturates) {
    OscarSwParams params = params_of(OscarSwMode::packed_and_sketch);
    params.peak = PeakOf::last_step;
    OscarSw compressor(params, 1, 1);
    Ranks gradients(1, std::vector<float>(100));
    const auto mean_of_step = [&](float value) {
        gradients[0][5] = value;
        return step_of(compressor, gradients).mean[5];
    };
    EXPECT_EQ(mean_of_step(1), 1);   // the first peak is its own
    EXPECT_EQ(mean_of_step(3), 1);   // 3 saturates at the last peak; 2 stay
    EXPECT_EQ(compressor.residual(0)[5], 2);
    EXPECT_NEAR(mean_of_step(0), 2, 0.02);   // in codes of 3 / 127
    gradients[0][5] = 0;
    const LossyStep step = step_of(compressor, gradients);
    EXPECT_TRUE(find(step, "peak")->overlapped);
    EXPECT_TRUE(find(step, "mask")->after.empty());
}

TEST(OscarSw, RefreshesWhenItIsDue) {
    OscarSwParams params = params_of(OscarSwMode::sketch_and_keep);
    params.refresh = 3;
    OscarSw compressor(params, ranks, 1);
    for (std::uint64_t step = 0; step < 10; ++step) {
        step_of(compressor, persistent(step));
        EXPECT_EQ(compressor.last().refreshed, step % 3 == 0);
    }
}

/// Bytes over those of the dense gradient, without the peak and the exchange of the mask.
double share_of_dense(const LossyStep& step, std::uint64_t n) {
    double bytes = 0;
    for (const Exchange& exchange : step.exchanges)
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

TEST(OscarSw, OfALossyLoadEstimatesWhatItCannotPeelAndNeverSendsItAgain) {
    OscarSwParams params = params_of(OscarSwMode::sketch_and_keep);
    params.load = 3;
    OscarSw compressor(params, ranks, 1);
    step_of(compressor, persistent(0));
    EXPECT_GT(compressor.last().estimated, compressor.last().expected / 2);
    for (std::size_t i = 0; i < elements; ++i)   // rounding only: the noise of the sketch is not fed back
        ASSERT_LT(std::fabs(compressor.residual(0)[i]), 0.5f / 127);
}

TEST(OscarSw, MakesZeroOfZeroAndForgetsWhenReset) {
    OscarSw compressor(params_of(OscarSwMode::two_sketches), ranks, 1);
    const Ranks zeros(ranks, std::vector<float>(elements));
    for (int step = 0; step < 3; ++step) EXPECT_EQ(step_of(compressor, zeros).mean, zeros[0]);
    step_of(compressor, persistent(1));
    compressor.reset();
    EXPECT_TRUE(compressor.mask().empty());
    step_of(compressor, zeros);
    EXPECT_TRUE(compressor.last().refreshed);
    EXPECT_THROW(step_of(compressor, Ranks(ranks, std::vector<float>(elements + 1))), std::invalid_argument);
}

}   // namespace
}   // namespace oscar

#include "models/compressor/sketch/oscar_sw.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "models/compressor/base/integer_codes.hpp"
#include "models/core/hash.hpp"
#include "tests/compressor/sketch/oscar_sw_support.hpp"

namespace oscar::oscar_sw_test {
namespace {

using testing::all_modes;
using testing::churned;
using testing::gradients_at;
using testing::norm;
using testing::params_of;
using testing::Ranks;
using testing::step_of;

constexpr std::uint32_t ranks = 4;
constexpr std::uint64_t elements = 20'000;

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

TEST(OscarSw, OfAPercentileKeepsWhatIsLarger) {
    OscarSwParams params = params_of(OscarSwMode::packed_and_sketch);
    params.percentile = 75;
    OscarSw compressor(params, 1, 1), of_peak(params_of(OscarSwMode::packed_and_sketch), 1, 1);
    const Ranks gradients{{0, 0, 0, 0, 1, -2, 4, -30, 0}};
    const CompressionResult step = step_of(compressor, gradients);
    EXPECT_NEAR(step.mean[6], 4, 1e-6);
    EXPECT_NEAR(step.mean[7], -4, 1e-6);
    EXPECT_NEAR(compressor.residual(0)[7], -26, 1e-5);
    EXPECT_EQ(step.operations.comparisons, step_of(of_peak, gradients).operations.comparisons + 3 * 9);
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
                const CompressionResult result = step_of(compressor, gradients);
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
            const CompressionResult result = step_of(compressor, gradients);
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
            for (const WordExchange& exchange : step_of(compressor, gradients).exchanges) {
                EXPECT_EQ(exchange.carrier, CollectiveKind::all_reduce);
                EXPECT_EQ(exchange.payload, std::vector<std::uint64_t>(ranks, exchange.padded));
            }
        }
    }
}

const WordExchange* find(const CompressionResult& step, std::string_view what) {
    const auto found = std::ranges::find(step.exchanges, what, &WordExchange::what);
    return found == step.exchanges.end() ? nullptr : &*found;
}

TEST(OscarSw, WaitsForTheMaskOnlyWhereItRefreshes) {
    OscarSw compressor(params_of(OscarSwMode::packed_and_sketch), ranks, 1);
    const CompressionResult first = step_of(compressor, persistent(0)), second = step_of(compressor, persistent(1));
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
    const CompressionResult step = step_of(compressor, gradients);
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
}   // namespace oscar::oscar_sw_test

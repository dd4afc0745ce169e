#include "sim/generator/lines.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "sim/generator/arithmetic.hpp"
#include "sim/generator/curve.hpp"

namespace oscar {
namespace {

struct LineUse {
    enum : std::uint64_t { phases, strength_shuffle, silence_shuffle, strengths, silences, own };
};

/// 0 .. count-1 in random order (Fisher, Yates).
std::vector<std::uint32_t> shuffled(Stream stream, std::uint64_t count) {
    std::vector<std::uint32_t> order(count);
    for (std::uint32_t i = 0; i < count; ++i) order[i] = i;
    for (std::uint64_t i = count; i > 1; --i)
        std::swap(order[i - 1], order[static_cast<std::size_t>(stream.uniform(i) * static_cast<double>(i))]);
    return order;
}

}   // namespace

std::uint64_t epoch_of(Stream stream, double churn, std::uint64_t iteration, std::uint64_t i) {
    if (churn == 0) return 0;
    return static_cast<std::uint64_t>(churn * static_cast<double>(iteration) + stream.uniform(i));
}

RowsOrColumns::RowsOrColumns(RowOrColumnParams params, Stream stream, std::uint64_t count)
    : params_(std::move(params)),
      stream_(stream),
      strength_order_(shuffled(stream.of(LineUse::strength_shuffle), count)),
      silence_order_(shuffled(stream.of(LineUse::silence_shuffle), count)) {}

double RowsOrColumns::share(Stream stream, const std::vector<std::uint32_t>& order, std::uint64_t epoch,
                            std::uint64_t i) const {
    if (epoch == 0) return (order[i] + 0.5) / static_cast<double>(order.size());
    return std::max(stream.of(epoch).uniform(i), 0x1p-54);
}

std::vector<float> RowsOrColumns::draw(std::uint64_t iteration, std::uint32_t rank) const {
    const NormalTable& normal = normal_table();
    const Stream random = stream_.of(LineUse::own).of(iteration).of(rank);
    const double threshold = params_.silent > 0 && params_.silent < 1 ? normal_quantile(params_.silent) : 0;
    const double shared = std::sqrt(params_.agreement), alone = std::sqrt(1 - params_.agreement);
    std::vector<float> result(strength_order_.size());
    for (std::uint64_t i = 0; i < result.size(); ++i) {
        const std::uint64_t epoch = epoch_of(stream_.of(LineUse::phases), params_.churn, iteration, i),
                            bits = random.bits(i);
        const double both = strength(params_.sigma, params_.strengths,
                                     share(stream_.of(LineUse::strengths), strength_order_, epoch, i)),
                     one = static_cast<double>(normal(static_cast<std::uint32_t>(bits)));
        result[i] = static_cast<float>(both + params_.spread * std::numbers::log2e * one);
        if (params_.silent == 0) continue;
        const double loudness =
            shared * normal_quantile(share(stream_.of(LineUse::silences), silence_order_, epoch, i)) +
            alone * static_cast<double>(normal(static_cast<std::uint32_t>(bits >> 32)));
        if (params_.silent == 1 || loudness < threshold) result[i] = -std::numeric_limits<float>::infinity();
    }
    return result;
}

}   // namespace oscar

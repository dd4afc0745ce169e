#include "models/compressor/quantised/thc.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "models/compressor/base/input.hpp"
#include "models/compressor/base/norms.hpp"
#include "models/compressor/base/quantised_wire.hpp"
#include "models/compressor/base/stochastic_rounding.hpp"
#include "models/compressor/quantised/hadamard.hpp"
#include "models/compressor/quantised/thc_rounding.hpp"

namespace oscar {
namespace {

std::uint64_t block_of(const TensorShape& tensor, std::uint64_t block) {
    return std::min(block, std::bit_ceil(tensor.end - tensor.begin));
}
std::uint64_t padded_size(const TensorShape& tensor, std::uint64_t block) {
    const std::uint64_t own = block_of(tensor, block);
    return (tensor.end - tensor.begin + own - 1) / own * own;
}

class Thc final : public Compressor {
public:
    Thc(const ThcParams& params, std::uint32_t ranks, std::uint64_t seed)
        : params_(params),
          ranks_(ranks),
          seed_(seed),
          table_(make_thc_table(params.bits, params.granularity, params.overflow)),
          round_(table_) {}

    CompressionResult step(Gradients gradients, std::span<const TensorShape> tensors) override {
        check_input(gradients, tensors, ranks_);
        CompressionResult result;
        result.mean.resize(gradients[0].size());
        result.sent.assign(ranks_, std::vector<float>(gradients[0].size()));
        std::uint64_t padded = 0;
        for (std::size_t t = 0; t < tensors.size(); ++t) {
            step_tensor(gradients, tensors[t], t, result);
            padded += padded_size(tensors[t], params_.block);
        }
        result.exchanges = exchanges(padded, tensors.size());
        result.operations = operations(padded);
        ++step_;
        return result;
    }
    void reset() override { step_ = 0; }

private:
    void step_tensor(Gradients gradients, const TensorShape& place, std::size_t t, CompressionResult& result) const {
        const std::uint64_t size = place.end - place.begin, padded = padded_size(place, params_.block);
        float norm = 0;
        for (const auto gradient : gradients)
            norm = std::max(norm, static_cast<float>(l2_norm(gradient.subspan(place.begin, size))));
        if (!std::isfinite(norm)) throw std::invalid_argument("the norm of a tensor is beyond fp32");
        if (norm == 0) return;
        const double deviation = static_cast<double>(norm) / std::sqrt(static_cast<double>(padded));
        const double reach = table_.threshold * deviation;
        std::vector<std::int32_t> sum(padded);
        for (std::size_t r = 0; r < ranks_; ++r) {
            const auto integers = integers_of(gradients[r].subspan(place.begin, size), place, norm, t, r);
            decode(integers, reach, 1, place, t, result.sent[r]);
            std::ranges::transform(sum, integers, sum.begin(), std::plus{});
        }
        decode(sum, reach, ranks_, place, t, result.mean);
    }

    std::uint64_t rotation_key(std::size_t t) const { return random_key(seed_, step_, shared_draw, t); }

    /// What the table says of each level of the rank's padded tensor.
    std::vector<std::int32_t> integers_of(std::span<const float> values, const TensorShape& place, float norm,
                                          std::size_t t, std::size_t r) const {
        std::vector<float> rotated(values.begin(), values.end());
        rotated.resize(padded_size(place, params_.block));
        rotate(rotated, block_of(place, params_.block), rotation_key(t));
        const double per_norm = std::sqrt(static_cast<double>(rotated.size())) / table_.threshold;
        const LevelScale scale = level_scale(static_cast<float>(per_norm), norm);
        std::vector<std::uint8_t> levels(rotated.size());
        round_(rotated, scale.shift, scale.factor, random_key(seed_, step_, r, t), levels);
        std::vector<std::int32_t> integers(levels.size());
        std::ranges::transform(levels, integers.begin(),
                               [&](std::uint8_t level) { return static_cast<std::int32_t>(table_.values[level]); });
        return integers;
    }

    /// Writes the mean that the sum of `count` ranks' integers stands for in the tensor's place of `out`.
    void decode(const std::vector<std::int32_t>& sum, double reach, std::uint32_t count, const TensorShape& place,
                std::size_t t, std::vector<float>& out) const {
        std::vector<float> values(sum.size());
        const double unit = 2 / (static_cast<double>(params_.granularity) * count);
        for (std::size_t i = 0; i < sum.size(); ++i) values[i] = static_cast<float>((unit * sum[i] - 1) * reach);
        rotate_back(values, block_of(place, params_.block), rotation_key(t));
        std::copy_n(values.begin(), place.end - place.begin, out.begin() + static_cast<std::ptrdiff_t>(place.begin));
    }

    std::vector<Exchange> exchanges(std::uint64_t padded, std::uint64_t tensors) const {
        const std::uint64_t sum_bits = std::bit_width(std::uint64_t{ranks_} * params_.granularity);
        const Exchange norms =
            equal_exchange("norms", CollectiveKind::all_reduce, sizeof(float) * tensors, tensors, ranks_);
        if (params_.carrier == ThcCarrier::ring)
            return {norms, equal_exchange("sums", CollectiveKind::all_reduce, packed_bytes(padded, sum_bits), padded,
                                          ranks_, {0})};
        const std::uint64_t share = (padded + ranks_ - 1) / ranks_;
        return {
            norms,
            equal_exchange("levels", CollectiveKind::reduce, packed_bytes(padded, params_.bits), padded, ranks_, {0}),
            equal_exchange("sums", CollectiveKind::all_gather, packed_bytes(share, sum_bits), share, ranks_, {1})};
    }

    ComputeCost operations(std::uint64_t padded) const {
        const std::uint64_t stages = std::bit_width(params_.block) - 1;
        ComputeCost result;
        result.elements = 5 * padded;             // norm, signs and transform, levels, look-up, transform back
        result.additions = 2 * stages * padded;   // butterflies, forward and back
        result.multiplications = 4 * padded;
        result.draws = padded;
        return result;
    }

    ThcParams params_;
    std::uint32_t ranks_;
    std::uint64_t seed_, step_ = 0;
    ThcTable table_;
    ThcRounding round_;
};

}   // namespace

std::unique_ptr<Compressor> make_compressor(const ThcParams& params, std::uint32_t ranks, std::uint64_t seed) {
    if (!std::has_single_bit(params.block)) throw std::invalid_argument("block must be a power of two, as 1024");
    if (params.granularity > 1023) throw std::invalid_argument("granularity must be at most 1023");
    return std::make_unique<Thc>(params, ranks, seed);
}

}   // namespace oscar

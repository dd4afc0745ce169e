#include "models/compressor/quantised/thc.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "models/compressor/base/carrier.hpp"
#include "models/compressor/base/input.hpp"
#include "models/compressor/base/norms.hpp"
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

    CompressionResult step(Gradients gradients, std::span<const TensorShape> tensors, Carrier& carrier) override {
        check_input(gradients, tensors, ranks_);
        CompressionResult result;
        StepExchanges traffic(carrier, result);
        const std::vector<float> norms = agreed_norms(gradients, tensors, traffic);
        std::uint64_t padded = 0;
        for (const TensorShape& tensor : tensors) padded += padded_size(tensor, params_.block);
        result.sent.assign(ranks_, std::vector<float>(gradients[0].size()));
        result.mean.resize(gradients[0].size());
        RankWords levels{.of_ranks = std::vector<std::vector<Symbol>>(ranks_)};   // of all tensors, one after the other
        levels.represented = ranks_ * gradients[0].size();
        for (std::size_t r = 0; r < ranks_; ++r)
            for (std::size_t t = 0; t < tensors.size(); ++t) {
                const auto values = gradients[r].subspan(tensors[t].begin, tensors[t].end - tensors[t].begin);
                const auto own = levels_of(values, tensors[t], norms[t], t, r);
                levels.of_ranks[r].insert(levels.of_ranks[r].end(), own.begin(), own.end());
            }
        for (std::size_t r = 0; r < ranks_; ++r)
            decode_all(integers_of(levels.of_ranks[r]), norms, 1, tensors, result.sent[r]);
        decode_all(summed(levels, padded, traffic), norms, ranks_, tensors, result.mean);
        result.operations = operations(padded);
        ++step_;
        return result;
    }
    void reset() override { step_ = 0; }

private:
    /// The largest norm of all ranks, tensor by tensor.
    std::vector<float> agreed_norms(Gradients gradients, std::span<const TensorShape> tensors,
                                    StepExchanges& traffic) const {
        RankWords words{.type = ElementType::magnitude};
        for (const auto gradient : gradients) {
            std::vector<float> norms;
            for (const TensorShape& tensor : tensors)
                norms.push_back(static_cast<float>(l2_norm(gradient.subspan(tensor.begin, tensor.end - tensor.begin))));
            if (!std::ranges::all_of(norms, [](float norm) { return std::isfinite(norm); }))
                throw std::invalid_argument("the norm of a tensor is beyond fp32");
            words.of_ranks.push_back(words_of_floats(norms));
        }
        return floats_of_words(traffic.carry({.what = "norms", .floats = tensors.size()}, words));
    }

    /// The sums of the integers that the ranks' levels stand for. A ring carries the integers, less half of the
    /// largest so that they need no wider words; to a switch go the levels, and what it adds comes back in shares.
    std::vector<std::int32_t> summed(const RankWords& levels, std::uint64_t padded, StepExchanges& traffic) const {
        const auto half = static_cast<Symbol>(params_.granularity / 2);
        RankWords integers{
            ElementType::integer, static_cast<std::uint32_t>(signed_bits((params_.granularity + 1) / 2)), {}};
        integers.represented = levels.represented / ranks_;
        for (const auto& of_rank : levels.of_ranks) {
            auto& own = integers.of_ranks.emplace_back(integers_of(of_rank));
            for (Symbol& integer : own) integer -= half;
        }
        std::vector<Symbol> sum;
        if (params_.carrier == ThcCarrier::ring) {
            sum = traffic.carry({.what = "sums", .floats = padded, .after = {0}}, integers);
        } else {
            sum = RankOrderCarrier().carry({}, integers);
            carry_over_switch(levels, sum, traffic);
        }
        for (Symbol& value : sum) value += half * static_cast<Symbol>(ranks_);
        return sum;
    }

    void carry_over_switch(const RankWords& levels, std::span<const Symbol> sum, StepExchanges& traffic) const {
        const std::uint64_t padded = sum.size(), share = (padded + ranks_ - 1) / ranks_;
        RankWords up;
        up.represented = levels.represented;
        for (const auto& of_rank : levels.of_ranks)
            up.of_ranks.push_back(
                packed_fields(std::vector<std::uint32_t>(of_rank.begin(), of_rank.end()), params_.bits));
        traffic.carry({.what = "levels", .carrier = CollectiveKind::all_to_all, .floats = padded, .after = {0}}, up);
        const auto bits = static_cast<std::uint32_t>(std::bit_width(std::uint64_t{ranks_} * params_.granularity));
        const auto offset = static_cast<Symbol>(params_.granularity / 2 * ranks_);
        RankWords down;
        down.represented = levels.represented / ranks_;
        for (std::size_t r = 0; r < ranks_; ++r) {
            std::vector<std::uint32_t> fields(share);
            for (std::size_t i = 0; i < share && r * share + i < padded; ++i)
                fields[i] = static_cast<std::uint32_t>(sum[r * share + i] + offset);
            down.of_ranks.push_back(packed_fields(fields, bits));
        }
        traffic.carry({.what = "sums", .carrier = CollectiveKind::all_gather, .floats = share, .after = {1}}, down);
    }

    std::uint64_t rotation_key(std::size_t t) const { return random_key(seed_, step_, shared_draw, t); }

    /// The level of each value of the rank's padded tensor; zeros for a norm of 0.
    std::vector<std::uint8_t> levels_of(std::span<const float> values, const TensorShape& place, float norm,
                                        std::size_t t, std::size_t r) const {
        std::vector<float> rotated(values.begin(), values.end());
        rotated.resize(padded_size(place, params_.block));
        std::vector<std::uint8_t> levels(rotated.size());
        if (norm == 0) return levels;
        rotate(rotated, block_of(place, params_.block), rotation_key(t));
        const double per_norm = std::sqrt(static_cast<double>(rotated.size())) / table_.threshold;
        const LevelScale scale = level_scale(static_cast<float>(per_norm), norm);
        round_(rotated, scale.shift, scale.factor, random_key(seed_, step_, r, t), levels);
        return levels;
    }

    /// What the table says of each level.
    std::vector<std::int32_t> integers_of(std::span<const Symbol> levels) const {
        std::vector<std::int32_t> integers(levels.size());
        std::ranges::transform(levels, integers.begin(), [&](Symbol level) {
            return static_cast<std::int32_t>(table_.values[static_cast<std::size_t>(level)]);
        });
        return integers;
    }

    /// Writes to `out` what the sums of `count` ranks' integers, of all tensors, stand for.
    void decode_all(std::span<const std::int32_t> sums, std::span<const float> norms, std::uint32_t count,
                    std::span<const TensorShape> tensors, std::vector<float>& out) const {
        for (std::size_t t = 0; t < tensors.size(); ++t) {
            const std::uint64_t padded = padded_size(tensors[t], params_.block);
            if (norms[t] > 0) {
                const double deviation = static_cast<double>(norms[t]) / std::sqrt(static_cast<double>(padded));
                decode(sums.first(padded), table_.threshold * deviation, count, tensors[t], t, out);
            }
            sums = sums.subspan(padded);
        }
    }

    /// Writes the mean that the sum of `count` ranks' integers stands for in the tensor's place of `out`.
    void decode(std::span<const std::int32_t> sum, double reach, std::uint32_t count, const TensorShape& place,
                std::size_t t, std::vector<float>& out) const {
        std::vector<float> values(sum.size());
        const double unit = 2 / (static_cast<double>(params_.granularity) * count);
        for (std::size_t i = 0; i < sum.size(); ++i) values[i] = static_cast<float>((unit * sum[i] - 1) * reach);
        rotate_back(values, block_of(place, params_.block), rotation_key(t));
        std::copy_n(values.begin(), place.end - place.begin, out.begin() + static_cast<std::ptrdiff_t>(place.begin));
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

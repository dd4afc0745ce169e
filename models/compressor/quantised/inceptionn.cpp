#include "models/compressor/quantised/inceptionn.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "models/compressor/base/input.hpp"
#include "models/compressor/base/quantised_wire.hpp"
#include "models/core/wide_loops.hpp"

namespace oscar {
namespace {

/// The classes by size: from 1 on 32 bits; from byte_below on 16, from dropped_below on 8.
struct Classes {
    float dropped_below, byte_below;
    float byte_scale, half_scale;   ///< 2 to the binary places
    float byte_zero;                ///< what a byte of magnitude zero is decoded as
};

Classes classes_of(const InceptionnParams& params) {
    const int bound = static_cast<int>(params.bound);
    const float dropped_below = std::ldexp(1.0f, -bound);
    if (params.form == TagForm::grace)
        return {dropped_below, std::ldexp(1.0f, (bound + 1) / 2 - bound), 64, 16'384, 0x1p-7f};
    const int places = std::max(bound, 7);
    return {dropped_below, std::ldexp(1.0f, 7 - places), std::ldexp(1.0f, places), 32'768, 0};
}

class Inceptionn final : public Compressor {
public:
    Inceptionn(const InceptionnParams& params, std::uint32_t ranks) : params_(params), ranks_(ranks) {}

    CompressionResult step(Gradients gradients, std::span<const TensorShape> tensors) override {
        check_input(gradients, tensors, ranks_);
        const std::uint64_t elements = gradients[0].size();
        CompressionResult result;
        result.mean.resize(elements);
        for (const auto gradient : gradients) cut(gradient, params_, result.sent.emplace_back(elements));
        std::vector<std::uint64_t> reduced(ranks_), gathered(ranks_);
        for (std::uint64_t c = 0; c < ranks_; ++c) {
            const std::uint64_t begin = elements * c / ranks_, end = elements * (c + 1) / ranks_;
            pass_round(gradients, c, begin, std::span(result.mean).subspan(begin, end - begin), reduced, gathered);
        }
        for (float& value : result.mean) value /= static_cast<float>(ranks_);
        result.exchanges = exchanges(elements, std::move(reduced), std::move(gathered));
        result.operations.elements = 4 * elements;
        result.operations.additions = elements;
        result.operations.comparisons = 6 * elements;
        return result;
    }
    bool takes_error_feedback() const override { return false; }
    void reset() override {}

private:
    /// Chunk c goes from rank c to the one before it, then its sum goes round. Counts what each rank sends.
    void pass_round(Gradients gradients, std::uint64_t c, std::uint64_t begin, std::span<float> sum,
                    std::vector<std::uint64_t>& reduced, std::vector<std::uint64_t>& gathered) const {
        std::ranges::copy(gradients[c].subspan(begin, sum.size()), sum.begin());
        for (std::uint64_t hop = 1; hop < ranks_; ++hop) {
            reduced[(c + hop - 1) % ranks_] += packed_bytes(cut(sum, params_, sum), 1);
            std::ranges::transform(sum, gradients[(c + hop) % ranks_].subspan(begin, sum.size()), sum.begin(),
                                   std::plus{});
        }
        gathered[(c + ranks_ - 1) % ranks_] = packed_bytes(cut(sum, params_, sum), 1);
    }

    /// A reduce-scatter of B bytes sends (N - 1) / N of them, so that is what a payload is to what its rank sends.
    std::vector<Exchange> exchanges(std::uint64_t elements, std::vector<std::uint64_t> reduced,
                                    std::vector<std::uint64_t> gathered) const {
        for (std::uint64_t& bytes : reduced)
            if (ranks_ > 1) bytes = (bytes * ranks_ + ranks_ - 2) / (ranks_ - 1);
        const std::uint64_t longest = *std::ranges::max_element(reduced), most = *std::ranges::max_element(gathered);
        return {{"tagged gradient", CollectiveKind::reduce_scatter, std::move(reduced), longest, elements, {}},
                {"tagged sums",
                 CollectiveKind::all_gather,
                 std::move(gathered),
                 most,
                 (elements + ranks_ - 1) / ranks_,
                 {0}}};
    }

    InceptionnParams params_;
    std::uint32_t ranks_;
};

}   // namespace

std::uint64_t cut(std::span<const float> values, const InceptionnParams& params, std::span<float> out) {
    const Classes classes = classes_of(params);
    std::uint64_t bits = 0;
    in_wide_loops([&]() OSCAR_INLINE {
        constexpr std::size_t batch_values = 1 << 16;   // whose bits fit 32 bits
        for (std::size_t begin = 0; begin < values.size(); begin += batch_values) {
            const std::size_t end = std::min(begin + batch_values, values.size());
            std::uint32_t found = 0;
            for (std::size_t i = begin; i < end; ++i) {
                const float value = values[i], size = std::fabs(value);
                const bool whole = size >= 1, dropped = size < classes.dropped_below, byte = size < classes.byte_below;
                const float scale = byte ? classes.byte_scale : classes.half_scale;
                const float kept = whole ? 0.0f : size;   // what is converted must fit
                const float cut_off = static_cast<float>(static_cast<std::int32_t>(kept * scale)) / scale;
                const float fixed = byte && cut_off == 0 ? classes.byte_zero : cut_off;
                const float signed_fixed = value < 0 ? -fixed : fixed;
                const float small = dropped ? 0.0f : signed_fixed;
                out[i] = whole ? value : small;
                found += 2u + (whole ? 32u : dropped ? 0u : byte ? 8u : 16u);
            }
            bits += found;
        }
    });
    return bits;
}

std::unique_ptr<Compressor> make_compressor(const InceptionnParams& params, std::uint32_t ranks, std::uint64_t) {
    if (params.bound < 1 || params.bound > 15) throw std::invalid_argument("bound must be in 1 .. 15");
    return std::make_unique<Inceptionn>(params, ranks);
}

}   // namespace oscar

#include "models/compressor/quantised/inceptionn.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "models/compressor/base/gathered_words.hpp"
#include "models/compressor/base/input.hpp"
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

std::vector<Symbol> tagged(std::span<const float> values, const InceptionnParams& params);
void untag(std::span<const Symbol> words, const InceptionnParams& params, std::span<float> out);

class Inceptionn final : public Compressor {
public:
    Inceptionn(const InceptionnParams& params, std::uint32_t ranks) : params_(params), ranks_(ranks) {}

    CompressionResult step(Gradients gradients, std::span<const TensorShape> tensors, Carrier& carrier) override {
        check_input(gradients, tensors, ranks_);
        const std::uint64_t elements = gradients[0].size();
        CompressionResult result;
        result.mean.resize(elements);
        for (const auto gradient : gradients) cut(gradient, params_, result.sent.emplace_back(elements));
        go_round(gradients, StepExchanges(carrier, result), result.mean);
        for (float& value : result.mean) value /= static_cast<float>(ranks_);
        result.operations.elements = 4 * elements;
        result.operations.additions = elements;
        result.operations.comparisons = 6 * elements;
        return result;
    }
    bool takes_error_feedback() const override { return false; }
    void reset() override {}

private:
    std::span<float> chunk(std::vector<float>& mean, std::uint64_t c) const {
        const std::uint64_t begin = mean.size() * c / ranks_, end = mean.size() * (c + 1) / ranks_;
        return std::span(mean).subspan(begin, end - begin);
    }

    /// Chunk c begins at rank c and visits all others, the next rank at each hop, which adds its own; then the sums are
    /// gathered. Every message is cut before it is sent.
    void go_round(Gradients gradients, StepExchanges traffic, std::vector<float>& sum) const {
        std::vector<std::uint32_t> after;
        const auto cut_all = [&](std::uint64_t hop) {
            RankWords words{.of_ranks = std::vector<std::vector<Symbol>>(ranks_), .represented = sum.size()};
            for (std::uint64_t c = 0; c < ranks_; ++c) {
                cut(chunk(sum, c), params_, chunk(sum, c));
                words.of_ranks[(c + hop) % ranks_] = tagged(chunk(sum, c), params_);
            }
            return words;
        };
        for (std::uint64_t hop = 0; hop < ranks_; ++hop) {
            for (std::uint64_t c = 0; c < ranks_; ++c) {
                const std::uint64_t begin = sum.size() * c / ranks_;
                const auto own = gradients[(c + hop) % ranks_].subspan(begin, chunk(sum, c).size());
                if (hop == 0) std::ranges::copy(own, chunk(sum, c).begin());
                else std::ranges::transform(chunk(sum, c), own, chunk(sum, c).begin(), std::plus{});
            }
            const bool last = hop + 1 == ranks_;
            const std::vector<Symbol> left =
                traffic.carry({.what = last ? "tagged sums" : "tagged gradient",
                               .carrier = last ? CollectiveKind::all_gather : CollectiveKind::shift,
                               .floats = (sum.size() + ranks_ - 1) / ranks_,
                               .after = after},
                              cut_all(hop));
            for (std::uint64_t c = 0; last && c < ranks_; ++c)
                untag(part_of(left, ranks_, (c + hop) % ranks_), params_, chunk(sum, c));
            after = {static_cast<std::uint32_t>(hop)};
        }
    }

    InceptionnParams params_;
    std::uint32_t ranks_;
};

}   // namespace

namespace {

/// Values that have been cut as they travel: the tags of 16 values, 2 bits each, and the 0, 8, 16 or 32 bits of each.
std::vector<Symbol> tagged(std::span<const float> values, const InceptionnParams& params) {
    const Classes classes = classes_of(params);
    std::vector<std::uint8_t> bytes;
    std::vector<std::uint8_t> tags((values.size() + 3) / 4);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float size = std::fabs(values[i]);
        const std::uint32_t tag = size >= 1 ? 3 : size < classes.dropped_below ? 0 : size < classes.byte_below ? 1 : 2;
        const std::uint32_t count = tag == 3 ? 4 : tag;
        const float scale = tag == 1 ? classes.byte_scale : classes.half_scale;
        const auto fixed =
            static_cast<std::uint32_t>(tag == 3 ? 0 : size * scale) | (values[i] < 0 ? 1U << (8 * count - 1) : 0);
        const std::uint32_t content = tag == 3 ? std::bit_cast<std::uint32_t>(values[i]) : tag == 0 ? 0 : fixed;
        tags[i / 4] = static_cast<std::uint8_t>(tags[i / 4] | tag << (i % 4 * 2));
        for (std::uint32_t b = 0; b < count; ++b) bytes.push_back(static_cast<std::uint8_t>(content >> (8 * b)));
    }
    tags.insert(tags.end(), bytes.begin(), bytes.end());
    return words_of_bytes(tags);
}

/// Law: untag(tagged(v)) == v, for values that have been cut.
void untag(std::span<const Symbol> words, const InceptionnParams& params, std::span<float> out) {
    const Classes classes = classes_of(params);
    const std::vector<std::uint8_t> bytes = bytes_of_words(words, 4 * words.size());
    std::size_t place = (out.size() + 3) / 4;   // after the tags
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::uint32_t tag = bytes[i / 4] >> (i % 4 * 2) & 3, count = tag == 3 ? 4 : tag;
        std::uint32_t content = 0;
        for (std::uint32_t b = 0; b < count && place < bytes.size(); ++b)
            content |= std::uint32_t{bytes[place++]} << (8 * b);
        if (tag == 0 || tag == 3) {
            out[i] = std::bit_cast<float>(content);
            continue;
        }
        const std::uint32_t sign = 1U << (8 * count - 1);
        const float fixed =
            static_cast<float>(content & (sign - 1)) / (tag == 1 ? classes.byte_scale : classes.half_scale);
        const float size = tag == 1 && fixed == 0 ? classes.byte_zero : fixed;
        out[i] = (content & sign) != 0 ? -size : size;
    }
}

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

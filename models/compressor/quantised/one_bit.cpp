#include "models/compressor/quantised/one_bit.hpp"

#include <algorithm>
#include <cmath>

#include "models/compressor/base/gathered_words.hpp"
#include "models/compressor/base/input.hpp"
#include "models/compressor/base/norms.hpp"
#include "models/core/wide_loops.hpp"

namespace oscar {
namespace {

using Meaning = SignMeaning (*)(std::span<const float>);

/// The signs of all tensors and `scales` floats of each.
class OneBit final : public Compressor {
public:
    OneBit(Meaning meaning, std::uint64_t scales, std::uint32_t ranks)
        : meaning_(meaning), scales_(scales), ranks_(ranks) {}

    CompressionResult step(Gradients gradients, std::span<const TensorShape> tensors, Carrier& carrier) override {
        check_input(gradients, tensors, ranks_);
        const std::uint64_t elements = gradients[0].size(), floats = scales_ * tensors.size();
        CompressionResult result;
        result.sent.assign(ranks_, std::vector<float>(elements));
        RankWords words;
        words.represented = ranks_ * elements;
        for (std::size_t r = 0; r < ranks_; ++r) {
            std::vector<float> scales;
            for (const TensorShape& tensor : tensors) {
                const auto values = gradients[r].subspan(tensor.begin, tensor.end - tensor.begin);
                const SignMeaning meaning = meaning_(values);
                replace_signs(values, meaning, std::span(result.sent[r]).subspan(tensor.begin, values.size()));
                scales.push_back(meaning.other);
                if (scales_ == 2) scales.push_back(meaning.negative);
            }
            words.of_ranks.push_back(message(gradients[r], scales));
        }
        const std::vector<Symbol> left =
            StepExchanges(carrier, result)
                .carry({.what = "signs and scales", .carrier = CollectiveKind::all_gather, .floats = elements + floats},
                       words);
        result.mean = mean_of_ranks(ranks_, elements, [&](std::size_t r, std::span<float> out) {
            read(part_of(left, ranks_, r), tensors, out);
        });
        result.operations.elements = (2 + ranks_) * elements;
        result.operations.additions = (1 + ranks_) * elements;
        return result;
    }
    void reset() override {}

private:
    /// A bit for each value, set if it is negative, then the scales.
    static std::vector<Symbol> message(std::span<const float> values, std::span<const float> scales) {
        std::vector<std::uint32_t> negative(values.size());
        std::ranges::transform(values, negative.begin(), [](float v) { return v < 0 ? 1U : 0U; });
        std::vector<Symbol> words = packed_fields(negative, 1);
        const std::vector<Symbol> tail = words_of_floats(scales);
        words.insert(words.end(), tail.begin(), tail.end());
        return words;
    }

    /// What such a message says.
    void read(std::span<const Symbol> message, std::span<const TensorShape> tensors, std::span<float> out) const {
        const std::vector<std::uint32_t> negative = unpacked_fields(message, out.size(), 1);
        const std::vector<float> scales = floats_of_words(message.subspan(words_of_fields(out.size(), 1)));
        for (std::size_t t = 0; t < tensors.size(); ++t) {
            const float other = scales[t * scales_];
            const float below = scales_ == 2 ? scales[2 * t + 1] : -other;
            for (std::uint64_t i = tensors[t].begin; i < tensors[t].end; ++i) out[i] = negative[i] != 0 ? below : other;
        }
    }

    Meaning meaning_;
    std::uint64_t scales_;
    std::uint32_t ranks_;
};

}   // namespace

SignMeaning means_by_sign(std::span<const float> values) {
    const float* const v = values.data();
    double below = 0, above = 0;   // twice the sums: v -+ |v| is 2v or 0 without a branch
    std::uint64_t negatives = 0;
    in_wide_loops([&]() OSCAR_INLINE {
        below = sum_in_lanes(values.size(), [v](std::size_t i) OSCAR_INLINE {
            return static_cast<double>(v[i]) - static_cast<double>(std::fabs(v[i]));
        });
        above = sum_in_lanes(values.size(), [v](std::size_t i) OSCAR_INLINE {
            return static_cast<double>(v[i]) + static_cast<double>(std::fabs(v[i]));
        });
        std::uint64_t found = 0;
        for (std::size_t i = 0; i < values.size(); ++i) found += v[i] < 0 ? 1 : 0;
        negatives = found;
    });
    const std::uint64_t others = values.size() - negatives;
    return {negatives > 0 ? static_cast<float>(below / 2 / static_cast<double>(negatives)) : 0.0f,
            others > 0 ? static_cast<float>(above / 2 / static_cast<double>(others)) : 0.0f};
}

SignMeaning mean_magnitude_by_sign(std::span<const float> values) {
    const auto mean = static_cast<float>(magnitude_sum(values) / static_cast<double>(values.size()));
    return {-mean, mean};
}

void replace_signs(std::span<const float> values, SignMeaning meaning, std::span<float> out) {
    in_wide_loops([&]() OSCAR_INLINE {
        for (std::size_t i = 0; i < values.size(); ++i) out[i] = values[i] < 0 ? meaning.negative : meaning.other;
    });
}

std::unique_ptr<Compressor> make_compressor(const OneBitParams&, std::uint32_t ranks, std::uint64_t) {
    return std::make_unique<OneBit>(means_by_sign, 2, ranks);
}

std::unique_ptr<Compressor> make_compressor(const ScaledSignParams&, std::uint32_t ranks, std::uint64_t) {
    return std::make_unique<OneBit>(mean_magnitude_by_sign, 1, ranks);
}

}   // namespace oscar

#include "models/compressor/quantised/terngrad.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include "models/compressor/base/gathered_words.hpp"
#include "models/compressor/base/input.hpp"
#include "models/compressor/base/norms.hpp"
#include "models/compressor/base/stochastic_rounding.hpp"

namespace oscar {
namespace {

/// -1, 0 and 1 as 0, 1 and 2.
std::vector<Symbol> packed(std::span<const std::int8_t> codes, TernaryPacking packing) {
    if (packing == TernaryPacking::five_in_a_byte) {
        std::vector<std::uint8_t> bytes((codes.size() + 4) / 5);
        for (std::size_t i = codes.size(); i-- > 0;)
            bytes[i / 5] = static_cast<std::uint8_t>(bytes[i / 5] * 3 + codes[i] + 1);
        return words_of_bytes(bytes);
    }
    std::vector<std::uint32_t> fields(codes.size());
    std::ranges::transform(codes, fields.begin(), [](int code) { return static_cast<std::uint32_t>(code + 1); });
    return packed_fields(fields, packing == TernaryPacking::byte ? 8 : 2);
}

/// The words that so many packed values take.
std::size_t packed_words(std::size_t values, TernaryPacking packing) {
    if (packing == TernaryPacking::five_in_a_byte) return words_of_fields((values + 4) / 5, 8);
    return words_of_fields(values, packing == TernaryPacking::byte ? 8 : 2);
}

/// Law: unpacked(packed(c), c.size()) == c.
std::vector<int> unpacked(std::span<const Symbol> words, std::size_t values, TernaryPacking packing) {
    std::vector<int> codes(values);
    if (packing == TernaryPacking::five_in_a_byte) {
        std::vector<std::uint8_t> bytes = bytes_of_words(words, (values + 4) / 5);
        for (std::size_t i = 0; i < values; ++i) {
            codes[i] = bytes[i / 5] % 3 - 1;
            bytes[i / 5] = static_cast<std::uint8_t>(bytes[i / 5] / 3);
        }
        return codes;
    }
    const auto fields = unpacked_fields(words, values, packing == TernaryPacking::byte ? 8 : 2);
    std::ranges::transform(fields, codes.begin(), [](std::uint32_t field) { return static_cast<int>(field) - 1; });
    return codes;
}

/// The magnitude at which a tensor is clipped.
float limit_of(std::span<const float> tensor, double clip) {
    const double deviation = clip > 0 ? standard_deviation(tensor) : 0;
    return deviation > 0 ? static_cast<float>(clip * deviation) : std::numeric_limits<float>::infinity();
}

class TernGrad final : public Compressor {
public:
    TernGrad(const TernGradParams& params, std::uint32_t ranks, std::uint64_t seed)
        : params_(params), ranks_(ranks), seed_(seed) {}

    CompressionResult step(Gradients gradients, std::span<const TensorShape> tensors, Carrier& carrier) override {
        check_input(gradients, tensors, ranks_);
        CompressionResult result;
        StepExchanges traffic(carrier, result);
        const Scalers scalers = agreed_scalers(gradients, tensors, traffic);
        result.sent.assign(ranks_, std::vector<float>(gradients[0].size()));
        const std::vector<Symbol> left = send_codes(gradients, tensors, scalers, traffic, result);
        if (params_.scaler == Scaler::own)
            result.mean = mean_of_ranks(ranks_, gradients[0].size(), [&](std::size_t r, std::span<float> out) {
                read(part_of(left, ranks_, r), tensors, out);
            });
        else result.mean = decoded(left, tensors, scalers.of_ranks[0]);
        result.operations = operations(gradients[0].size());
        ++step_;
        return result;
    }
    void reset() override { step_ = 0; }

private:
    /// [rank][tensor]
    struct Scalers {
        std::vector<std::vector<float>> limits, of_ranks;
    };

    Scalers agreed_scalers(Gradients gradients, std::span<const TensorShape> tensors, StepExchanges& traffic) const {
        Scalers result;
        for (const auto gradient : gradients) {
            auto& limits = result.limits.emplace_back();
            auto& scalers = result.of_ranks.emplace_back();
            for (const TensorShape& tensor : tensors) {
                const auto values = gradient.subspan(tensor.begin, tensor.end - tensor.begin);
                limits.push_back(limit_of(values, params_.clip));
                scalers.push_back(std::min(limits.back(), max_magnitude(values)));
            }
        }
        if (params_.scaler == Scaler::own) return result;
        RankWords words{.type = ElementType::magnitude};
        for (const auto& scalers : result.of_ranks) words.of_ranks.push_back(words_of_floats(scalers));
        const auto largest = floats_of_words(traffic.carry({.what = "scalers", .floats = tensors.size()}, words));
        result.of_ranks.assign(ranks_, largest);
        return result;
    }

    /// Carries the codes, with the scalers if each rank has its own, and fills in what they say. Returns what that
    /// leaves: the sums of the codes, or the messages of all ranks.
    std::vector<Symbol> send_codes(Gradients gradients, std::span<const TensorShape> tensors, const Scalers& scalers,
                                   StepExchanges& traffic, CompressionResult& result) const {
        const std::uint64_t elements = gradients[0].size();
        const bool own = params_.scaler == Scaler::own;
        RankWords words{own ? ElementType::float32 : ElementType::integer, own ? 32U : 2U, {}};
        words.represented = (own ? ranks_ : 1) * elements;
        for (std::size_t r = 0; r < ranks_; ++r) {
            const std::vector<std::int8_t> codes = codes_of_rank(gradients[r], tensors, scalers, r);
            for (std::size_t t = 0; t < tensors.size(); ++t)
                for (std::uint64_t i = tensors[t].begin; i < tensors[t].end; ++i)
                    result.sent[r][i] = scalers.of_ranks[r][t] * codes[i];
            if (!own) {
                words.of_ranks.emplace_back(codes.begin(), codes.end());
                continue;
            }
            auto& message = words.of_ranks.emplace_back(packed(codes, params_.packing));
            const std::vector<Symbol> tail = words_of_floats(scalers.of_ranks[r]);
            message.insert(message.end(), tail.begin(), tail.end());
        }
        if (!own) return traffic.carry({.what = "ternary values", .floats = elements, .after = {0}}, words);
        return traffic.carry({.what = "ternary values and scalers",
                              .carrier = CollectiveKind::all_gather,
                              .floats = elements + tensors.size()},
                             words);
    }

    /// What a gathered message says.
    void read(std::span<const Symbol> message, std::span<const TensorShape> tensors, std::span<float> out) const {
        const std::vector<int> codes = unpacked(message, out.size(), params_.packing);
        const std::vector<float> scalers = floats_of_words(message.subspan(packed_words(out.size(), params_.packing)));
        for (std::size_t t = 0; t < tensors.size(); ++t)
            for (std::uint64_t i = tensors[t].begin; i < tensors[t].end; ++i)
                out[i] = scalers[t] * static_cast<float>(codes[i]);
    }

    std::vector<std::int8_t> codes_of_rank(std::span<const float> gradient, std::span<const TensorShape> tensors,
                                           const Scalers& scalers, std::size_t rank) const {
        std::vector<std::int8_t> codes(gradient.size());
        for (std::size_t t = 0; t < tensors.size(); ++t) {
            const std::uint64_t begin = tensors[t].begin, size = tensors[t].end - begin;
            const std::array scale{level_scale(1, scalers.of_ranks[rank][t])};
            round_stochastically(gradient.subspan(begin, size), {scale, size, 1, scalers.limits[rank][t]},
                                 random_key(seed_, step_, rank, t), std::span(codes).subspan(begin, size));
        }
        return codes;
    }

    std::vector<float> decoded(std::span<const Symbol> sum, std::span<const TensorShape> tensors,
                               std::span<const float> scalers) const {
        std::vector<float> mean(sum.size());
        for (std::size_t t = 0; t < tensors.size(); ++t)
            for (std::uint64_t i = tensors[t].begin; i < tensors[t].end; ++i)
                mean[i] = scalers[t] * (static_cast<float>(sum[i]) / static_cast<float>(ranks_));
        return mean;
    }

    ComputeCost operations(std::uint64_t elements) const {
        const std::uint64_t decoded = params_.scaler == Scaler::own ? ranks_ : 1;
        const std::uint64_t for_clipping = params_.clip > 0 ? 2 : 0;   // mean, then deviation
        ComputeCost result;
        result.elements = (3 + for_clipping + decoded) * elements;
        result.comparisons = 2 * elements;
        result.additions = (for_clipping + decoded) * elements;
        result.multiplications = (1 + for_clipping / 2 + decoded) * elements;
        result.draws = elements;
        return result;
    }

    TernGradParams params_;
    std::uint32_t ranks_;
    std::uint64_t seed_, step_ = 0;
};

}   // namespace

std::unique_ptr<Compressor> make_compressor(const TernGradParams& params, std::uint32_t ranks, std::uint64_t seed) {
    if (!(params.clip >= 0)) throw std::invalid_argument("clip must be 0 or more");
    return std::make_unique<TernGrad>(params, ranks, seed);
}

}   // namespace oscar

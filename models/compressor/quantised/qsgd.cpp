#include "models/compressor/quantised/qsgd.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "models/compressor/base/gathered_words.hpp"
#include "models/compressor/base/input.hpp"
#include "models/compressor/base/norms.hpp"
#include "models/compressor/base/stochastic_rounding.hpp"

namespace oscar {
namespace {

using Norms = std::vector<float>;   ///< of each bucket of a tensor
using Codes = std::vector<std::int16_t>;
using NormsOfRanks = std::vector<Norms>;   ///< per rank, of all tensors, one after the other

float norm_of(std::span<const float> values, BucketNorm kind) {
    if (kind == BucketNorm::max) return max_magnitude(values);
    const auto norm = static_cast<float>(l2_norm(values));
    if (!std::isfinite(norm)) throw std::invalid_argument("a bucket's norm is beyond fp32; write norm: max");
    return norm;
}

Norms norms_of(std::span<const float> tensor, const QsgdParams& params) {
    Norms norms;
    for (std::size_t begin = 0; begin < tensor.size(); begin += params.bucket)
        norms.push_back(
            norm_of(tensor.subspan(begin, std::min<std::size_t>(params.bucket, tensor.size() - begin)), params.norm));
    return norms;
}

Codes codes_of(std::span<const float> tensor, std::span<const float> norms, const QsgdParams& params,
               std::uint64_t key) {
    std::vector<LevelScale> scales;
    const auto levels = static_cast<float>(params.levels);
    for (const float norm : norms) scales.push_back(level_scale(levels, norm));
    Codes codes(tensor.size());
    round_stochastically(tensor, {scales, params.bucket, levels}, key, codes);
    return codes;
}

/// out = norm * code / divisor, bucket by bucket.
template <class Code>
void decode(std::span<const Code> codes, std::span<const float> norms, std::size_t bucket, double divisor,
            std::span<float> out) {
    for (std::size_t b = 0; b < norms.size(); ++b) {
        const double unit = static_cast<double>(norms[b]) / divisor;
        const std::size_t end = std::min(codes.size(), (b + 1) * bucket);
        for (std::size_t i = b * bucket; i < end; ++i) out[i] = static_cast<float>(unit * codes[i]);
    }
}

class Qsgd final : public Compressor {
public:
    Qsgd(const QsgdParams& params, std::uint32_t ranks, std::uint64_t seed)
        : params_(params), ranks_(ranks), seed_(seed) {}

    CompressionResult step(Gradients gradients, std::span<const TensorShape> tensors, Carrier& carrier) override {
        check_input(gradients, tensors, ranks_);
        CompressionResult result;
        result.sent.assign(ranks_, std::vector<float>(gradients[0].size()));
        StepExchanges traffic(carrier, result);
        const NormsOfRanks norms = agreed_norms(gradients, tensors, traffic);
        const std::vector<Symbol> left = send_codes(gradients, tensors, norms, traffic, result);
        if (params_.scope == NormScope::own) {
            result.mean = mean_of_ranks(ranks_, gradients[0].size(), [&](std::size_t r, std::span<float> out) {
                read(part_of(left, ranks_, r), tensors, out);
            });
        } else {
            result.mean.resize(gradients[0].size());
            decode_all<Symbol>(left, norms[0], tensors, static_cast<double>(params_.levels) * ranks_, result.mean);
        }
        result.operations = operations(gradients[0].size());
        ++step_;
        return result;
    }
    void reset() override { step_ = 0; }

private:
    std::size_t buckets_of(const TensorShape& tensor) const {
        return (tensor.end - tensor.begin + params_.bucket - 1) / params_.bucket;
    }

    /// Each rank's own norms; or the largest of all ranks, bucket by bucket.
    NormsOfRanks agreed_norms(Gradients gradients, std::span<const TensorShape> tensors, StepExchanges& traffic) const {
        NormsOfRanks norms(ranks_);
        for (std::size_t r = 0; r < ranks_; ++r)
            for (const TensorShape& tensor : tensors) {
                const Norms of_tensor =
                    norms_of(gradients[r].subspan(tensor.begin, tensor.end - tensor.begin), params_);
                norms[r].insert(norms[r].end(), of_tensor.begin(), of_tensor.end());
            }
        if (params_.scope == NormScope::own) return norms;
        RankWords words{.type = ElementType::magnitude};
        for (const Norms& of_rank : norms) words.of_ranks.push_back(words_of_floats(of_rank));
        norms.assign(ranks_, floats_of_words(traffic.carry({.what = "norms", .floats = norms[0].size()}, words)));
        return norms;
    }

    std::uint32_t code_bits() const { return static_cast<std::uint32_t>(signed_bits(params_.levels)); }

    /// Carries the codes, with the norms if each rank has its own, and fills in what they say. Returns what that
    /// leaves: the sums of the codes, or the messages of all ranks.
    std::vector<Symbol> send_codes(Gradients gradients, std::span<const TensorShape> tensors, const NormsOfRanks& norms,
                                   StepExchanges& traffic, CompressionResult& result) const {
        const std::uint32_t bits = code_bits();
        RankWords words{ElementType::integer, bits, {}};
        for (std::size_t r = 0; r < ranks_; ++r) {
            const Codes codes = codes_of_rank(gradients[r], tensors, norms[r], r);
            decode_all<std::int16_t>(codes, norms[r], tensors, params_.levels, result.sent[r]);
            words.of_ranks.emplace_back(codes.begin(), codes.end());
        }
        const std::uint64_t elements = gradients[0].size();
        words.represented = elements;
        if (params_.scope == NormScope::shared)
            return traffic.carry({.what = "codes", .floats = elements, .after = {0}}, words);
        RankWords packed;
        packed.represented = ranks_ * elements;
        for (std::size_t r = 0; r < ranks_; ++r) {
            std::vector<std::uint32_t> fields(words.of_ranks[r].size());
            std::ranges::transform(words.of_ranks[r], fields.begin(),
                                   [&](Symbol code) { return static_cast<std::uint32_t>(code) & ((1U << bits) - 1); });
            auto& own = packed.of_ranks.emplace_back(packed_fields(fields, bits));
            const std::vector<Symbol> of_norms = words_of_floats(norms[r]);
            own.insert(own.end(), of_norms.begin(), of_norms.end());
        }
        return traffic.carry(
            {.what = "codes and norms", .carrier = CollectiveKind::all_gather, .floats = elements + norms[0].size()},
            packed);
    }

    /// What a gathered message says.
    void read(std::span<const Symbol> message, std::span<const TensorShape> tensors, std::span<float> out) const {
        const std::uint32_t bits = code_bits();
        const std::vector<std::uint32_t> fields = unpacked_fields(message, out.size(), bits);
        Codes codes(fields.size());
        std::ranges::transform(fields, codes.begin(), [&](std::uint32_t field) {   // two's complement
            return static_cast<std::int16_t>(static_cast<std::int32_t>(field << (32 - bits)) >> (32 - bits));
        });
        const std::vector<float> norms = floats_of_words(message.subspan(words_of_fields(out.size(), bits)));
        decode_all<std::int16_t>(codes, norms, tensors, params_.levels, out);
    }

    Codes codes_of_rank(std::span<const float> gradient, std::span<const TensorShape> tensors,
                        std::span<const float> norms, std::size_t rank) const {
        Codes codes;
        for (std::size_t t = 0; t < tensors.size(); ++t) {
            const std::size_t buckets = buckets_of(tensors[t]);
            const Codes of_tensor = codes_of(gradient.subspan(tensors[t].begin, tensors[t].end - tensors[t].begin),
                                             norms.first(buckets), params_, random_key(seed_, step_, rank, t));
            codes.insert(codes.end(), of_tensor.begin(), of_tensor.end());
            norms = norms.subspan(buckets);
        }
        return codes;
    }

    template <class Code>
    void decode_all(std::span<const Code> codes, std::span<const float> norms, std::span<const TensorShape> tensors,
                    double divisor, std::span<float> out) const {
        for (const TensorShape& tensor : tensors) {
            const std::uint64_t size = tensor.end - tensor.begin;
            decode<Code>(codes.subspan(tensor.begin, size), norms.first(buckets_of(tensor)), params_.bucket, divisor,
                         out.subspan(tensor.begin, size));
            norms = norms.subspan(buckets_of(tensor));
        }
    }

    ComputeCost operations(std::uint64_t elements) const {
        const std::uint64_t decoded = params_.scope == NormScope::own ? ranks_ : 1;
        ComputeCost result;
        result.elements = (3 + decoded) * elements;   // read for the norm and for the codes, codes written; decoded
        result.additions = (1 + decoded) * elements;
        result.multiplications = (2 + decoded) * elements;
        result.draws = elements;
        return result;
    }

    QsgdParams params_;
    std::uint32_t ranks_;
    std::uint64_t seed_, step_ = 0;
};

}   // namespace

std::unique_ptr<Compressor> make_compressor(const QsgdParams& params, std::uint32_t ranks, std::uint64_t seed) {
    if (params.levels == 0 || params.levels > 32'767) throw std::invalid_argument("levels must be in 1 .. 32767");
    if (params.bucket == 0) throw std::invalid_argument("bucket is 0; write at least 1");
    return std::make_unique<Qsgd>(params, ranks, seed);
}

}   // namespace oscar

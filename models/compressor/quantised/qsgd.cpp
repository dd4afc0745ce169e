#include "models/compressor/quantised/qsgd.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "models/compressor/base/input.hpp"
#include "models/compressor/base/norms.hpp"
#include "models/compressor/base/quantised_wire.hpp"
#include "models/compressor/base/stochastic_rounding.hpp"

namespace oscar {
namespace {

using Norms = std::vector<float>;   ///< of each bucket of a tensor
using Codes = std::vector<std::int16_t>;

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

/// Bucket by bucket the largest of all ranks.
Norms largest(const std::vector<Norms>& norms) {
    Norms result = norms[0];
    for (const Norms& other : norms)
        std::ranges::transform(result, other, result.begin(), [](float a, float b) { return std::max(a, b); });
    return result;
}

Codes codes_of(std::span<const float> tensor, const Norms& norms, const QsgdParams& params, std::uint64_t key) {
    std::vector<LevelScale> scales;
    const auto levels = static_cast<float>(params.levels);
    for (const float norm : norms) scales.push_back(level_scale(levels, norm));
    Codes codes(tensor.size());
    round_stochastically(tensor, {scales, params.bucket, levels}, key, codes);
    return codes;
}

/// out = norm * code / divisor, bucket by bucket.
template <class Code>
void decode(std::span<const Code> codes, const Norms& norms, std::size_t bucket, double divisor, std::span<float> out) {
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

    CompressionResult step(Gradients gradients, std::span<const TensorShape> tensors) override {
        check_input(gradients, tensors, ranks_);
        CompressionResult result;
        result.sent.assign(ranks_, std::vector<float>(gradients[0].size()));
        std::uint64_t buckets = 0;
        result.mean.resize(gradients[0].size());
        for (std::size_t t = 0; t < tensors.size(); ++t) buckets += step_tensor(gradients, tensors, t, result);
        if (params_.scope == NormScope::own) result.mean = mean_of(views(result.sent));
        result.exchanges = exchanges(gradients[0].size(), buckets);
        result.operations = operations(gradients[0].size());
        ++step_;
        return result;
    }
    void reset() override { step_ = 0; }

private:
    /// Fills in what the ranks say of tensor t and, of a shared norm, the mean. How many buckets it has.
    std::uint64_t step_tensor(Gradients gradients, std::span<const TensorShape> tensors, std::size_t t,
                              CompressionResult& result) const {
        const TensorShape& place = tensors[t];
        const std::uint64_t size = place.end - place.begin;
        const auto part = [&](std::size_t r) { return gradients[r].subspan(place.begin, size); };
        std::vector<Norms> norms;
        for (std::size_t r = 0; r < ranks_; ++r) norms.push_back(norms_of(part(r), params_));
        if (params_.scope == NormScope::shared) norms.assign(ranks_, largest(norms));
        std::vector<std::int32_t> sum(size);
        for (std::size_t r = 0; r < ranks_; ++r) {
            const Codes codes = codes_of(part(r), norms[r], params_, random_key(seed_, step_, r, t));
            decode<std::int16_t>(codes, norms[r], params_.bucket, params_.levels,
                                 std::span(result.sent[r]).subspan(place.begin, size));
            std::ranges::transform(sum, codes, sum.begin(), std::plus{});
        }
        if (params_.scope == NormScope::shared)
            decode<std::int32_t>(sum, norms[0], params_.bucket, static_cast<double>(params_.levels) * ranks_,
                                 std::span(result.mean).subspan(place.begin, size));
        return norms[0].size();
    }

    std::vector<Exchange> exchanges(std::uint64_t elements, std::uint64_t buckets) const {
        const std::uint64_t norm_bytes = sizeof(float) * buckets, levels = params_.levels;
        if (params_.scope == NormScope::own)
            return {equal_exchange("codes and norms", CollectiveKind::all_gather,
                                   packed_bytes(elements, signed_bits(levels)) + norm_bytes, elements + buckets,
                                   ranks_)};
        return {equal_exchange("norms", CollectiveKind::all_reduce, norm_bytes, buckets, ranks_),
                equal_exchange("codes", CollectiveKind::all_reduce,
                               packed_bytes(elements, signed_bits(ranks_ * levels)), elements, ranks_, {0})};
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

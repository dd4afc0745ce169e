#include "models/compress/lossy/tagc.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "models/compress/lossy/input.hpp"
#include "models/compress/lossy/integer_codes.hpp"

namespace oscar {
namespace {

constexpr std::uint64_t gpt2_feed_forward = 768 * 3072, gpt2_embedding = 50304 * 768;

// Of [begin, begin + size), summed in the order of the ranks and divided by their number, as a dense collective does.
void put_dense_mean(Gradients gradients, std::uint64_t begin, std::uint64_t size, LossyStep& result) {
    std::vector<std::span<const float>> parts;
    for (const auto gradient : gradients) parts.push_back(gradient.subspan(begin, size));
    if (size > 0) std::ranges::copy(mean_of(parts), result.mean.begin() + static_cast<std::ptrdiff_t>(begin));
}

Exchange to_owner(std::string what, std::uint64_t bytes, std::uint32_t ranks, std::uint32_t owner,
                  std::vector<std::uint32_t> after = {}) {
    Exchange exchange =
        equal_exchange(std::move(what), Carrier::reduce, bytes, bytes / sizeof(float), ranks, std::move(after));
    exchange.root = owner;
    return exchange;
}

}   // namespace

bool compresses(const TagcParams& params, std::uint64_t elements) {
    if (params.units == Units::all) return true;
    if (params.units == Units::large) return elements >= params.min_elements;
    return elements == gpt2_feed_forward || elements == gpt2_embedding;
}

Shard shard_of(const TagcParams& params, std::uint64_t elements, std::uint32_t ranks, std::uint32_t shard) {
    const std::uint64_t begin = elements * shard / ranks, end = elements * (shard + 1) / ranks;
    const std::uint64_t aligned = (end - begin) / params.lanes * params.lanes;
    const bool enough = params.ratio == 1 || lhc_rows(aligned, params.ratio, params.lanes) >= sketch_hashes;
    return {begin, enough ? aligned : 0, end};
}

LossyStep Tagc::step(Gradients gradients, std::span<const TensorShape> tensors) {
    check_input(gradients, tensors, ranks_);
    LossyStep result;
    result.mean.resize(gradients[0].size());
    for (const auto gradient : gradients) result.sent.emplace_back(gradient.begin(), gradient.end());
    call_ = 0;
    for (const TensorShape& unit : tensors) reduce_unit(gradients, unit, result);
    return result;
}

void Tagc::reduce_unit(Gradients gradients, const TensorShape& unit, LossyStep& result) {
    const std::uint64_t size = unit.end - unit.begin;
    if (!compresses(params_, size)) {
        put_dense_mean(gradients, unit.begin, size, result);
        result.exchanges.push_back(
            equal_exchange("gradient", Carrier::reduce_scatter, sizeof(float) * size, size, ranks_));
        return;
    }
    Operations decoding;   // a rank decodes the one shard that it owns
    for (std::uint32_t shard = 0; shard < ranks_; ++shard) {
        const Operations of_owner =
            reduce_shard(gradients, unit.begin, shard, shard_of(params_, size, ranks_, shard), result);
        if (of_owner.elements > decoding.elements) decoding = of_owner;
    }
    result.operations += decoding;
}

// What the owner had to do to decode.
Operations Tagc::reduce_shard(Gradients gradients, std::uint64_t unit, std::uint32_t shard, const Shard& place,
                              LossyStep& result) {
    const std::uint64_t begin = unit + place.begin, aligned = place.aligned;
    const Fragments sparse = sparsified(gradients, begin, aligned, result.operations);
    for (std::uint32_t rank = 0; rank < ranks_; ++rank)
        std::ranges::copy(sparse[rank], result.sent[rank].begin() + static_cast<std::ptrdiff_t>(begin));
    Operations decoding;
    if (params_.ratio > 1 && aligned > 0) {
        decoding = sketch_shard(sparse, begin, shard, result);
    } else if (aligned > 0) {
        std::ranges::copy(mean_of(views(sparse)), result.mean.begin() + static_cast<std::ptrdiff_t>(begin));
        result.exchanges.push_back(to_owner("gradient", sizeof(float) * aligned, ranks_, shard));
    }
    keep_residual(begin, result);
    const std::uint64_t tail = place.end - place.begin - aligned;
    put_dense_mean(gradients, begin + aligned, tail, result);
    if (tail > 0) result.exchanges.push_back(to_owner("tail", sizeof(float) * tail, ranks_, shard));
    return decoding;
}

Operations Tagc::sketch_shard(const Fragments& sparse, std::uint64_t begin, std::uint32_t shard,
                              LossyStep& result) const {
    const LhcShape shape = lhc_shape(sparse[0].size(), params_.ratio, params_.lanes);
    LhcSum sum = lhc_sum(views(sparse), shape, params_);
    for (std::size_t i = 0; i < sum.sum.size(); ++i) result.mean[begin + i] = sum.sum[i] / static_cast<float>(ranks_);
    for (std::uint32_t rank = 0; rank < ranks_; ++rank)
        std::ranges::copy(sum.sent[rank], result.sent[rank].begin() + static_cast<std::ptrdiff_t>(begin));
    const auto first = static_cast<std::uint32_t>(result.exchanges.size());
    for (Exchange& exchange : sum.exchanges) {
        for (std::uint32_t& before : exchange.after) before += first;
        result.exchanges.push_back(std::move(exchange));
    }
    Exchange& sketch = result.exchanges.back();   // only its owner decodes it
    sketch = to_owner(sketch.what, sketch.padded, ranks_, shard, sketch.after);
    result.operations += sum.encoding;
    return sum.decoding;
}

// Of each rank gradient + residual of this call, without what is too small. The residual holds all of it until the step
// knows what was sent.
Tagc::Fragments Tagc::sparsified(Gradients gradients, std::uint64_t begin, std::uint64_t size, Operations& work) {
    if (call_ == residuals_.size()) residuals_.emplace_back(ranks_, std::vector<float>(size));
    Fragments& residual = residuals_[call_];
    if (residual[0].size() != size)
        throw std::invalid_argument("tagc: shard " + std::to_string(call_) + " of a step has " + std::to_string(size) +
                                    " elements and had " + std::to_string(residual[0].size()) +
                                    " before; tensors must stay as they are until a reset");
    Fragments sparse;
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
        for (std::uint64_t i = 0; i < size; ++i) residual[rank][i] += gradients[rank][begin + i];
        auto& kept = sparse.emplace_back(residual[rank]);
        oscar::sparsify(kept, sparsify_threshold(kept, params_.zeros, params_.sparsify));
    }
    work.elements += 2 * size;
    work.additions += 2 * size;
    work.comparisons += size;
    return sparse;
}

void Tagc::keep_residual(std::uint64_t begin, const LossyStep& result) {
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
        auto& left = residuals_[call_][rank];
        for (std::uint64_t i = 0; i < left.size(); ++i) left[i] -= result.sent[rank][begin + i];
    }
    ++call_;
}

std::unique_ptr<Compressor> make_compressor(const TagcParams& params, std::uint32_t ranks, std::uint64_t) {
    return std::make_unique<Tagc>(params, ranks);
}

}   // namespace oscar

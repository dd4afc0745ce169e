#include "models/compressor/sketch/tagc.hpp"

#include <algorithm>
#include <string>

#include "models/compressor/base/input.hpp"
#include "models/compressor/base/integer_codes.hpp"

namespace oscar {
namespace {

constexpr std::uint64_t gpt2_feed_forward = 768ULL * 3072, gpt2_embedding = 50304ULL * 768;

std::vector<std::span<const float>> parts_of(Gradients gradients, std::uint64_t begin, std::uint64_t size) {
    std::vector<std::span<const float>> parts;
    for (const auto gradient : gradients) parts.push_back(gradient.subspan(begin, size));
    return parts;
}

// Of [begin, begin + size), summed in the order of the ranks and divided by their number, as a dense collective does.
void put_dense_mean(Gradients gradients, std::uint64_t begin, std::uint64_t size, CompressionResult& result) {
    if (size == 0) return;
    const std::vector<float> mean = mean_of(parts_of(gradients, begin, size));
    std::ranges::copy(mean, result.mean.begin() + static_cast<std::ptrdiff_t>(begin));
}

Exchange to_owner(std::string what, std::uint64_t bytes, std::uint32_t ranks, std::uint32_t owner,
                  std::vector<std::uint32_t> after = {}) {
    Exchange exchange =
        equal_exchange(std::move(what), CollectiveKind::reduce, bytes, bytes / sizeof(float), ranks, std::move(after));
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

CompressionResult Tagc::step(Gradients gradients, std::span<const TensorShape> tensors) {
    check_input(gradients, tensors, ranks_);
    CompressionResult result;
    result.mean.resize(gradients[0].size());
    for (const auto gradient : gradients) result.sent.emplace_back(gradient.begin(), gradient.end());
    call_ = 0;
    for (const TensorShape& unit : tensors) reduce_unit(gradients, unit, result);
    return result;
}

void Tagc::reduce_unit(Gradients gradients, const TensorShape& unit, CompressionResult& result) {
    const std::uint64_t size = unit.end - unit.begin;
    if (!compresses(params_, size)) {
        put_dense_mean(gradients, unit.begin, size, result);
        result.exchanges.push_back(
            equal_exchange("gradient", CollectiveKind::reduce_scatter, sizeof(float) * size, size, ranks_));
        return;
    }
    ComputeCost decoding;   // a rank decodes the one shard that it owns
    for (std::uint32_t shard = 0; shard < ranks_; ++shard) {
        const ComputeCost of_owner =
            reduce_shard(gradients, unit.begin, shard, shard_of(params_, size, ranks_, shard), result);
        if (of_owner.elements > decoding.elements) decoding = of_owner;
    }
    result.operations += decoding;
}

// What the owner had to do to decode.
ComputeCost Tagc::reduce_shard(Gradients gradients, std::uint64_t unit, std::uint32_t shard, const Shard& place,
                               CompressionResult& result) {
    const std::uint64_t begin = unit + place.begin, aligned = place.aligned;
    SparsePart& part = next_part();
    const auto sparse =
        part.sparsified(parts_of(gradients, begin, aligned), params_.zeros, params_.sparsify, result.operations);
    for (std::uint32_t rank = 0; rank < ranks_; ++rank)
        std::ranges::copy(sparse[rank], result.sent[rank].begin() + static_cast<std::ptrdiff_t>(begin));
    ComputeCost decoding;
    if (params_.ratio > 1 && aligned > 0) {
        decoding = sketch_shard(sparse, begin, shard, result);
    } else if (aligned > 0) {
        std::ranges::copy(mean_of(views(sparse)), result.mean.begin() + static_cast<std::ptrdiff_t>(begin));
        result.exchanges.push_back(to_owner("gradient", sizeof(float) * aligned, ranks_, shard));
    }
    part.keep(parts_of(views(result.sent), begin, aligned));
    const std::uint64_t tail = place.end - place.begin - aligned;
    put_dense_mean(gradients, begin + aligned, tail, result);
    if (tail > 0) result.exchanges.push_back(to_owner("tail", sizeof(float) * tail, ranks_, shard));
    return decoding;
}

ComputeCost Tagc::sketch_shard(const std::vector<std::vector<float>>& sparse, std::uint64_t begin, std::uint32_t shard,
                               CompressionResult& result) const {
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

// The part of this call, with a residual per rank that lasts from step to step.
SparsePart& Tagc::next_part() {
    if (call_ == parts_.size()) parts_.emplace_back(ranks_);
    return parts_[call_++];
}

std::unique_ptr<Compressor> make_compressor(const TagcParams& params, std::uint32_t ranks, std::uint64_t) {
    return std::make_unique<Tagc>(params, ranks);
}

}   // namespace oscar

#include "models/compressor/sketch/tagc.hpp"

#include <algorithm>
#include <string>

#include "models/compressor/base/carrier.hpp"
#include "models/compressor/base/input.hpp"

namespace oscar {
namespace {

constexpr std::uint64_t gpt2_feed_forward = 768ULL * 3072, gpt2_embedding = 50304ULL * 768;

std::vector<std::span<const float>> parts_of(Gradients gradients, std::uint64_t begin, std::uint64_t size) {
    std::vector<std::span<const float>> parts;
    for (const auto gradient : gradients) parts.push_back(gradient.subspan(begin, size));
    return parts;
}

// Of [begin, begin + size), as `exchange` sums it.
void put_dense_mean(WordExchange exchange, Gradients gradients, std::uint64_t begin, std::uint64_t size,
                    StepExchanges& traffic, std::vector<float>& mean) {
    if (size == 0) return;
    std::ranges::copy(traffic.mean(std::move(exchange), parts_of(gradients, begin, size)),
                      mean.begin() + static_cast<std::ptrdiff_t>(begin));
}

WordExchange to_owner(const char* what, std::uint32_t owner) {
    return {.what = what, .carrier = CollectiveKind::reduce, .root = owner};
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

CompressionResult Tagc::step(Gradients gradients, std::span<const TensorShape> tensors, Carrier& carrier) {
    check_input(gradients, tensors, ranks_);
    CompressionResult result;
    result.mean.resize(gradients[0].size());
    for (const auto gradient : gradients) result.sent.emplace_back(gradient.begin(), gradient.end());
    call_ = 0;
    StepExchanges traffic(carrier, result);
    for (const TensorShape& unit : tensors) reduce_unit(gradients, unit, traffic, result);
    return result;
}

void Tagc::reduce_unit(Gradients gradients, const TensorShape& unit, StepExchanges& traffic,
                       CompressionResult& result) {
    const std::uint64_t size = unit.end - unit.begin;
    if (!compresses(params_, size)) {
        put_dense_mean({.what = "gradient", .carrier = CollectiveKind::reduce_scatter}, gradients, unit.begin, size,
                       traffic, result.mean);
        return;
    }
    ComputeCost decoding;   // a rank decodes the one shard that it owns
    for (std::uint32_t shard = 0; shard < ranks_; ++shard) {
        const ComputeCost of_owner =
            reduce_shard(gradients, unit.begin, shard, shard_of(params_, size, ranks_, shard), traffic, result);
        if (of_owner.elements > decoding.elements) decoding = of_owner;
    }
    traffic.decode(decoding);
}

// What the owner had to do to decode.
ComputeCost Tagc::reduce_shard(Gradients gradients, std::uint64_t unit, std::uint32_t shard, const Shard& place,
                               StepExchanges& traffic, CompressionResult& result) {
    const std::uint64_t begin = unit + place.begin, aligned = place.aligned;
    SparsePart& part = next_part();
    ComputeCost sparsifying;
    const auto sparse =
        part.sparsified(parts_of(gradients, begin, aligned), params_.zeros, params_.sparsify, sparsifying);
    traffic.encode(sparsifying);
    for (std::uint32_t rank = 0; rank < ranks_; ++rank)
        std::ranges::copy(sparse[rank], result.sent[rank].begin() + static_cast<std::ptrdiff_t>(begin));
    ComputeCost decoding;
    if (params_.ratio > 1 && aligned > 0) {
        decoding = sketch_shard(sparse, begin, shard, traffic, result);
    } else if (aligned > 0) {
        std::ranges::copy(traffic.mean(to_owner("gradient", shard), views(sparse)),
                          result.mean.begin() + static_cast<std::ptrdiff_t>(begin));
    }
    part.keep(parts_of(views(result.sent), begin, aligned));
    const std::uint64_t tail = place.end - place.begin - aligned;
    put_dense_mean(to_owner("tail", shard), gradients, begin + aligned, tail, traffic, result.mean);
    return decoding;
}

ComputeCost Tagc::sketch_shard(const std::vector<std::vector<float>>& sparse, std::uint64_t begin, std::uint32_t shard,
                               StepExchanges& traffic, CompressionResult& result) const {
    const LhcShape shape = lhc_shape(sparse[0].size(), params_.ratio, params_.lanes);
    LhcSum sum = lhc_sum(views(sparse), shape, params_, traffic, shard);
    for (std::size_t i = 0; i < sum.sum.size(); ++i) result.mean[begin + i] = sum.sum[i] / static_cast<float>(ranks_);
    for (std::uint32_t rank = 0; rank < ranks_; ++rank)
        std::ranges::copy(sum.sent[rank], result.sent[rank].begin() + static_cast<std::ptrdiff_t>(begin));
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

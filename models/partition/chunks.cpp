#include "models/partition/chunks.hpp"

#include <algorithm>

namespace oscar {
namespace {

/// Contiguous pieces in element order -> chunks: chunk c is a run of `slices` neighbouring pieces, one for each slice.
ChunkLayout from_pieces(std::span<const std::uint32_t> bounds, ChunkCount count) {
    std::vector<std::vector<Segment>> chunks(std::size_t{count.groups} * count.slices);
    for (std::uint32_t group = 0; group < count.groups; ++group)
        for (std::uint32_t slice = 0; slice < count.slices; ++slice) {
            const std::size_t piece = std::size_t{group} * count.slices + slice;
            chunks[std::size_t{slice} * count.groups + group] = {{bounds[piece], bounds[piece + 1]}};
        }
    return ChunkLayout(std::move(chunks));
}

struct PricedBlock {
    Segment segment;
    std::uint64_t cost = 0;
};

/// In order of position where costs are equal.
std::vector<PricedBlock> costliest_first(std::uint32_t block, std::uint32_t elements, PredictedCosts costs) {
    std::vector<PricedBlock> blocks;
    for (std::uint32_t begin = 0; begin < elements; begin += block) {
        PricedBlock priced{{begin, std::min(elements, begin + block)}, 0};
        for (std::uint32_t i = begin; i < priced.segment.end; ++i) priced.cost += costs[i];
        blocks.push_back(priced);
    }
    std::ranges::stable_sort(blocks, std::ranges::greater{}, &PricedBlock::cost);
    return blocks;
}

}   // namespace

ChunkLayout ChunkLayout::of_sizes(std::vector<std::uint32_t> sizes) {
    ChunkLayout layout;
    layout.sizes_ = std::move(sizes);
    return layout;
}

ChunkLayout::ChunkLayout(std::vector<std::vector<Segment>> chunks) : chunks_(std::move(chunks)) {
    for (auto& segments : chunks_) {
        std::erase_if(segments, [](Segment s) { return s.begin == s.end; });
        std::uint32_t size = 0;
        for (const Segment s : segments) size += s.end - s.begin;
        sizes_.push_back(size);
    }
}

ChunkLayout make_layout(const EqualParams&, std::uint32_t elements, ChunkCount count, PredictedCosts) {
    const std::uint64_t pieces = std::uint64_t{count.groups} * count.slices;
    std::vector<std::uint32_t> bounds;
    for (std::uint64_t piece = 0; piece <= pieces; ++piece)
        bounds.push_back(static_cast<std::uint32_t>(piece * elements / pieces));
    return from_pieces(bounds, count);
}

ChunkLayout make_layout(const PredictedParams& params, std::uint32_t elements, ChunkCount count, PredictedCosts costs) {
    if (costs.empty()) return make_layout(EqualParams{}, elements, count, costs);
    std::uint64_t total = 0;
    for (const std::uint32_t cost : costs) total += cost;
    const std::uint64_t pieces = std::uint64_t{count.groups} * count.slices;
    std::vector<std::uint32_t> bounds{0};
    std::uint64_t before = 0, block = 0;   // cost of all elements before the current granule, and of the granule
    for (std::uint32_t begin = 0; begin < elements; begin += params.granularity) {
        const std::uint32_t end = std::min(elements, begin + params.granularity);
        block = 0;
        for (std::uint32_t i = begin; i < end; ++i) block += costs[i];
        // The boundary of each piece whose share is reached within this granule goes to the nearer end of it.
        while (bounds.size() < pieces && before + block >= bounds.size() * total / pieces) {
            const std::uint64_t share = bounds.size() * total / pieces;
            bounds.push_back(share - std::min(share, before) <= before + block - share ? begin : end);
        }
        before += block;
    }
    bounds.resize(pieces + 1, elements);
    return from_pieces(bounds, count);
}

ChunkLayout make_layout(const RoundRobinParams& params, std::uint32_t elements, ChunkCount count, PredictedCosts) {
    const std::uint32_t chunks = count.groups * count.slices;
    std::vector<std::vector<Segment>> result(chunks);
    std::uint32_t next = 0;
    for (std::uint32_t begin = 0; begin < elements; begin += params.block)
        result[next++ % chunks].push_back({begin, std::min(elements, begin + params.block)});
    return ChunkLayout(std::move(result));
}

ChunkLayout make_layout(const GreedyParams& params, std::uint32_t elements, ChunkCount count, PredictedCosts costs) {
    if (costs.empty()) return make_layout(RoundRobinParams{params.block}, elements, count, costs);
    const std::vector<PricedBlock> blocks = costliest_first(params.block, elements, costs);
    const std::uint32_t chunks = count.groups * count.slices;
    const std::size_t most =
        (blocks.size() + chunks - 1) / chunks;   // else cheap blocks pile up, and with them headers
    std::vector<std::vector<Segment>> result(chunks);
    std::vector<std::uint64_t> load(chunks);
    for (const PricedBlock& block : blocks) {
        std::uint32_t best = chunks;
        for (std::uint32_t c = 0; c < chunks; ++c)
            if (result[c].size() < most && (best == chunks || load[c] < load[best])) best = c;
        result[best].push_back(block.segment);
        load[best] += block.cost;
    }
    for (auto& segments : result) std::ranges::sort(segments, {}, &Segment::begin);
    return ChunkLayout(std::move(result));
}

ChunkLayout make_layout(const MeasuredParams& params, std::uint32_t elements, ChunkCount count, PredictedCosts costs) {
    const std::vector<std::uint32_t> alike(costs.empty() ? elements : 0, 1);
    return make_layout(PredictedParams{params.granularity}, elements, count, costs.empty() ? alike : costs);
}

ChunkLayout make_layout(const LeaderParams& params, std::uint32_t elements, ChunkCount count, PredictedCosts costs) {
    return make_layout(PredictedParams{params.granularity}, elements, count, costs);
}

ChunkLayout make_layout(const ChunkKind& kind, std::uint32_t elements, ChunkCount count, PredictedCosts costs) {
    return std::visit([&](const auto& params) { return make_layout(params, elements, count, costs); }, kind.params);
}

std::vector<std::uint32_t> ends_of(const ChunkLayout& layout, ChunkCount count) {
    std::vector<std::uint32_t> ends;
    std::uint32_t end = 0;
    for (std::uint32_t group = 0; group < count.groups; ++group)
        for (std::uint32_t slice = 0; slice < count.slices; ++slice)
            ends.push_back(end += layout.size(ChunkId{slice * count.groups + group}));
    return ends;
}

ChunkLayout layout_of_ends(std::span<const std::uint32_t> ends, ChunkCount count) {
    std::vector<std::uint32_t> bounds{0};
    bounds.insert(bounds.end(), ends.begin(), ends.end());
    return from_pieces(bounds, count);
}

std::vector<std::uint64_t> slice_sizes(const ChunkLayout& layout, std::uint32_t slices) {
    std::vector<std::uint64_t> sizes(slices);
    for (ChunkId chunk; chunk.value < layout.chunks(); ++chunk.value)
        sizes[chunk.value / (layout.chunks() / slices)] += layout.size(chunk);
    return sizes;
}

}   // namespace oscar

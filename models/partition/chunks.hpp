// Splitting a bucket into the chunks that travel: where the boundaries lie, and values in and out of a chunk.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "models/core/fields.hpp"
#include "models/core/index.hpp"
#include "models/core/kinds.hpp"

namespace oscar {

/// A run of elements [begin, end) of the bucket.
struct Segment {
    std::uint32_t begin = 0, end = 0;
    friend bool operator==(Segment, Segment) = default;
};

/// The partition of a bucket into chunks; each element is in exactly one. Law: scatter(gather(v)) == v.
class ChunkLayout {
public:
    ChunkLayout() = default;
    /// chunks[c] lists the segments of chunk c in the order in which they travel.
    explicit ChunkLayout(std::vector<std::vector<Segment>> chunks);
    /// Chunks of which only the sizes are known, [chunk], for messages without values: they have no segments. All
    /// together may have 2^32 elements and more.
    static ChunkLayout of_sizes(std::vector<std::uint32_t> sizes);

    /// Number of chunks, empty ones included.
    std::uint32_t chunks() const { return static_cast<std::uint32_t>(sizes_.size()); }
    std::uint32_t size(ChunkId chunk) const { return sizes_[chunk.value]; }   ///< elements of the chunk
    /// The segments of a chunk in travelling order, none of them empty.
    std::span<const Segment> segments(ChunkId chunk) const {
        return chunks_.empty() ? std::span<const Segment>{} : chunks_[chunk.value];
    }

    /// The values of one chunk, in travelling order; T is copyable.
    template <class T>
    std::vector<T> gather(ChunkId chunk, std::span<const T> bucket) const {
        std::vector<T> values;
        values.reserve(size(chunk));
        for (const Segment s : segments(chunk))
            values.insert(values.end(), bucket.begin() + s.begin, bucket.begin() + s.end);
        return values;
    }
    /// Calls f(element index, position in the chunk) for each value of a chunk.
    template <class F>
    void for_each(ChunkId chunk, F&& f) const {
        std::uint32_t position = 0;
        for (const Segment s : segments(chunk))
            for (std::uint32_t i = s.begin; i < s.end; ++i) f(i, position++);
    }
    friend bool operator==(const ChunkLayout&, const ChunkLayout&) = default;

private:
    std::vector<std::vector<Segment>> chunks_;
    std::vector<std::uint32_t> sizes_;
};

/// Number of chunks: `groups` (one per rank), each cut in `slices`. Chunk c of slice k has the id k * groups + c.
struct ChunkCount {
    std::uint32_t groups = 1, slices = 1;
};

/// The values of each of `slices` slices. Precondition: they divide the chunks.
std::vector<std::uint64_t> slice_sizes(const ChunkLayout& layout, std::uint32_t slices);

/// Cost of each element in 1/256 bit, which all ranks know before the iteration: predicted from the reduced integers of
/// t-1 (docs/chunks.md); empty when there is no t-1.
using PredictedCosts = std::span<const std::uint32_t>;

/// Quantity whose costs a layout wants.
enum class CostSource : std::uint8_t {
    none,       ///< it wants none
    sums,       ///< the reduced integers of t-1
    measured,   ///< the costs in the trailers of all messages of t-1; a block's stands at its first element
    rank0       ///< the codes of rank 0 in t, which only rank 0 has: it cuts for all and tells them where
};

/// Contiguous chunks whose element counts differ by at most one.
struct EqualParams {
    static constexpr CostSource costs = CostSource::none;
    static constexpr auto fields() { return Entries{}; }
};
/// Quantity of which all chunks have equal shares.
enum class Balance : std::uint8_t { bits, time };
constexpr auto choices(Balance) {
    return std::array{Choice{"bits", Balance::bits, "coded size"},
                      Choice{"time", Balance::time,
                             "time: that of the coded size on the link, or of the values in DMA and engine where that "
                             "is longer"}};
}

/// Contiguous chunks of equal predicted cost, cut at multiples of `granularity` elements. Without a prediction: equal.
/// By time, each run of `granularity` elements costs at least what its values take in DMA and engine (cost_floor.hpp).
struct PredictedParams {
    static constexpr CostSource costs = CostSource::sums;
    std::uint32_t granularity = 64;
    bool fallback = true;
    Balance balance = Balance::bits;
    static constexpr auto fields() {
        return Entries{
            field("granularity", &PredictedParams::granularity, "elements between possible boundaries", 1u, 65536u),
            field("fallback", &PredictedParams::fallback,
                  "equal chunks after an iteration in which they would have been better than the prediction"),
            field("balance", &PredictedParams::balance, "cost of which all chunks have equal shares")};
    }
};
/// Blocks of `block` elements dealt to the chunks in turn: static and balanced, but scattered in memory.
struct RoundRobinParams {
    static constexpr CostSource costs = CostSource::none;
    std::uint32_t block = 256;
    static constexpr auto fields() {
        return Entries{field("block", &RoundRobinParams::block, "elements of a block", 1u, 65536u)};
    }
};
/// Blocks of `block` elements dealt by predicted cost: the costliest first, each to the chunk that is cheapest so far
/// (longest processing time first, Graham 1969), at most ceil(blocks / chunks) to one. Each chunk so has blocks of all
/// costs, from all over the bucket. Without a prediction: dealt in turn.
struct GreedyParams {
    static constexpr CostSource costs = CostSource::sums;
    std::uint32_t block = 64;
    static constexpr auto fields() {
        return Entries{field("block", &GreedyParams::block, "elements of a block", 1u, 65536u)};
    }
};
/// Like PredictedParams, but by the cost of blocks of `granularity` elements in all messages of t-1, whose trailers
/// carry it. Boundaries are at multiples of the granularity, also without a history.
struct MeasuredParams {
    static constexpr CostSource costs = CostSource::measured;
    std::uint32_t granularity = 256;
    bool fallback = true;
    static constexpr auto fields() {
        return Entries{
            field("granularity", &MeasuredParams::granularity,
                  "elements of a block, whose cost takes two bytes in each message", 1u, 65536u),
            field("fallback", &MeasuredParams::fallback,
                  "equal chunks after an iteration in which they would have been better than the measured boundaries")};
    }
};
/// Like PredictedParams, but of the codes of the coming iteration at rank 0. Without a history nothing is told: equal.
struct LeaderParams {
    static constexpr CostSource costs = CostSource::rank0;
    std::uint32_t granularity = 64;
    static constexpr auto fields() {
        return Entries{
            field("granularity", &LeaderParams::granularity, "elements between possible boundaries", 1u, 65536u)};
    }
};

inline constexpr auto chunk_kinds = Entries{
    kind<EqualParams>("equal", "contiguous, equal numbers of elements"),
    kind<PredictedParams>("predicted",
                          "contiguous, equal coded size or time, predicted from the reduced gradient of t-1"),
    kind<RoundRobinParams>("round_robin", "blocks assigned in turn"),
    kind<GreedyParams>(
        "greedy",
        "blocks by predicted cost, longest processing time first, predicted from the reduced gradient of t-1"),
    kind<MeasuredParams>("measured",
                         "contiguous, equal cost as measured in all messages of t-1, whose trailers carry it"),
    kind<LeaderParams>("leader",
                       "contiguous, equal cost of the codes of rank 0, the leader, which broadcasts the boundaries"),
};
using ChunkKind = OneOf<chunk_kinds>;

/// Piece p of P begins at element floor(p * elements / P); `costs` are not used.
ChunkLayout make_layout(const EqualParams& params, std::uint32_t elements, ChunkCount count, PredictedCosts costs);
/// Cuts where the share of a piece is reached, at the nearer multiple of the granularity; chunks may be empty.
ChunkLayout make_layout(const PredictedParams& params, std::uint32_t elements, ChunkCount count, PredictedCosts costs);
/// Block b goes to chunk b mod chunks; `costs` are not used.
ChunkLayout make_layout(const RoundRobinParams& params, std::uint32_t elements, ChunkCount count, PredictedCosts costs);
/// A chunk's blocks travel in the order of the bucket. Of blocks of equal cost the first is dealt first.
ChunkLayout make_layout(const GreedyParams& params, std::uint32_t elements, ChunkCount count, PredictedCosts costs);
/// Without costs, elements count alike, so that cuts stay at multiples of the granularity.
ChunkLayout make_layout(const MeasuredParams& params, std::uint32_t elements, ChunkCount count, PredictedCosts costs);
/// Cuts like PredictedParams, by the codes of rank 0; without costs, equal chunks.
ChunkLayout make_layout(const LeaderParams& params, std::uint32_t elements, ChunkCount count, PredictedCosts costs);
/// The layout of the chosen kind. `costs` cover the bucket or are empty. Law: equal arguments give equal layouts.
ChunkLayout make_layout(const ChunkKind& kind, std::uint32_t elements, ChunkCount count, PredictedCosts costs);

/// Where each of the groups * slices pieces of a layout of contiguous chunks ends, in the order of the elements. Law:
/// layout_of_ends(ends_of(layout, count), count) == layout.
std::vector<std::uint32_t> ends_of(const ChunkLayout& layout, ChunkCount count);
/// The contiguous layout whose pieces end there. Precondition: `ends` has groups * slices numbers, in ascending order.
ChunkLayout layout_of_ends(std::span<const std::uint32_t> ends, ChunkCount count);

}   // namespace oscar

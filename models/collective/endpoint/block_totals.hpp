// The cost of each block of a bucket over all messages of an AllReduce, and the trailers of messages that carry it
// (docs/chunks.md, `measured`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/partition/chunks.hpp"

namespace oscar {

/// Blocks are runs of `granularity` elements of the bucket; their totals are counts of 2^shift / 256 bit.
struct BlockUnit {
    std::uint32_t granularity = 64, shift = 0;
    friend bool operator==(BlockUnit, BlockUnit) = default;
};

/// The finest unit in which the total of a block cannot exceed 16 bits, if its elements travel `messages` times at
/// no more than `bits` bits each.
BlockUnit finest_unit(std::uint32_t granularity, std::uint32_t messages, std::uint32_t bits);

/// One rank's running totals. Chunks given to it begin at multiples of the granularity.
class BlockTotals {
public:
    explicit BlockTotals(BlockUnit unit) : unit_(unit) {}

    /// All blocks of a bucket of `elements` elements have cost nothing.
    void begin(std::uint32_t elements);
    /// Adds to the blocks of a chunk what its values cost, in 1/256 bit each and in travelling order, in `messages`
    /// messages. Rounds each block to the nearest unit and saturates.
    void add_costs(std::span<const Segment> chunk, std::span<const std::uint32_t> costs, std::uint32_t messages);

    /// The size of a chunk's trailer: two bytes per block.
    std::uint64_t trailer_bytes(std::span<const Segment> chunk) const;
    /// Appends the totals of a chunk's blocks in travelling order, in units, 16 bit each, little endian.
    void append_trailer(std::span<const Segment> chunk, std::vector<std::byte>& out) const;
    /// Adds the totals in a trailer to the totals of the chunk's blocks, and saturates.
    void add(std::span<const Segment> chunk, std::span<const std::byte> trailer);
    /// Sets the totals of a chunk's blocks to those in a trailer.
    void replace(std::span<const Segment> chunk, std::span<const std::byte> trailer);

    /// The totals in units, per block of the bucket.
    const std::vector<std::uint16_t>& units() const { return units_; }
    /// The totals per element, as a layout takes them: a block's total at its first element, 0 elsewhere.
    std::vector<std::uint32_t> costs(std::uint32_t elements) const;

    friend bool operator==(const BlockTotals&, const BlockTotals&) = default;

private:
    /// Calls f(block) for each block of a chunk in travelling order.
    template <class F>
    void for_each_block(std::span<const Segment> chunk, F&& f) const {
        for (const Segment s : chunk)
            for (std::uint32_t begin = s.begin; begin < s.end; begin += unit_.granularity) f(begin / unit_.granularity);
    }

    BlockUnit unit_;
    std::vector<std::uint16_t> units_;
};

}   // namespace oscar

// The lanes of encoder_array.sv with the queues before them, as far as their cycles differ.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "models/engine/arrays/lane_stalls.hpp"
#include "models/engine/arrays/slot_sequencer.hpp"

namespace oscar {

/// Lanes without stalls move as one, which has the entries of the lowest of them: it has an entry in each slot in which
/// another has one. Others are followed by themselves from the block on in which they stall, until they are in step
/// again.
class EncoderLanes {
public:
    explicit EncoderLanes(const ArrayShape& shape);

    /// Each queue has room for an entry.
    bool has_room() const;
    /// The slots of a coded block follow.
    void begin(const ArrayBlock& block);
    /// What a slot of the block at hand has for the lanes.
    void push(const SlotSequencer& slots);
    /// Its last slot is pushed.
    void end() { blocks_.back().all_pushed = true; }
    /// The packer sees in this cycle that all streams of the oldest block are complete.
    bool complete(Cycles now) const;
    /// The packer has taken the oldest block.
    void drop_oldest() { blocks_.pop_front(); }
    /// The edge that ends cycle `now`; push() comes after it.
    void step(Cycles now);

private:
    struct BlockInLanes {
        std::uint64_t number = 0;
        bool all_pushed = false;
        std::uint32_t entries = 0;   // that are in the lanes that are followed
        Cycles full = 0;             // not before this cycle
        std::vector<LaneStall> stalls;
    };
    struct Entry {
        std::uint64_t block = 0;
        std::uint32_t stream = 0, round = 0;
        std::uint32_t lanes = 0;   // that have an entry in this slot
    };
    struct InLane {
        Entry entry;
        Cycles packs = 0;   // in this of the lane's cycles it is in the packer
    };
    struct Lane {
        std::optional<std::uint32_t> number = {};   // nothing: all that are not followed by themselves
        std::deque<Entry> queue = {};
        std::deque<InLane> inside = {};
        std::uint32_t turn = 0;
        Cycles moved = 0;           // cycles in which it moved
        std::uint32_t frozen = 0;   // cycles for which it does not move
    };
    BlockInLanes& block_of(const Entry& entry) {
        return blocks_[static_cast<std::size_t>(entry.block - blocks_.front().number)];
    }
    bool is_followed(std::uint32_t lane) const;
    void follow(std::uint32_t lane);
    void forget_lanes_in_step();
    void find_lowest();
    void move(Lane& lane, Cycles now);
    void pack(Lane& lane, const Entry& entry, Cycles now);

    ArrayShape shape_;
    std::deque<BlockInLanes> blocks_;
    std::uint64_t next_number_ = 0;
    std::vector<Lane> lanes_;
    std::uint32_t lowest_ = 0;   // of the lanes that move as one
};

}   // namespace oscar

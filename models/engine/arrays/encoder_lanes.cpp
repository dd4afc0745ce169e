#include "models/engine/arrays/encoder_lanes.hpp"

#include <algorithm>

namespace oscar {
namespace {

constexpr std::size_t queue_depth = 4;

/// Cycles from the queue to the packer: row, counts, recurrence.
constexpr Cycles before_packer(const ArrayShape& shape) { return shape.streams + 1; }

/// From there to the cycle in which block_packer sees a stream complete: chunk, words, buffer.
constexpr Cycles behind_packer = 3;

}   // namespace

EncoderLanes::EncoderLanes(const ArrayShape& shape) : shape_(shape), lanes_(1) {}

bool EncoderLanes::has_room() const {
    return std::ranges::all_of(lanes_, [](const Lane& lane) { return lane.queue.size() < queue_depth; });
}

void EncoderLanes::begin(const ArrayBlock& block) {
    forget_lanes_in_step();
    blocks_.push_back({.number = next_number_++, .stalls = stalls_of(block)});
    for (const LaneStall& stall : blocks_.back().stalls) follow(stall.sub_stream % shape_.lanes);
}

/// It has been in step with the others, and has their entries, but for those of slots in which it has none.
void EncoderLanes::follow(std::uint32_t lane) {
    if (is_followed(lane)) return;
    Lane copy = lanes_.front();
    copy.number = lane;
    std::erase_if(copy.queue, [lane](const Entry& entry) { return entry.lanes <= lane; });
    std::erase_if(copy.inside, [lane](const InLane& in) { return in.entry.lanes <= lane; });
    for (const Entry& entry : copy.queue) ++block_of(entry).entries;
    for (const InLane& in : copy.inside) ++block_of(in.entry).entries;
    lanes_.push_back(std::move(copy));
    find_lowest();
}

bool EncoderLanes::is_followed(std::uint32_t lane) const {
    return std::ranges::find(lanes_, lane, &Lane::number) != lanes_.end();
}

void EncoderLanes::find_lowest() {
    lowest_ = 0;
    while (is_followed(lowest_)) ++lowest_;
    Lane& others = lanes_.front();
    const auto drop = [&](const Entry& entry) {
        if (entry.lanes > lowest_) return false;
        --block_of(entry).entries;
        return true;
    };
    std::erase_if(others.queue, drop);
    std::erase_if(others.inside, [&](const InLane& in) { return drop(in.entry); });
}

void EncoderLanes::forget_lanes_in_step() {
    const Lane& first = lanes_.front();
    std::erase_if(lanes_, [&first](const Lane& lane) {
        return lane.number && lane.queue.empty() && lane.inside.empty() && lane.frozen == 0 && lane.turn == first.turn;
    });
    find_lowest();
}

void EncoderLanes::push(const SlotSequencer& slots) {
    const Entry entry{blocks_.back().number, slots.stream(), slots.round(), slots.entries()};
    for (Lane& lane : lanes_)
        if (lane.number.value_or(lowest_) < entry.lanes) {
            lane.queue.push_back(entry);
            ++blocks_.back().entries;
        }
}

bool EncoderLanes::complete(Cycles now) const {
    if (blocks_.empty()) return false;
    const BlockInLanes& oldest = blocks_.front();
    return oldest.all_pushed && oldest.entries == 0 && oldest.full <= now;
}

void EncoderLanes::pack(Lane& lane, const Entry& entry, Cycles now) {
    BlockInLanes& block = block_of(entry);
    --block.entries;
    if (lane.number) {
        const std::uint32_t sub_stream = entry.stream * shape_.lanes + *lane.number;
        for (const LaneStall& stall : block.stalls)
            if (stall.sub_stream == sub_stream && stall.round == entry.round) lane.frozen = stall.cycles;
    }
    block.full = std::max(block.full, now + lane.frozen + behind_packer);
}

void EncoderLanes::move(Lane& lane, Cycles now) {
    if (lane.frozen > 0) {
        --lane.frozen;
        return;
    }
    if (!lane.queue.empty() && lane.queue.front().stream == lane.turn) {
        lane.inside.push_back({lane.queue.front(), lane.moved + before_packer(shape_)});
        lane.queue.pop_front();
    }
    lane.turn = (lane.turn + 1) % shape_.streams;
    if (!lane.inside.empty() && lane.inside.front().packs == lane.moved) {
        pack(lane, lane.inside.front().entry, now);
        lane.inside.pop_front();
    }
    ++lane.moved;
}

void EncoderLanes::step(Cycles now) {
    for (Lane& lane : lanes_) move(lane, now);
}

}   // namespace oscar

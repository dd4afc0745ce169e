#include "models/nic/wire/message_shape.hpp"

namespace oscar {
namespace {

/// Whether a NIC does the same for both.
bool alike(const Block& a, const Block& b) {
    return a.values == b.values && a.work == b.work && a.mode == b.mode && a.check == b.check;
}

/// One after the other in any case; together, if they are alike and evenly apart.
void append(std::vector<BlockBatches>& all, const BlockBatches& next) {
    if (!all.empty()) {
        BlockBatches& last = all.back();
        const std::uint32_t away = next.packet - last.packet;
        const bool even = last.packets == 1 ? away > 0 : away == last.packets * last.stride;
        if (even && !last.continues && last.blocks == next.blocks && alike(*last.block, *next.block)) {
            if (last.packets == 1) last.stride = away;
            ++last.packets;
            return;
        }
    }
    all.push_back(next);
}

void append(std::vector<BlockRun>& runs, const Block& block) {
    if (!runs.empty() && alike(*runs.back().block, block)) ++runs.back().count;
    else runs.push_back({runs.empty() ? 0 : runs.back().first + runs.back().count, 1, &block});
}

}   // namespace

MessageShape shape_of(const Encoded& message, Bytes packet) {
    MessageShape shape;
    shape.packets = static_cast<std::uint32_t>(packets_of(message.size(), packet));
    shape.complete = shape.ends = {0};
    const auto add_complete = [&](std::uint32_t last) {
        if (last > shape.complete.back()) shape.complete.push_back(last);
    };
    BlockBatches batch{.blocks = 0};
    for (const Block& block : message.blocks) {
        const auto last = static_cast<std::uint32_t>(packets_of(block.offset + block.bytes, packet) - 1);
        add_complete(last);
        append(shape.runs, block);
        if (batch.blocks > 0 && batch.packet == last && alike(*batch.block, block)) {
            ++batch.blocks;
            continue;
        }
        const bool continues = batch.blocks > 0 && batch.packet == last;
        if (batch.blocks > 0) append(shape.batches, batch);
        batch = {.packet = last, .block = &block, .continues = continues};
    }
    if (batch.blocks > 0) append(shape.batches, batch);
    add_complete(shape.packets - 1);
    if (shape.packets > 1) shape.ends.push_back(shape.packets - 1);
    return shape;
}

std::shared_ptr<const MessageShape> MessageShapes::of(const std::shared_ptr<const Encoded>& message) {
    if (const auto found = cache_.find(message.get()); found != cache_.end()) return found->second.shape;
    auto shape = std::make_shared<const MessageShape>(shape_of(*message, packet_));
    const bool shared = message->values && message->values->empty();   // it shows neither bytes nor values
    if (!shared) return shape;
    if (cache_.size() == most) cache_.clear();
    cache_[message.get()] = {message, shape};
    return shape;
}

}   // namespace oscar

#include "models/engine/arrays/decoder_cycles.hpp"

#include <algorithm>

namespace oscar {

void RawUnpackerCycles::step(bool begins, std::uint32_t taken_bits, std::uint32_t bytes) {
    fill_ = begins ? 0 : fill_ - taken_bits + 8 * bytes;
}

void BlockUnpackerCycles::announce(const ArrayBlock& block, std::uint32_t rows) {
    block_ = block;
    seen_ = false;
    at_ = 0;
    unread_ = block.bytes.size();
    left_ = block.bytes.size() - header_bytes();
    if (is_raw()) return;
    BlockChunks chunks = chunks_of(block, rows);
    head_ = std::move(chunks.table);
    head_.insert(head_.end(), chunks.lengths.begin(), chunks.lengths.end());
    body_ = std::move(chunks.body);
}

bool BlockUnpackerCycles::may_begin(const Room& room) const {
    if (!block_ || !seen_ || fill_ < header_bytes()) return false;
    return is_raw() ? room.raw_free : room.half_free[half_] && (!brings() || room.table_free);
}

BlockUnpackerCycles::Cycle BlockUnpackerCycles::cycle(const Room& room) const {
    Cycle now;
    const auto use = [&](std::uint32_t bytes) { return bytes <= fill_ ? bytes : 0; };
    switch (state_) {
        case State::header:
            if (!may_begin(room)) break;
            now.begins = true;
            now.used = header_bytes();
            break;
        case State::chunks:
            now.used = use(head_[at_]);
            break;
        case State::body:
            now.used = use(body_[at_]);
            now.finishes = now.used > 0 && at_ + 1 == body_.size();
            break;
        case State::raw: {
            const auto part = static_cast<std::uint32_t>(std::min<std::uint64_t>(row_bytes, left_));
            if (room.raw_ready) now.used = now.raw = use(part);
            now.finishes = left_ == 0;
            break;
        }
        default:
            break;
    }
    now.takes_beat = unread_ > 0 && fill_ - now.used <= row_bytes;
    now.takes_last = now.takes_beat && unread_ <= row_bytes;
    return now;
}

SharedBlock BlockUnpackerCycles::current(const ArrayShape& shape) const {
    UnpackedBlock block{*block_, is_raw(), brings(), half_};
    if (!block.raw)
        for (const auto kind : {WordTakes::Kind::symbols, WordTakes::Kind::offsets})
            block.takes.emplace_back(*block_, shape, kind);
    return std::make_shared<const UnpackedBlock>(std::move(block));
}

void BlockUnpackerCycles::move_on(const Cycle& now) {
    switch (state_) {
        case State::header:
            if (now.begins) state_ = is_raw() ? State::raw : State::chunks;
            break;
        case State::chunks:
            if (now.used > 0 && ++at_ == head_.size()) state_ = State::add;
            break;
        case State::add:
            state_ = State::check;
            at_ = 0;
            break;
        case State::check:
            state_ = State::body;
            break;
        case State::body:
            if (now.used > 0) ++at_;
            if (now.finishes) half_ ^= 1;
            break;
        case State::raw:
            left_ -= now.raw;
            break;
    }
}

void BlockUnpackerCycles::step(const Cycle& now) {
    move_on(now);
    const auto beat = static_cast<std::uint32_t>(std::min<std::size_t>(row_bytes, unread_));
    fill_ -= now.used;
    if (now.takes_beat) {
        fill_ += beat;
        unread_ -= beat;
    }
    seen_ = block_.has_value();
    if (!now.finishes) return;
    state_ = State::header;
    block_.reset();
    seen_ = false;
}

bool DecoderCycles::pipe_empty() const {
    return std::none_of(pipe_.begin(), pipe_.begin() + static_cast<std::ptrdiff_t>(stages()),
                        [](const Stage& stage) { return stage.beat || stage.ends; });
}

DecoderCycles::Slot DecoderCycles::slot() const {
    Slot now;
    const bool lanes_beat = pipe_[stages() - 1].beat;
    now.raw_takes = has_beat() && in_slots_->raw && raw_.has(raw_bits()) && !lanes_beat;
    now.advances = slots_.busy() && (!in_slots_->raw || now.raw_takes || !has_beat());
    now.adds = lanes_beat || now.raw_takes;
    if (queue_.empty()) return now;
    const UnpackedBlock& next = *queue_.front();
    const bool free = !slots_.busy() || (now.advances && slots_.last());
    const bool ready =
        next.raw ? pipe_empty() && !slots_.busy() : primed(next.half) && !(slots_.busy() && in_slots_->raw);
    now.starts = free && ready && !(next.brings_table && table_rows_left_ > 0);
    return now;
}

void DecoderCycles::clock_lanes(const Slot& now) {
    const Stage& released = pipe_[shape_.streams];
    if (released.ends) {
        halves_[released.half] = {};
        for (PrefetchCycles& prefetch : prefetch_) prefetch.clear(released.half);
    }
    const Stage& out = pipe_[stages() - 1];
    out_last_ = now.adds && (out.beat ? out.last : slots_.last_symbols());
    std::shift_right(pipe_.begin(), pipe_.begin() + static_cast<std::ptrdiff_t>(stages()), 1);
    const bool coded = slots_.busy() && !in_slots_->raw;
    pipe_[0] = {coded && has_beat(),
                slots_.last_symbols(),
                coded && slots_.last(),
                in_slots_->half,
                slots_.stream(),
                slots_.round(),
                in_slots_};
}

/// The last word arrives, is counted, and lets the block begin.
bool DecoderCycles::primed(std::uint32_t half) const {
    return halves_[half].in_lanes && std::ranges::all_of(prefetch_, [&](const PrefetchCycles& prefetch) {
               return prefetch.filled(half) && prefetch.last_fetch(half) + 3 <= cycle_;
           });
}

/// Symbol words are taken in the first stage of the lanes, offset words behind the recurrence.
void DecoderCycles::clock_prefetch() {
    const std::array<bool, 2> loaded{halves_[0].in_lanes, halves_[1].in_lanes};
    for (std::size_t kind = 0; kind < prefetch_.size(); ++kind) {
        const Stage& stage = pipe_[kind == 0 ? 0 : shape_.streams];
        PrefetchCycles::Take take{.ends = stage.ends};
        if (stage.beat) {
            take.stream = stage.stream;
            take.lanes = stage.block->takes[kind].in_slot(stage.round, stage.stream);
        }
        prefetch_[kind].step(cycle_, loaded, take);
    }
}

void DecoderCycles::clock_queue(const Slot& now, SharedBlock pushed) {
    if (now.advances) slots_.advance();
    if (now.starts) {
        in_slots_ = queue_.front();
        queue_.pop_front();
        slots_ = SlotSequencer(in_slots_->block, shape_, false);
    }
    if (const SharedBlock& later = wires_.back()) {
        queue_.push_back(later);
        if (!later->raw) halves_[later->half].in_lanes = true;
    }
    std::shift_right(wires_.begin(), wires_.end(), 1);
    wires_.front() = std::move(pushed);
}

void DecoderCycles::clock_table(bool comes) {
    const bool writes = !queue_.empty() && queue_.front()->brings_table && pipe_empty() && !slots_.busy();
    if (comes) table_rows_left_ = table_rows;
    else if (writes && table_rows_left_ > 0) --table_rows_left_;
}

ArrayEvents DecoderCycles::step() {
    const Slot now = slot();
    const std::uint32_t raw_taken = now.raw_takes ? raw_bits() : 0;
    const auto unpacking = unpacker_.cycle({.half_free = {!halves_[0].occupied, !halves_[1].occupied},
                                            .table_free = table_rows_left_ == 0,
                                            .raw_free = raw_free_,
                                            .raw_ready = raw_.in_ready(raw_taken)});
    const ArrayEvents events{.taken = unpacking.takes_last, .finished = out_last_};
    SharedBlock current, pushed = loaded_;
    const bool begins_raw = unpacking.begins && unpacker_.is_raw();
    if (unpacking.finishes || begins_raw) current = unpacker_.current(shape_);
    if (begins_raw) pushed = current;
    SharedBlock loads = unpacking.finishes && !current->raw ? current : nullptr;
    clock_table(loads && loads->brings_table);
    if (begins_raw) raw_free_ = false;
    else if (now.advances && in_slots_->raw && slots_.last()) raw_free_ = true;
    raw_.step(begins_raw, raw_taken, unpacking.raw);
    clock_prefetch();
    clock_lanes(now);
    if (loaded_) halves_[loaded_->half].occupied = true;
    clock_queue(now, std::move(pushed));
    loaded_ = std::move(loads);
    unpacker_.step(unpacking);
    ++cycle_;
    return events;
}

}   // namespace oscar

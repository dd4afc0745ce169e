#include "models/engine/arrays/encoder_cycles.hpp"

#include <algorithm>

namespace oscar {

void RawPackerCycles::give(std::uint32_t bits, bool last) {
    out_valid_ = true;
    out_bytes_ = static_cast<std::uint8_t>((bits + 7) / 8);
    out_last_ = last;
}

void RawPackerCycles::step(bool out_ready, std::optional<std::uint32_t> bits, bool last) {
    constexpr std::uint32_t chunk_bits = 8 * row_bytes;
    const bool takes_all_now = takes_all(), moving = moves(out_ready);
    if (moving) {
        out_valid_ = false;
        if (ending_) {
            give(fill_, true);
            ending_ = false;
            fill_ = 0;
        } else if (held_) {
            const std::uint32_t part = std::min(size_, chunk_bits), after = fill_ + part;
            const bool end = takes_all_now && last_;
            held_ = !takes_all_now;
            size_ -= part;
            if (after >= chunk_bits) {
                give(chunk_bits, end && after == chunk_bits);
                fill_ = after - chunk_bits;
                ending_ = end && after != chunk_bits;
            } else {
                fill_ = after;
                if (end) {
                    give(after, true);
                    fill_ = 0;
                }
            }
        }
    }
    if (!bits) return;
    held_ = true;
    size_ = *bits;
    last_ = last;
}

void BeatPackerCycles::step(bool valid, std::uint32_t bytes, bool last) {
    tvalid_ = false;
    if (ending_) {
        tvalid_ = tlast_ = true;
        ending_ = false;
        fill_ = 0;
        return;
    }
    if (!valid) return;
    const std::uint32_t after = fill_ + bytes;
    tvalid_ = last || after >= row_bytes;
    tlast_ = last && after <= row_bytes;
    ending_ = last && after > row_bytes;
    fill_ = tlast_ ? 0 : after % row_bytes;
}

BlockPackerCycles::Cycle BlockPackerCycles::cycle(const RawPackerCycles& raw) const {
    Cycle now{.go = beats_.in_ready() || !pipe_[2].valid};
    now.raw_ready = now.go && state_ == State::raw;
    now.finishes = (now.go && state_ == State::chunks && !raw_ && at_ + 1 == sizes_.size()) ||
                   (now.raw_ready && raw.out_valid() && raw.out_last());
    return now;
}

/// Header and first lengths, or header, table and first lengths; further lengths; the body.
void BlockPackerCycles::begin(const ArrayBlock& block, const BlockChunks* chunks) {
    raw_ = block.header.mode == BlockMode::raw;
    at_ = 0;
    sizes_.assign(block.bare ? 0 : 1, block_header_bytes);
    state_ = block.bare ? State::raw : State::chunks;
    if (raw_) return;
    sizes_.insert(sizes_.end(), chunks->table.begin(), chunks->table.end());
    if (chunks->table.empty()) sizes_.front() += chunks->lengths.front();
    sizes_.insert(sizes_.end(), chunks->lengths.begin() + (chunks->table.empty() ? 1 : 0), chunks->lengths.end());
    sizes_.insert(sizes_.end(), chunks->body.begin(), chunks->body.end());
}

BlockPackerCycles::Chunk BlockPackerCycles::next_chunk(const Cycle& now, const RawPackerCycles& raw) const {
    if (state_ == State::chunks) return {true, now.finishes, sizes_[at_]};
    if (state_ == State::raw) return {raw.out_valid(), now.finishes, raw.out_bytes()};
    return {};
}

void BlockPackerCycles::step(const Cycle& now, bool ready, const ArrayBlock* block, const BlockChunks* chunks,
                             const RawPackerCycles& raw) {
    const Chunk out = pipe_[2];
    if (now.go) pipe_ = {next_chunk(now, raw), pipe_[0], pipe_[1]};
    beats_.step(out.valid, out.bytes, out.last);
    switch (state_) {
        case State::idle:
            if (block != nullptr && ready) state_ = State::add;
            break;
        case State::add:
            begin(*block, chunks);
            break;
        case State::chunks:
            if (!now.go) break;
            ++at_;
            if (raw_) state_ = State::raw;
            if (now.finishes) state_ = State::idle;
            break;
        case State::raw:
            if (now.finishes) state_ = State::idle;
            break;
    }
}

bool EncoderCycles::can_take() const {
    if (announced_ || has_input_ || inside_.size() >= blocks_depth) return false;
    if (!slots_.busy()) return true;
    const auto packer = packer_.cycle(raw_);
    return distribute(packer.raw_ready).advances && slots_.last();
}

void EncoderCycles::take(const ArrayBlock& block) {
    announced_ = block;
    has_input_ = true;
}

EncoderCycles::Distributed EncoderCycles::distribute(bool raw_ready) const {
    Distributed now;
    if (!slots_.busy()) return now;
    const bool raw = slots_are_raw(), beat = slots_.count() != 0;
    const bool room = raw ? raw_.in_ready(raw_ready) || !beat : lanes_.has_room();
    now.advances = room && (has_input_ || !beat);
    if (!now.advances || !beat) return now;
    now.last_symbols = slots_.last_symbols();
    now.taken = now.last_symbols;
    if (raw) now.raw_bits = slots_.count() * in_slots_.width;
    return now;
}

void EncoderCycles::clock_lanes(const Distributed& now) {
    lanes_.step(cycle_);
    if (!now.advances || slots_are_raw()) return;
    lanes_.push(slots_);
    if (slots_.last()) lanes_.end();
}

void EncoderCycles::begin_announced() {
    slots_ = SlotSequencer(*announced_, shape_, announced_->header.mode != BlockMode::raw);
    in_slots_ = *announced_;
    announced_.reset();
    inside_.push_back({in_slots_, {}, slots_are_raw()});
    if (slots_are_raw()) return;
    inside_.back().chunks = chunks_of(in_slots_, shape_.rows);
    lanes_.begin(in_slots_);
}

ArrayEvents EncoderCycles::step() {
    const BlockPackerCycles::Cycle packer = packer_.cycle(raw_);
    const Distributed now = distribute(packer.raw_ready);
    ArrayEvents events{.taken = now.taken, .finished = packer_.gives_last()};
    const Inside* const next = inside_.empty() ? nullptr : &inside_.front();
    const bool ready = next != nullptr && (next->raw || lanes_.complete(cycle_));
    packer_.step(packer, ready, next != nullptr ? &next->block : nullptr, next != nullptr ? &next->chunks : nullptr,
                 raw_);
    raw_.step(packer.raw_ready, now.raw_bits, now.last_symbols);
    clock_lanes(now);
    if (now.advances) slots_.advance();
    if (now.taken) has_input_ = false;
    if (packer.finishes) {
        if (!next->raw) lanes_.drop_oldest();
        inside_.pop_front();
    }
    if (announced_) begin_announced();
    ++cycle_;
    return events;
}

}   // namespace oscar

// The cycles of decoder_array.sv, by counters of its parts.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "models/engine/arrays/block_chunks.hpp"
#include "models/engine/arrays/prefetch_cycles.hpp"
#include "models/engine/arrays/slot_sequencer.hpp"

namespace oscar {

/// A block between the unpacker and the adders.
struct UnpackedBlock {
    ArrayBlock block;
    bool raw = false;
    bool brings_table = false;
    std::uint32_t half = 0;              ///< of the lanes' buffers
    std::vector<WordTakes> takes = {};   ///< of symbols and offsets, of a coded block
};
using SharedBlock = std::shared_ptr<const UnpackedBlock>;   ///< null: none

/// raw_unpacker.sv: chunks of a raw block become symbols.
class RawUnpackerCycles {
public:
    explicit RawUnpackerCycles(std::uint32_t lanes) : beat_bits_(32 * lanes) {}
    bool has(std::uint32_t bits) const { return fill_ >= bits; }
    bool in_ready(std::uint32_t taken_bits) const { return fill_ - taken_bits <= beat_bits_; }
    void step(bool begins, std::uint32_t taken_bits, std::uint32_t bytes);

private:
    std::uint32_t beat_bits_, fill_ = 0;
};

/// block_unpacker.sv: packets into chunks, a chunk a cycle.
class BlockUnpackerCycles {
public:
    /// What it may do in a cycle.
    struct Room {
        std::array<bool, 2> half_free;
        bool table_free, raw_free, raw_ready;
    };
    /// What it does.
    struct Cycle {
        std::uint32_t used = 0;   ///< bytes
        std::uint32_t raw = 0;    ///< of them, to raw_unpacker
        bool takes_beat = false, takes_last = false;
        bool begins = false;   ///< reads the header
        bool finishes = false;
    };
    bool announced() const { return block_.has_value(); }
    /// Precondition: announced().
    bool is_raw() const { return block_->header.mode == BlockMode::raw; }
    void announce(const ArrayBlock& block, std::uint32_t rows);
    Cycle cycle(const Room& room) const;
    /// The block that finishes, or begins raw, in this cycle.
    SharedBlock current(const ArrayShape& shape) const;
    void step(const Cycle& now);

private:
    enum class State : std::uint8_t { header, chunks, add, check, body, raw };
    std::uint32_t header_bytes() const { return block_->bare ? 0 : block_header_bytes; }
    bool brings() const { return block_->header.mode == BlockMode::coded_inline; }
    bool may_begin(const Room& room) const;
    void move_on(const Cycle& now);

    std::optional<ArrayBlock> block_;
    bool seen_ = false;                       // its announcement has passed a register
    std::vector<std::uint8_t> head_, body_;   // chunks of table and lengths, and of the sub-streams
    State state_ = State::header;
    std::size_t at_ = 0;
    std::uint64_t left_ = 0;   // bytes of a raw block
    std::size_t unread_ = 0;   // bytes of the packet that have not come in
    std::uint32_t fill_ = 0;   // bytes that have, and are not used
    std::uint32_t half_ = 0;
};

class DecoderCycles final : public ArrayModel {
public:
    explicit DecoderCycles(const ArrayShape& shape)
        : shape_(shape), raw_(shape.lanes), prefetch_{PrefetchCycles(shape), PrefetchCycles(shape)} {}

    void reset() override { *this = DecoderCycles(shape_); }
    Cycles load(Widths, std::span<const Table> tables) override { return pass_load_cycles(*this, tables); }
    bool can_take() const override { return !unpacker_.announced(); }
    void take(const ArrayBlock& block) override { unpacker_.announce(block, shape_.rows); }
    ArrayEvents step() override;

private:
    static constexpr std::size_t wire_stages = 5;   // as in engine_top.sv
    static constexpr std::size_t most_stages = 8;
    struct Stage {
        bool beat = false, last = false, ends = false;
        std::uint32_t half = 0, stream = 0, round = 0;
        SharedBlock block = {};
    };
    struct Half {
        bool occupied = false, in_lanes = false;
    };
    /// What happens between queue, slots and adder in a cycle.
    struct Slot {
        bool raw_takes = false, advances = false, starts = false, adds = false;
    };
    std::size_t stages() const { return shape_.streams + 3; }
    bool pipe_empty() const;
    bool has_beat() const { return slots_.busy() && slots_.count() != 0; }
    std::uint32_t raw_bits() const { return slots_.count() * in_slots_->block.width; }
    Slot slot() const;
    void clock_lanes(const Slot& now);
    void clock_queue(const Slot& now, SharedBlock pushed);
    void clock_table(bool comes);
    void clock_prefetch();
    bool primed(std::uint32_t half) const;

    ArrayShape shape_;
    Cycles cycle_ = 0;
    BlockUnpackerCycles unpacker_;
    SharedBlock loaded_;   // its last chunk was written in the cycle before
    std::array<SharedBlock, wire_stages> wires_;
    std::deque<SharedBlock> queue_;
    std::array<Half, 2> halves_;
    SlotSequencer slots_;
    SharedBlock in_slots_ = std::make_shared<const UnpackedBlock>();
    std::array<Stage, most_stages> pipe_;   // the first is the newest
    bool out_last_ = false;                 // sums leave, the last of their block
    std::uint32_t table_rows_left_ = 0;
    bool raw_free_ = true;
    RawUnpackerCycles raw_;
    std::array<PrefetchCycles, 2> prefetch_;   // of symbols and offsets
};

}   // namespace oscar

// The cycles of encoder_array.sv, by counters of its parts.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "models/engine/arrays/block_chunks.hpp"
#include "models/engine/arrays/encoder_lanes.hpp"

namespace oscar {

/// raw_packer.sv: symbols of a raw block become chunks.
class RawPackerCycles {
public:
    bool in_ready(bool out_ready) const { return !ending_ && (!held_ || (moves(out_ready) && takes_all() && !last_)); }
    bool out_valid() const { return out_valid_; }
    std::uint8_t out_bytes() const { return out_bytes_; }
    bool out_last() const { return out_last_; }
    /// `bits`: of the beat that is taken, if one is.
    void step(bool out_ready, std::optional<std::uint32_t> bits, bool last);

private:
    bool moves(bool out_ready) const { return !out_valid_ || out_ready; }
    bool takes_all() const { return size_ <= 8 * row_bytes; }
    void give(std::uint32_t bits, bool last);

    bool held_ = false, last_ = false, ending_ = false, out_valid_ = false, out_last_ = false;
    std::uint32_t size_ = 0;   // bits of the beat that are left
    std::uint32_t fill_ = 0;   // bits that fill no chunk yet
    std::uint8_t out_bytes_ = 0;
};

/// beat_packer.sv: chunks become beats.
class BeatPackerCycles {
public:
    bool in_ready() const { return !ending_; }
    bool gives_last() const { return tvalid_ && tlast_; }
    void step(bool valid, std::uint32_t bytes, bool last);

private:
    std::uint32_t fill_ = 0;
    bool ending_ = false, tvalid_ = false, tlast_ = false;
};

/// block_packer.sv: blocks as they travel, a chunk a cycle.
class BlockPackerCycles {
public:
    /// What it does in a cycle.
    struct Cycle {
        bool go = false;          ///< chunks move
        bool raw_ready = false;   ///< takes a chunk of a raw block
        bool finishes = false;    ///< the block's last chunk
    };
    Cycle cycle(const RawPackerCycles& raw) const;
    bool gives_last() const { return beats_.gives_last(); }
    /// `ready`: the next block's streams are complete, or it is raw. `block` is null if there is none.
    void step(const Cycle& now, bool ready, const ArrayBlock* block, const BlockChunks* chunks,
              const RawPackerCycles& raw);

private:
    enum class State : std::uint8_t { idle, add, chunks, raw };
    struct Chunk {
        bool valid = false, last = false;
        std::uint32_t bytes = 0;
    };
    void begin(const ArrayBlock& block, const BlockChunks* chunks);
    Chunk next_chunk(const Cycle& now, const RawPackerCycles& raw) const;

    State state_ = State::idle;
    std::vector<std::uint32_t> sizes_;   // of the block's chunks
    std::size_t at_ = 0;
    bool raw_ = false;
    std::array<Chunk, 3> pipe_;
    BeatPackerCycles beats_;
};

class EncoderCycles final : public ArrayModel {
public:
    explicit EncoderCycles(const ArrayShape& shape) : shape_(shape), lanes_(shape) {}

    void reset() override { *this = EncoderCycles(shape_); }
    Cycles load(Widths, std::span<const Table> tables) override { return pass_load_cycles(*this, tables); }
    bool can_take() const override;
    void take(const ArrayBlock& block) override;
    ArrayEvents step() override;

private:
    static constexpr std::size_t blocks_depth = 2;
    struct Inside {
        ArrayBlock block;
        BlockChunks chunks;
        bool raw = false;
    };
    struct Distributed {
        bool advances = false;
        std::optional<std::uint32_t> raw_bits = {};   // of a raw beat that is taken
        bool taken = false, last_symbols = false;
    };
    Distributed distribute(bool raw_ready) const;
    bool slots_are_raw() const { return in_slots_.header.mode == BlockMode::raw; }
    void clock_lanes(const Distributed& now);
    void begin_announced();

    ArrayShape shape_;
    Cycles cycle_ = 0;
    std::optional<ArrayBlock> announced_;   // in this cycle
    SlotSequencer slots_;
    ArrayBlock in_slots_;
    bool has_input_ = false;   // symbols of the block at hand are still to come
    EncoderLanes lanes_;
    std::deque<Inside> inside_;
    RawPackerCycles raw_;
    BlockPackerCycles packer_;
};

}   // namespace oscar

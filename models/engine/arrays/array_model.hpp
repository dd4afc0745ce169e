// An encoder or decoder array of the engine's RTL, as something that is clocked: by its netlist, or by counters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/codec/message/block_header.hpp"
#include "models/core/units.hpp"

namespace oscar {

/// A block as an array is given it. Views, valid until the block is finished.
struct ArrayBlock {
    BlockHeader header;                           ///< as it travels, or would, if it did not travel bare
    bool bare = false;                            ///< raw and without a header
    std::uint32_t width = 8;                      ///< bits of a symbol
    std::uint32_t sub_streams = 1, slots = 1;     ///< of its symbols, and symbols of the fullest sub-stream
    std::span<const Symbol> symbols = {};         ///< of the block
    std::span<const std::uint8_t> classes = {};   ///< of the symbols; empty: all are of class 0
    std::span<const std::byte> bytes = {};        ///< as they travel: header, inline table, payload, those it has
    std::span<const Table> tables = {};           ///< that code it, by class; empty for a raw block
};

/// What a rising edge of the clock brought about.
struct ArrayEvents {
    /// The last input of the oldest block that was still going in was taken: symbols at the encoder, beats at the
    /// decoder.
    bool taken = false;
    /// The last output of the oldest unfinished block was given: its last beat at the encoder, its last sums at the
    /// decoder.
    bool finished = false;
};

/// Input is offered without gaps, and output is always taken; local values and classes are always there.
class ArrayModel {
public:
    virtual ~ArrayModel() = default;
    /// Empty, without tables.
    virtual void reset() = 0;
    /// Bits of the symbols of a message, and of the widest symbol that its tables can code.
    struct Widths {
        std::uint32_t symbols = 0, tables = 0;
        friend bool operator==(const Widths&, const Widths&) = default;
    };
    /// Takes up widths and tables of blocks to come; returns the cycles that pass meanwhile, in which nothing else
    /// happens. No tables: those at hand stay. Precondition: no block is in the array.
    virtual Cycles load(Widths widths, std::span<const Table> tables) = 0;
    /// True if a block can be announced in this cycle.
    virtual bool can_take() const = 0;
    /// Announces a block in this cycle; its input is offered from this cycle on. Precondition: can_take().
    virtual void take(const ArrayBlock& block) = 0;
    /// The rising edge that ends this cycle. Throws runtime_error if the array refuses a block, or disagrees with the
    /// model on its bytes or symbols.
    virtual ArrayEvents step() = 0;
};

/// The size of an array: parameters of the RTL.
struct ArrayShape {
    std::uint32_t lanes = 4, streams = 1;
    std::uint32_t rows = 32;   ///< of 64 bytes, of each stream of a buffer: a power of two
};

/// Lets the cycles of load() pass, which writes a count in each; returns them.
inline Cycles pass_load_cycles(ArrayModel& array, std::span<const Table> tables) {
    const Cycles cycles = Cycles{table_rows} * tables.size();
    for (Cycles i = 0; i < cycles; ++i) array.step();
    return cycles;
}

}   // namespace oscar

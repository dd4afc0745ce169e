// The integer arithmetic coder of Witten, Neal and Cleary (CACM 30(6), 1987) with 16-bit state and totals up to 1024.
// This is the datapath of one lane of the engine, exact to the bit (docs/codecs.md).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "models/codec/bits/bit_stream.hpp"
#include "models/codec/table/row_bounds.hpp"

namespace oscar {

/// The effect of one symbol on the interval: the bits that become certain, and the shift that widens it again.
struct Emission {
    std::uint32_t settled;   ///< leading bits that both ends of the interval now share
    std::uint32_t leading;   ///< these bits
    std::uint32_t held;      ///< opposites of the first of them that follow it (underflow of earlier symbols)
    std::uint32_t shift;     ///< by how many bits the interval was widened: settled, and new underflow

    /// Bits that leave the encoder with this symbol.
    std::uint32_t bits() const { return settled + held; }
};

/// Cycles by which the packer of a lane, which takes 16 bits per cycle, holds up the coder for one symbol.
constexpr std::uint32_t packer_stalls(std::uint32_t emitted_bits) {
    return emitted_bits > 16 ? (emitted_bits - 1) / 16 : 0;
}

/// The state that encoder and decoder move in step: 0 <= low < high <= 0xFFFF, and range() > 0x4000 between symbols.
class CodingInterval {
public:
    std::uint32_t range() const { return high_ - low_ + 1; }   ///< 0x4001 .. 0x10000 between symbols
    std::uint32_t low() const { return low_; }                 ///< lower end, at most 0xFFFF
    std::uint32_t held() const { return held_; }               ///< underflow steps whose bits are not yet known

    /// Takes the part [below, above) / 1024 and widens it again. Precondition: below < above <= 1024.
    Emission narrow(std::uint32_t below, std::uint32_t above) {
        const std::uint32_t width = range();
        high_ = low_ + (width * above >> probability_bits) - 1;
        low_ += width * below >> probability_bits;

        // All the steps "emit 0" and "emit 1" at once: one for each equal leading bit.
        const auto settled = static_cast<std::uint32_t>(std::countl_zero((high_ ^ low_) << 16));
        const std::uint32_t leading = low_ >> (16 - settled);
        low_ = low_ << settled & 0xFFFF;
        high_ = (high_ << settled | low_mask(settled)) & 0xFFFF;

        // Then all underflow steps at once: one for each place, from the second on, with low 1 and high 0.
        const auto underflow = static_cast<std::uint32_t>(std::countl_one((low_ & ~high_) << 17));
        low_ = low_ << underflow & 0x7FFF;
        high_ = ((high_ << underflow | low_mask(underflow)) & 0xFFFF) | 0x8000;

        const std::uint32_t released = settled != 0 ? held_ : 0;
        held_ += underflow - released;
        return {settled, leading, released, settled + underflow};
    }

private:
    std::uint32_t low_ = 0, high_ = 0xFFFF;
    std::uint32_t held_ = 0;   // underflow steps whose bits are not yet known
};

/// Writes the symbol stream of one lane.
class ArithmeticEncoder {
public:
    explicit ArithmeticEncoder(BitWriter out) : out_(out) {}

    /// Codes a row with `below` counts of 1024 before it and `above` including it. Returns the bits that came out.
    std::uint32_t encode(std::uint32_t below, std::uint32_t above) {
        const Emission e = interval_.narrow(below, above);
        if (e.bits() > 32) [[unlikely]]
            return put_long(e);
        // First settled bit b, `held` times the opposite, the rest: 2^held - 1 + b is b and its opposites, for either
        // b.
        const std::uint64_t opposites = ((std::uint64_t{1} << e.held) - 1) << e.settled >> 1;
        out_.put(static_cast<std::uint32_t>(opposites + e.leading), e.bits());
        return e.bits();
    }
    /// Ends the stream with two bits and the underflow that is left, so that zeros after it do no harm, and fills its
    /// last byte. Returns its bits, the padding not counted.
    std::uint64_t finish();

private:
    std::uint32_t put_long(const Emission& emission);

    BitWriter out_;
    CodingInterval interval_;
};

/// Reads the symbol stream of one lane. Needs to be told when to stop.
class ArithmeticDecoder {
public:
    struct Decoded {
        std::uint32_t row;
        std::uint32_t emitted_bits;   ///< what encode() returned for it
    };

    explicit ArithmeticDecoder(std::span<const std::byte> stream) : in_(stream), ahead_(in_.get(16)) {}

    /// The next row, which was encoded with these bounds. Throws CorruptStream if the stream holds none (only possible
    /// when the total is below 1024).
    Decoded decode(const RowBounds& bounds) {
        const std::uint32_t range = interval_.range();
        const std::uint32_t row = find(range, bounds);
        const std::uint32_t below = bounds.below(row), above = bounds.above(row);
        const std::uint32_t start = range * below >> probability_bits;
        if (ahead_ - start >= (range * above >> probability_bits) - start) [[unlikely]]
            fail();
        const Emission e = interval_.narrow(below, above);
        // Each kind of widening subtracts the same from code and low and doubles both: their distance just doubles.
        ahead_ = (ahead_ - start) << e.shift | in_.get(e.shift);
        shifts_ += e.shift;
        return {row, e.bits()};
    }
    /// Bits of the stream up to here, had the encoder finished after the last row: all its shifts and two.
    std::uint64_t stream_bits() const { return shifts_ + 2; }
    /// Throws CorruptStream for a code beyond the total of the table.
    [[noreturn]] static void fail();

private:
    // The last row whose scaled start, (range * below) >> 10, is at most code - low: comparisons, no division.
    std::uint32_t find(std::uint32_t range, const RowBounds& bounds) const {
        const auto limit = static_cast<std::int32_t>((ahead_ + 1) << probability_bits);
        std::int32_t row = 0;
        for (std::size_t k = 1; k <= table_rows; ++k)
            row += static_cast<std::int32_t>(range) * bounds.starts[k] < limit ? 1 : 0;
        return static_cast<std::uint32_t>(row);
    }
    BitReader in_;
    CodingInterval interval_;
    std::uint32_t ahead_;   // code - low
    std::uint64_t shifts_ = 0;
};

}   // namespace oscar

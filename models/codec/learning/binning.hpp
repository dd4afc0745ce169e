// Bins of the histograms from which range tables are searched; learning and search share them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/codec/interface/codec.hpp"

namespace oscar {

/// Intervals of bit patterns 0 .. 2^width-1 (two's complement), ascending, whose edges are the candidate boundaries of
/// a range table. Up to 8 bits each pattern is a bin. Above, patterns within 64 of zero are bins of their own, at both
/// ends of the pattern axis, and each octave of magnitude outside is cut in four: 160 bins at 11 bits, 264 at 24.
class Binning {
public:
    explicit Binning(std::uint32_t width);

    std::size_t bins() const { return 2 * half_; }   ///< an even number; the upper half is negative
    /// The bin of a symbol that is legal for the width.
    std::size_t bin(Symbol symbol) const {
        // -1 - v mirrors the negative half of the axis, which is its upper half, onto the other.
        return symbol >= 0 ? half_bin(static_cast<std::uint32_t>(symbol))
                           : bins() - 1 - half_bin(~static_cast<std::uint32_t>(symbol));
    }
    /// The lowest pattern of each bin, and 2^width.
    std::vector<std::uint64_t> edges() const;

private:
    std::size_t half_bin(std::uint32_t size) const;
    std::uint32_t half_bin_start(std::size_t bin) const;

    std::uint32_t width_;
    std::size_t half_;   // bins of the symbols >= 0
};

}   // namespace oscar

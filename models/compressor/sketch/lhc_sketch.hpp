// The sketch of Lossless Homomorphic Compression: blocks of elements added to rows of a table, and peeled out again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/compressor/sketch/peeling.hpp"

namespace oscar {

/// `elements` in blocks of `lanes`, the last one filled up with zeros; a table of `rows` x `lanes` cells. Lane j of a
/// block meets only lane j of others, so all lanes are sketches by themselves that share their hashes.
struct LhcShape {
    std::uint64_t elements = 0;
    std::uint32_t lanes = 1024;
    std::uint32_t rows = sketch_hashes;

    std::uint64_t blocks() const { return (elements + lanes - 1) / lanes; }   ///< the last may be partly filled
    std::uint64_t cells() const { return std::uint64_t{rows} * lanes; }       ///< of the table
};

/// ceil(blocks / ratio) rows. Throws std::invalid_argument for ratios below 1, no lanes, 2^32 elements or more, or
/// fewer rows than hashes, for then no element is alone.
LhcShape lhc_shape(std::uint64_t elements, double ratio, std::uint32_t lanes);
/// The rows that lhc_shape would give, be they enough or not.
std::uint64_t lhc_rows(std::uint64_t elements, double ratio, std::uint32_t lanes);

/// Row and sign of hash s of a block: MurmurHash3 of its number with seed s, modulo the rows; negative where bit 31 is
/// set. `cell` is that of lane 0.
PlacesOf places_of_block(const LhcShape& shape, std::uint32_t block);

/// Adds the sketch of `values` (shape.elements) to `cells` (shape.cells()). Law: linear, exactly so for int32.
template <class Cell>
void lhc_encode(const LhcShape& shape, std::span<const Cell> values, std::span<Cell> cells);

/// Result of decoding.
template <class Cell>
struct LhcDecoded {
    std::vector<Cell> values;          ///< zero where not listed
    std::vector<std::uint32_t> rest;   ///< elements that are estimates, for they share all their cells
    std::uint32_t rounds = 0;
};

/// Peels the `listed` elements out of `cells`; the median of what their cells say of those that cannot be peeled.
/// `packed_counts`: count in bytes that carry into one another, as published.
template <class Cell>
LhcDecoded<Cell> lhc_decode(const LhcShape& shape, std::vector<Cell> cells, std::vector<std::uint32_t> listed,
                            bool packed_counts);

extern template void lhc_encode<float>(const LhcShape&, std::span<const float>, std::span<float>);
extern template void lhc_encode<std::int32_t>(const LhcShape&, std::span<const std::int32_t>, std::span<std::int32_t>);
extern template LhcDecoded<float> lhc_decode<float>(const LhcShape&, std::vector<float>, std::vector<std::uint32_t>,
                                                    bool);
extern template LhcDecoded<std::int32_t> lhc_decode<std::int32_t>(const LhcShape&, std::vector<std::int32_t>,
                                                                  std::vector<std::uint32_t>, bool);

}   // namespace oscar

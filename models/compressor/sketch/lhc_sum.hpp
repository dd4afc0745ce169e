// The sum of one fragment of all ranks' gradients through index, sketch and peeling.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/compressor/base/carrier.hpp"
#include "models/compressor/sketch/lhc_index.hpp"
#include "models/compressor/sketch/lhc_sketch.hpp"

namespace oscar {

/// Number format of the sketch's cells.
enum class SketchCells : std::uint8_t { fp32, int32, fp32_as_published };
constexpr auto choices(SketchCells) {
    return std::array{
        Choice{"fp32", SketchCells::fp32, "as the gradient is; peeling subtracts, so sums are right but for rounding"},
        Choice{"int32", SketchCells::int32, "fixed point of a scale that all ranks share: exact in any order"},
        Choice{"fp32_as_published", SketchCells::fp32_as_published,
               "the lowest bit of a mantissa says whether its element is listed, so zeros are 1.4e-45"}};
}

/// The decoder's counting of the elements in a cell.
enum class CellCounting : std::uint8_t { wide, packed_as_published };
constexpr auto choices(CellCounting) {
    return std::array{Choice{"wide", CellCounting::wide, "32 bits"},
                      Choice{"packed_as_published", CellCounting::packed_as_published,
                             "bytes, four to a word: above 255 they carry into one another"}};
}

/// Which blocks the index covers.
enum class IndexCover : std::uint8_t { all_blocks, whole_groups_as_published };
constexpr auto choices(IndexCover) {
    return std::array{Choice{"all_blocks", IndexCover::all_blocks, "all"},
                      Choice{"whole_groups_as_published", IndexCover::whole_groups_as_published,
                             "as many as fill whole groups of 8 / index bits: the last ones are never listed"}};
}

/// The variants of the method, and the sizes of its numbers.
struct LhcCoding {
    IndexMerge index = IndexMerge::bitwise_or;
    SketchCells cells = SketchCells::fp32;
    CellCounting counts = CellCounting::wide;
    IndexCover cover = IndexCover::all_blocks;
    std::uint32_t bits = 24;   ///< of an int32 cell's codes
    /// Fields of P, which derives from this set.
    template <class P>
    static constexpr auto fields_of() {
        return Entries{
            field("index", &P::index, "union of the ranks' lists of non-zero elements"),
            field("cells", &P::cells, "number format of the sketch's cells"),
            field("counts", &P::counts, "width of the decoder's counts of elements per cell"),
            field("cover", &P::cover, "blocks that the index covers"),
            field("bits", &P::bits, "width of a code where cells are int32; their sums wrap at 32 bits", 2u, 31u)};
    }
};

/// The sum, and what it took.
struct LhcSum {
    std::vector<float> sum;
    std::vector<std::vector<float>> sent;   ///< per rank, as its own message says it: rounded to codes for int32
    std::uint64_t listed = 0, rest = 0;     ///< elements; of these, the number that are estimates
    ComputeCost decoding;                   ///< of whoever gets the sum
};

/// The sum of `fragments`, one per rank, each of shape.elements finite values. Encoding is work of the step before the
/// first exchange, decoding the caller's to add. The peak, if cells are int32, the index
/// and the sketch travel by all-reduce, each after the one before; the sketch by reduce to `owner` if there is one.
LhcSum lhc_sum(std::span<const std::span<const float>> fragments, const LhcShape& shape, const LhcCoding& coding,
               StepExchanges& traffic, std::optional<std::uint32_t> owner = {});

}   // namespace oscar

// Count Sketch: a linear summary of a vector, from which each element can be estimated.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/compressor/sketch/sketch_hash.hpp"

namespace oscar {

/// A table of rows x columns. Cells are fp32, or int32 that wrap, so that sums do not depend on their order.
/// Law: sketch(a) + sketch(b) == sketch(a + b), exactly for int32. An estimate of one row is unbiased, with variance
/// (||x||^2 - x_i^2) / columns. Source: Charikar, Chen, Farach-Colton, ICALP 2002.
template <class Cell>
class CountSketch {
public:
    explicit CountSketch(SketchHash hash);

    /// Adds the sketch of `vector`, whose size is the number of elements of the hash. Throws std::invalid_argument
    /// otherwise.
    void add(std::span<const Cell> vector);
    /// Merges. Throws std::invalid_argument for sketches of other hashes.
    CountSketch& operator+=(const CountSketch& other);
    void clear();   ///< zeros in all cells
    /// Sets the cells to zero that the non-zero elements of `vector` fall into.
    void clear_cells_of(std::span<const Cell> vector);
    void scale(Cell factor);   ///< multiplies all cells

    /// An estimate of each element: the median over the rows of sign * cell; of even numbers of rows the lower middle.
    std::vector<Cell> estimates() const;
    /// The square root of the median over the rows of the sum of squared cells.
    double l2_estimate() const;

    const SketchHash& hash() const { return hash_; }      ///< of the whole sketch; sketches merge if theirs are equal
    std::span<Cell> row(std::uint32_t row);               ///< its cells, by column
    std::span<const Cell> row(std::uint32_t row) const;   ///< its cells, by column
    std::span<const Cell> table() const { return table_; }   ///< all cells, row after row
    /// Replaces all cells. Precondition: as many as table() has.
    void set_table(std::vector<Cell> table) { table_ = std::move(table); }
    friend bool operator==(const CountSketch&, const CountSketch&) = default;

private:
    SketchHash hash_;
    std::vector<Cell> table_;
};

extern template class CountSketch<float>;
extern template class CountSketch<std::int32_t>;

/// The k elements whose estimates are largest by magnitude (of equal ones the first), the others zero. Throws
/// std::invalid_argument unless 0 < k <= elements.
std::vector<float> unsketch_largest(const CountSketch<float>& sketch, std::uint64_t k);
/// The elements whose estimates are at least epsilon * l2_estimate() by magnitude, the others zero.
std::vector<float> unsketch_above(const CountSketch<float>& sketch, double epsilon);
/// Cell by cell the median of sketches of one hash; of even numbers the lower middle.
CountSketch<float> median_of(std::span<const CountSketch<float>> sketches);

}   // namespace oscar

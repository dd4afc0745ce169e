// Matrices of few columns, stored column by column, and the products that low-rank approximation needs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace oscar {

/// Columns of equal length. Column k is values[k * length, (k + 1) * length).
struct Columns {
    std::uint64_t length = 0, count = 0;
    std::vector<float> values;

    Columns() = default;
    Columns(std::uint64_t column_length, std::uint64_t columns)
        : length(column_length), count(columns), values(column_length * columns) {}
    /// Column k < count, in place.
    std::span<float> column(std::uint64_t k) { return std::span(values).subspan(k * length, length); }
    std::span<const float> column(std::uint64_t k) const { return std::span(values).subspan(k * length, length); }
};

/// Columns of numbers uniform in [-1, 1), from the stream `key`.
Columns random_columns(std::uint64_t length, std::uint64_t count, std::uint64_t key);

/// M * right, for a matrix M of `rows` rows, row by row, whose rows are as long as the columns of `right`.
Columns times(std::span<const float> matrix, std::uint64_t rows, const Columns& right);
/// Transposed M * left, for columns as long as M has rows.
Columns transposed_times(std::span<const float> matrix, std::uint64_t rows, const Columns& left);
/// out = left * transposed right, row by row.
void outer_product(const Columns& left, const Columns& right, std::span<float> out);

/// Makes the columns orthonormal, from the first on, so that they span what they spanned. A column that the ones before
/// it span already (zeros, too) becomes one drawn from the stream `key`: dividing by its length would make noise or NaN
/// of it, and leaving it zero would lose it for all steps to come. Precondition: no more columns than their length.
/// Source: Vogels et al., NeurIPS 2019, section 3 (Gram-Schmidt); each column is freed twice of the ones before it.
void orthonormalise(Columns& columns, std::uint64_t key);

}   // namespace oscar

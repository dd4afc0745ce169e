#include "models/compressor/quantised/low_rank.hpp"

#include <algorithm>
#include <cmath>

#include "models/compressor/base/norms.hpp"
#include "models/core/random.hpp"
#include "models/core/wide_loops.hpp"

namespace oscar {
namespace {

OSCAR_INLINE inline double dot(const float* a, const float* b, std::size_t size) {
    return sum_in_lanes(
        size, [a, b](std::size_t i) OSCAR_INLINE { return static_cast<double>(a[i]) * static_cast<double>(b[i]); });
}

/// out += factor * in
OSCAR_INLINE inline void add(const float* in, float factor, float* out, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) out[i] += factor * in[i];
}

void draw(std::span<float> column, std::uint64_t key) {
    for (std::size_t i = 0; i < column.size(); ++i) column[i] = static_cast<float>(2 * uniform_at(key, i) - 1);
}

/// Frees column k of the ones before it. Whether more than rounding noise is left of it.
bool freed(Columns& columns, std::uint64_t k) {
    constexpr double noise = 1e-5;   // of fp32, with room for the sums
    const std::span<float> column = columns.column(k);
    const double before = l2_norm(column);
    in_wide_loops([&]() OSCAR_INLINE {
        for (int pass = 0; pass < 2; ++pass)
            for (std::uint64_t j = 0; j < k; ++j) {
                const float* const other = columns.column(j).data();
                const auto along = static_cast<float>(dot(other, column.data(), column.size()));
                add(other, -along, column.data(), column.size());
            }
    });
    return l2_norm(column) > noise * before;
}

void normalise(std::span<float> column) {
    const double norm = l2_norm(column);
    for (float& value : column) value = static_cast<float>(static_cast<double>(value) / norm);
}

}   // namespace

Columns random_columns(std::uint64_t length, std::uint64_t count, std::uint64_t key) {
    Columns result(length, count);
    draw(result.values, key);
    return result;
}

Columns times(std::span<const float> matrix, std::uint64_t rows, const Columns& right) {
    Columns result(rows, right.count);
    in_wide_loops([&]() OSCAR_INLINE {
        for (std::uint64_t i = 0; i < rows; ++i)
            for (std::uint64_t k = 0; k < right.count; ++k)
                result.values[k * rows + i] = static_cast<float>(
                    dot(matrix.data() + i * right.length, right.values.data() + k * right.length, right.length));
    });
    return result;
}

Columns transposed_times(std::span<const float> matrix, std::uint64_t rows, const Columns& left) {
    const std::uint64_t width = matrix.size() / rows;
    Columns result(width, left.count);
    in_wide_loops([&]() OSCAR_INLINE {
        for (std::uint64_t i = 0; i < rows; ++i)
            for (std::uint64_t k = 0; k < left.count; ++k)
                add(matrix.data() + i * width, left.values[k * rows + i], result.values.data() + k * width, width);
    });
    return result;
}

void outer_product(const Columns& left, const Columns& right, std::span<float> out) {
    std::ranges::fill(out, 0.0f);
    in_wide_loops([&]() OSCAR_INLINE {
        for (std::uint64_t i = 0; i < left.length; ++i)
            for (std::uint64_t k = 0; k < left.count; ++k)
                add(right.values.data() + k * right.length, left.values[k * left.length + i],
                    out.data() + i * right.length, right.length);
    });
}

void orthonormalise(Columns& columns, std::uint64_t key) {
    for (std::uint64_t k = 0; k < columns.count; ++k) {
        for (std::uint64_t attempt = 0; !freed(columns, k); ++attempt)
            draw(columns.column(k), random_at(random_at(key, k), attempt));
        normalise(columns.column(k));
    }
}

}   // namespace oscar

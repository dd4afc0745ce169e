#include "models/compressor/sketch/count_sketch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>

#include "models/compressor/base/wrapping.hpp"

namespace oscar {
namespace {

constexpr std::size_t tile_elements = 4096;   // elements whose places are held: they fit the first-level cache

/// Where some elements of one row are, and their values there.
template <class Cell>
struct Places {
    std::array<std::uint32_t, tile_elements> columns, negative;
    std::array<Cell, tile_elements> values;
};

/// Calls f(first, size) for the elements in portions of tile_elements.
template <class F>
void for_portions(std::uint64_t elements, F f) {
    for (std::uint64_t first = 0; first < elements; first += tile_elements)
        f(first, static_cast<std::size_t>(std::min<std::uint64_t>(tile_elements, elements - first)));
}

template <class Cell>
void find(const SketchHash& hash, std::uint32_t row, std::uint64_t first, std::size_t size, Places<Cell>& places) {
    hash.places(row, first, {places.columns.data(), size}, {places.negative.data(), size});
}

template <class Cell>
Cell lower_middle(std::span<Cell> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// Over `rows`, which are reordered: pass after pass the least of what is left, up to the lower middle.
template <class Cell>
const Cell* medians(std::vector<std::vector<Cell>>& rows, std::size_t size) {
    const std::size_t middle = (rows.size() - 1) / 2;
    for (std::size_t least = 0; least <= middle; ++least)
        for (std::size_t other = least + 1; other < rows.size(); ++other) {
            Cell *const a = rows[least].data(), *const b = rows[other].data();
            for (std::size_t j = 0; j < size; ++j) {
                const Cell x = a[j], y = b[j];
                a[j] = std::min(x, y);
                b[j] = std::max(x, y);
            }
        }
    return rows[middle].data();
}

// Of equal magnitudes the first.
void keep_largest(std::span<float> values, std::uint64_t k) {
    std::vector<float> magnitudes(values.size());
    std::ranges::transform(values, magnitudes.begin(), [](float v) { return std::fabs(v); });
    const auto kth = magnitudes.begin() + static_cast<std::ptrdiff_t>(k - 1);
    std::ranges::nth_element(magnitudes, kth, std::greater{});
    const float threshold = *kth;
    const auto above = std::count_if(magnitudes.begin(), kth, [&](float m) { return m > threshold; });
    std::uint64_t equal = k - static_cast<std::uint64_t>(above);   // that are kept
    for (float& v : values) {
        if (std::fabs(v) > threshold) continue;
        if (std::fabs(v) == threshold && equal > 0) --equal;
        else v = 0;
    }
}

void require_same(const SketchHash& a, const SketchHash& b) {
    if (a != b) throw std::invalid_argument("sketches of other lengths, shapes or seeds do not merge");
}

}   // namespace

template <class Cell>
CountSketch<Cell>::CountSketch(SketchHash hash)
    : hash_(std::move(hash)), table_(std::size_t{hash_.shape().rows} * hash_.shape().columns) {}

template <class Cell>
std::span<Cell> CountSketch<Cell>::row(std::uint32_t row) {
    return std::span(table_).subspan(std::size_t{row} * hash_.shape().columns, hash_.shape().columns);
}
template <class Cell>
std::span<const Cell> CountSketch<Cell>::row(std::uint32_t row) const {
    return std::span(table_).subspan(std::size_t{row} * hash_.shape().columns, hash_.shape().columns);
}

template <class Cell>
void CountSketch<Cell>::add(std::span<const Cell> vector) {
    if (vector.size() != hash_.elements())
        throw std::invalid_argument("a vector of " + std::to_string(vector.size()) + " elements for a sketch of " +
                                    std::to_string(hash_.elements()));
    Places<Cell> places;
    for (std::uint32_t r = 0; r < hash_.shape().rows; ++r) {   // row by row: one row stays in the cache
        Cell* const cells = row(r).data();
        for_portions(vector.size(), [&](std::uint64_t first, std::size_t size) {
            find(hash_, r, first, size, places);
            for (std::size_t j = 0; j < size; ++j) places.values[j] = with_sign(vector[first + j], places.negative[j]);
            for (std::size_t j = 0; j < size; ++j)
                cells[places.columns[j]] = wrapping_sum(cells[places.columns[j]], places.values[j]);
        });
    }
}

template <class Cell>
CountSketch<Cell>& CountSketch<Cell>::operator+=(const CountSketch& other) {
    require_same(hash_, other.hash_);
    std::ranges::transform(table_, other.table_, table_.begin(), [](Cell a, Cell b) { return wrapping_sum(a, b); });
    return *this;
}

template <class Cell>
void CountSketch<Cell>::clear() {
    std::ranges::fill(table_, Cell{});
}

template <class Cell>
void CountSketch<Cell>::clear_cells_of(std::span<const Cell> vector) {
    Places<Cell> places;
    for (std::uint32_t r = 0; r < hash_.shape().rows; ++r)
        for_portions(hash_.elements(), [&](std::uint64_t first, std::size_t size) {
            find(hash_, r, first, size, places);
            for (std::size_t j = 0; j < size; ++j)
                if (vector[first + j] != 0) row(r)[places.columns[j]] = 0;
        });
}

template <class Cell>
void CountSketch<Cell>::scale(Cell factor) {
    for (Cell& cell : table_) cell *= factor;
}

template <class Cell>
std::vector<Cell> CountSketch<Cell>::estimates() const {
    std::vector<Cell> result(hash_.elements());
    Places<Cell> places;
    std::vector<std::vector<Cell>> of_rows(hash_.shape().rows, std::vector<Cell>(tile_elements));
    for_portions(hash_.elements(), [&](std::uint64_t first, std::size_t size) {
        for (std::uint32_t r = 0; r < hash_.shape().rows; ++r) {
            find(hash_, r, first, size, places);
            const Cell* const cells = row(r).data();
            for (std::size_t j = 0; j < size; ++j)
                of_rows[r][j] = with_sign(cells[places.columns[j]], places.negative[j]);
        }
        std::copy_n(medians(of_rows, size), size, result.data() + first);
    });
    return result;
}

template <class Cell>
double CountSketch<Cell>::l2_estimate() const {
    std::vector<double> squares;
    for (std::uint32_t r = 0; r < hash_.shape().rows; ++r) {
        double sum = 0;
        for (const Cell cell : row(r)) sum += static_cast<double>(cell) * static_cast<double>(cell);
        squares.push_back(sum);
    }
    return std::sqrt(lower_middle(std::span(squares)));
}

template class CountSketch<float>;
template class CountSketch<std::int32_t>;

std::vector<float> unsketch_largest(const CountSketch<float>& sketch, std::uint64_t k) {
    if (k == 0 || k > sketch.hash().elements())
        throw std::invalid_argument("the " + std::to_string(k) + " largest of " +
                                    std::to_string(sketch.hash().elements()) + " elements: 1 .. elements are possible");
    std::vector<float> estimates = sketch.estimates();
    keep_largest(estimates, k);
    return estimates;
}

std::vector<float> unsketch_above(const CountSketch<float>& sketch, double epsilon) {
    const double threshold = epsilon * sketch.l2_estimate();
    std::vector<float> estimates = sketch.estimates();
    for (float& v : estimates)
        if (std::fabs(static_cast<double>(v)) < threshold) v = 0;
    return estimates;
}

CountSketch<float> median_of(std::span<const CountSketch<float>> sketches) {
    if (sketches.empty()) throw std::invalid_argument("the median of no sketches");
    for (const CountSketch<float>& sketch : sketches) require_same(sketch.hash(), sketches[0].hash());
    CountSketch<float> result(sketches[0].hash());
    std::vector<float> cells(sketches.size());
    for (std::uint32_t r = 0; r < result.hash().shape().rows; ++r)
        for (std::size_t c = 0; c < result.row(r).size(); ++c) {
            std::ranges::transform(sketches, cells.begin(), [&](const auto& sketch) { return sketch.row(r)[c]; });
            result.row(r)[c] = lower_middle(std::span(cells));
        }
    return result;
}

}   // namespace oscar

#include "sim/generator/pair_moments.hpp"

#include <cmath>

namespace oscar {
namespace {

/// Sums over the ranks of one iteration of x, of its square, and of how often x counts.
struct RankSums {
    double x = 0, squares = 0, weight = 0, weight_squares = 0;
    void add(double value, double counted) {
        x += value;
        squares += value * value;
        weight += counted;
        weight_squares += counted * counted;
    }
    /// Products of two different ranks, each pair in both orders.
    MeanProduct pairs() const { return {x * x - squares, weight * weight - weight_squares}; }
};

void add(MeanProduct& to, const MeanProduct& what, double sign = 1) {
    to.sum += sign * what.sum;
    to.count += sign * what.count;
}

/// Magnitude and count of what is not zero, [ranks, rows * columns], of one iteration.
struct CellSums {
    std::vector<double> x, weight;
};

CellSums cell_sums(const LayerSamples& s, std::uint64_t iteration) {
    const std::uint64_t places = s.grid.rows * s.grid.columns * s.ranks;
    CellSums sums{std::vector<double>(places), std::vector<double>(places)};
    const float* value = s.values.data() + iteration * places * s.grid.cells;
    for (std::uint64_t i = 0; i < places * s.grid.cells; ++i) {
        sums.x[i / s.grid.cells] += std::fabs(static_cast<double>(value[i]));
        sums.weight[i / s.grid.cells] += value[i] != 0;
    }
    return sums;
}

/// Products of different places of the same line, of one rank into `same` and of two ranks into `cross`.
/// place(line, k) is place number k of a line.
template <class Place>
void add_lines(const LayerSamples& s, const CellSums& sums, std::uint64_t lines, std::uint64_t length, Place place,
               MeanProduct& same, MeanProduct& cross) {
    const std::uint64_t places = s.grid.rows * s.grid.columns;
    for (std::uint64_t line = 0; line < lines; ++line) {
        RankSums whole;
        for (std::uint64_t r = 0; r < s.ranks; ++r) {
            RankSums one;
            for (std::uint64_t k = 0; k < length; ++k)
                one.add(sums.x[r * places + place(line, k)], sums.weight[r * places + place(line, k)]);
            add(same, one.pairs());
            whole.add(one.x, one.weight);
        }
        add(cross, whole.pairs());
        for (std::uint64_t k = 0; k < length; ++k) {   // less the products of a place with itself
            RankSums one;
            for (std::uint64_t r = 0; r < s.ranks; ++r)
                one.add(sums.x[r * places + place(line, k)], sums.weight[r * places + place(line, k)]);
            add(cross, one.pairs(), -1);
        }
    }
}

void add_elements(const LayerSamples& s, std::uint64_t iteration, PairMoments& moments) {
    const std::uint64_t size = s.grid.size(), row = s.ranks * size;
    const float* now = s.values.data() + iteration * row;
    const float* next = iteration + 1 < s.iterations ? now + row : nullptr;
    for (std::uint64_t i = 0; i < size; ++i) {
        RankSums magnitudes, signs;
        double later = 0, itself = 0;
        for (std::uint64_t r = 0; r < s.ranks; ++r) {
            const double value = static_cast<double>(now[r * size + i]), magnitude = std::fabs(value);
            magnitudes.add(magnitude, value != 0);
            signs.add(value, value != 0);
            if (next == nullptr) continue;
            const double after = std::fabs(static_cast<double>(next[r * size + i]));
            later += after;
            itself += magnitude * after;
        }
        const auto ranks = static_cast<double>(s.ranks);
        const MeanProduct pairs = magnitudes.pairs();
        add(moments.square, {magnitudes.squares, magnitudes.weight});
        add(moments.all, {magnitudes.x, ranks});
        add(moments.ranks, pairs);
        add(moments.signed_ranks, signs.pairs());
        add(moments.ranks_anywhere, {pairs.sum, ranks * (ranks - 1)});
        if (next != nullptr) add(moments.next, {magnitudes.x * later - itself, ranks * (ranks - 1)});
    }
}

}   // namespace

PairMoments pair_moments(const LayerSamples& s) {
    PairMoments moments;
    const std::uint64_t columns = s.grid.columns;
    for (std::uint64_t t = 0; t < s.iterations; ++t) {
        add_elements(s, t, moments);
        if (s.grid.rows == 1 || columns == 1) continue;
        const CellSums sums = cell_sums(s, t);
        add_lines(
            s, sums, s.grid.rows, columns, [&](auto line, auto k) { return line * columns + k; }, moments.row,
            moments.row_ranks);
        add_lines(
            s, sums, columns, s.grid.rows, [&](auto line, auto k) { return k * columns + line; }, moments.column,
            moments.column_ranks);
    }
    return moments;
}

}   // namespace oscar

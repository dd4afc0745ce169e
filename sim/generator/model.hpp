// The statistical model of a gradient, layer by layer (docs/trace-generator.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/core/fields.hpp"

namespace oscar {

/// One layer's gradients. A value is zero if its row, its column or itself is silent, else sign(z) * 2^curve(u) *
/// scale:
///   u = log2|z| + strength(row) + strength(column) + strength(element).
/// Strengths have a part that all ranks share and that stays until churn renews it, and a part that each rank draws
/// anew in each iteration. Sigmas and spreads are standard deviations of the natural logarithm.
struct LayerParams {
    double scale = 0.001;
    double row_sigma = 0.6, column_sigma = 0.5, element_sigma = 0.3;
    double row_spread = 0.3, column_spread = 0.2, element_spread = 0.2;
    std::vector<double> row_strengths, column_strengths, magnitudes;
    double silent_rows = 0, silent_columns = 0, silent_elements = 0;
    double row_agreement = 0.8, column_agreement = 0.8, element_agreement = 0.5;
    double rank_correlation = 0.1;
    double churn = 0.05;
    double decay = 0, iteration_spread = 0.1, rank_spread = 0.1;
    std::vector<double> course;
    std::uint64_t course_ranks = 1;
    static constexpr auto fields() {
        using P = LayerParams;
        return Entries{
            field("scale", &P::scale, "mean magnitude of the values that are not zero, iteration 0", 1e-30, 1e30),
            field("row_sigma", &P::row_sigma, "log-normal strength of rows, shared by ranks", 0.0, 4.0),
            field("column_sigma", &P::column_sigma, "log-normal strength of columns, shared by ranks", 0.0, 4.0),
            field("element_sigma", &P::element_sigma, "log-normal strength of elements, shared by ranks", 0.0, 4.0),
            field("row_spread", &P::row_spread, "spread of a row's strength over ranks and iterations", 0.0, 4.0),
            field("column_spread", &P::column_spread, "spread of a column's strength over ranks and iterations", 0.0,
                  4.0),
            field("element_spread", &P::element_spread, "spread of an element's strength over ranks and iterations",
                  0.0, 4.0),
            field("row_strengths", &P::row_strengths,
                  "log2 of the shared strengths of rows at equally spaced quantiles, ascending; replaces row_sigma"),
            field("column_strengths", &P::column_strengths, "the same for columns; replaces column_sigma"),
            field("magnitudes", &P::magnitudes,
                  "log2(|value| / scale) at the quantiles of docs/trace-generator.md, ascending; empty: as the sigmas "
                  "make it"),
            field("silent_rows", &P::silent_rows, "share of rows that are all zero", 0.0, 1.0),
            field("silent_columns", &P::silent_columns, "share of columns that are all zero", 0.0, 1.0),
            field("silent_elements", &P::silent_elements, "share of zeros among the remaining elements", 0.0, 1.0),
            field("row_agreement", &P::row_agreement, "correlation of silent rows between ranks", 0.0, 1.0),
            field("column_agreement", &P::column_agreement, "correlation of silent columns between ranks", 0.0, 1.0),
            field("element_agreement", &P::element_agreement, "correlation of silent elements between ranks", 0.0, 1.0),
            field("rank_correlation", &P::rank_correlation, "correlation of z between ranks: the signal in the noise",
                  0.0, 1.0),
            field("churn", &P::churn, "share of shared strengths and silences renewed per iteration", 0.0, 1.0),
            field("decay", &P::decay, "loss of scale per iteration: scale * exp(-decay * iteration)", -1.0, 1.0),
            field("iteration_spread", &P::iteration_spread, "spread of the scale over iterations", 0.0, 4.0),
            field("rank_spread", &P::rank_spread, "spread of the scale over the ranks of an iteration", 0.0, 4.0),
            field(
                "course", &P::course,
                "ln of the scale of each iteration and, within it, rank, over scale * exp(-decay * iteration); beyond "
                "its end it begins again; replaces iteration_spread and rank_spread"),
            field("course_ranks", &P::course_ranks, "ranks of an iteration in course", std::uint64_t{1},
                  std::uint64_t{1} << 20),
        };
    }
};

/// A layer's tensor seen as [rows, columns, cells]: outputs, inputs, and what lies within such a pair (a kernel).
struct Grid {
    std::uint64_t rows = 1, columns = 1, cells = 1;
    std::uint64_t size() const { return rows * columns * cells; }   ///< number of values
};
/// [a] is a vector of cells; [a, 1, b, ...] has the last sizes as columns.
Grid grid_of(const std::vector<std::uint64_t>& shape);

/// A tensor of the model.
struct LayerModel {
    std::vector<std::uint64_t> shape;
    LayerParams params;
};

/// The cumulative shares at which `magnitudes` are quantiles: dense in both tails.
inline constexpr std::array magnitude_shares{0.0,  0.0005, 0.002, 0.005, 0.01, 0.02,  0.04,  0.07,   0.11,
                                             0.16, 0.22,   0.3,   0.4,   0.5,  0.6,   0.7,   0.78,   0.84,
                                             0.89, 0.93,   0.96,  0.98,  0.99, 0.995, 0.998, 0.9995, 1.0};
inline constexpr std::size_t strength_quantiles = 17;   ///< of fitted row and column strengths

/// The reason why parameters contradict each other, with the remedy; empty if they do not.
std::string find_generator_problem(const LayerParams& params);

}   // namespace oscar

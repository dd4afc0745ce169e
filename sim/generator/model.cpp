#include "sim/generator/model.hpp"

#include <algorithm>

namespace oscar {

Grid grid_of(const std::vector<std::uint64_t>& shape) {
    Grid grid;
    if (shape.size() < 2) {
        if (!shape.empty()) grid.cells = shape[0];
        return grid;
    }
    grid.rows = shape[0];
    grid.columns = shape[1];
    for (std::size_t i = 2; i < shape.size(); ++i) grid.cells *= shape[i];
    if (grid.columns == 1) std::swap(grid.columns, grid.cells);
    return grid;
}

std::string find_generator_problem(const LayerParams& params) {
    if (!params.magnitudes.empty() && params.magnitudes.size() != magnitude_shares.size())
        return "magnitudes: write " + std::to_string(magnitude_shares.size()) + " quantiles or []";
    if (params.course.size() % params.course_ranks != 0)
        return "course: write a number for each of the " + std::to_string(params.course_ranks) +
               " ranks of course_ranks in every iteration";
    if (std::ranges::any_of(params.course, [](double v) { return v < -40 || v > 40; }))
        return "course: write logarithms from -40 to 40";
    for (const auto* list : {&params.magnitudes, &params.row_strengths, &params.column_strengths}) {
        if (list->size() == 1) return "row_strengths, column_strengths: write at least 2 quantiles or []";
        if (!std::ranges::is_sorted(*list)) return "magnitudes, row_strengths, column_strengths: write them ascending";
        if (std::ranges::any_of(*list, [](double v) { return v < -120 || v > 60; }))
            return "magnitudes, row_strengths, column_strengths: write powers of two from -120 to 60";
    }
    return {};
}

}   // namespace oscar

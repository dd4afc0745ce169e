// Iterations and layers of an imported file, derived from the names and shapes of its arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/trace/import_file.hpp"
#include "sim/trace/manifest.hpp"

namespace oscar {

/// One iteration of an import.
struct ImportedIteration {
    std::uint64_t step = 0;
    std::vector<std::size_t> arrays;   ///< positions in the list of arrays: one per layer, in the order of the layers
};

struct ImportPlan {
    std::uint32_t ranks = 0;
    std::vector<TraceLayer> layers;
    std::vector<ImportedIteration> iterations;   ///< in ascending order
    std::vector<std::string> left_out;           ///< layers without values, once each
};

/// Two namings are understood:
/// - `<iteration>/<layer>`, iteration a decimal number: arrays of shape [ranks, ...], or [] for one value of one rank.
///   The number is the step, layers have the order of the file's first iteration, and every iteration has the same
///   layers. A layer without values is left out where there are others.
/// - anything else: each array has shape [ranks, elements] and is one iteration, in natural order of the names. The
/// step
///   is the last number in the name if these ascend strictly, else the position.
/// TraceError: no arrays, both namings at once, a shape that is neither, arrays that differ in ranks or size.
ImportPlan plan_import(const std::vector<ImportArray>& arrays, std::string_view name);

/// True if `a` comes before `b` when runs of digits count as numbers: "step2" before "step10".
bool natural_less(std::string_view a, std::string_view b);

}   // namespace oscar

// Fitting the model of a layer to captured gradients.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/generator/model.hpp"

namespace oscar {

/// A layer in consecutive iterations of all ranks.
struct LayerSamples {
    std::uint64_t iterations = 0, ranks = 0;
    Grid grid;
    std::vector<float> values;   ///< [iterations, ranks, rows, columns, cells]
};

/// The parameters whose moments the samples have (docs/trace-generator.md, how the fit works). A layer of zeros only is
/// all silent. Precondition: one value at least.
LayerParams fit_layer(const LayerSamples& samples);

}   // namespace oscar

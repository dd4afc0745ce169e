// The generator's model fitted to a stage of a captured trace.
#pragma once

#include <string>
#include <vector>

#include "sim/generator/model.hpp"
#include "sim/trace/trace.hpp"

namespace oscar {

/// A trace's model and what it was fitted to.
struct FittedTrace {
    std::vector<LayerModel> layers;
    std::size_t first = 0, count = 0;   ///< fitted iterations: positions in the trace
    std::string stage;                  ///< of these, or "steps 10 to 13"
};

/// Fits each layer to the last run of consecutive iterations of a stage; `stage` empty: of the trace. At most 2^22
/// values of a layer's rank are used, in whole rows from the first on. InputError: no such stage; see Trace::iteration.
FittedTrace fit_trace(const Trace& trace, const std::string& stage);

}   // namespace oscar

// Classes that the engine's memory does not hold: what a report says of methods whose masks DMA reads.
#pragma once

#include "sim/parameters/parameters.hpp"
#include "sim/report/report.hpp"

namespace oscar {

/// Adds a note for each method whose mask of classes is larger than engine.mask_sram, with the size that would hold it.
/// Sizes are given for the machine before it was scaled down.
void add_mask_notes(const Parameters& parameters, Report& report);

}   // namespace oscar

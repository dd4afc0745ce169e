// What a page says of trainings.
#pragma once

#include <string>

#include "sim/page/training_results.hpp"

namespace oscar {

/// HTML: the quality of each method by simulated time and by step, the mean of its seeds with a band of one standard
/// deviation and the target as a line; a table of qualities, times to the target and bytes.
std::string training_section(const TrainingResults& trainings);

}   // namespace oscar

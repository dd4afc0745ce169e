// Consistent scaling: a small gradient on a machine slowed down as much stands for a large one on the machine itself.
#pragma once

#include "sim/parameters/parameters.hpp"

namespace oscar {

/// Divides by `scale` all that a value of the gradient occupies for a time: links, their buffers, packets with their
/// headers and flits, DMA and GPU memory, lanes, adders and the memory for classes. Latencies, clocks and the memory
/// for tables stay. A gradient of n values then takes the time of one of n * scale values on the machine as it was, but
/// for what does not grow with the gradient: tables learn from fewer values, and headers of blocks, inline tables, the
/// exchange of scales and told boundaries keep their bytes. Rates and sizes are rounded to whole Mbit/s and bytes.
/// ConfigError: a key that no such machine has (nodes, jobs, tuner, background, congestion, loss, reliability,
/// flow_control other than credit, routers), lanes that `scale` does not divide, or packets below the least.
void scale_down(Experiment& experiment);

}   // namespace oscar

// Consistent scaling: a small gradient on a machine slowed down as much stands for a large one on the machine itself.
#pragma once

#include "sim/parameters/parameters.hpp"

namespace oscar {

/// Divides by `scale` all that a value of the gradient occupies for a time: links, their buffers, packets with their
/// headers and flits, DMA and GPU memory, lanes, adders and the memory for classes. Latencies, clocks and the memory
/// for tables stay. A gradient of n values then takes the time of one of n * scale values on the machine as it was, but
/// for what does not grow with the gradient: tables learn from fewer values, and blocks and packets have fewer bytes to
/// round. Quantities that `scale` does not divide are rounded to whole bytes, lanes and Mbit/s. ConfigError: a key that
/// no such machine has (nodes, jobs, tuner, background, congestion, loss, reliability, flow_control other than credit,
/// routers), or fewer lanes than 1.
void scale_down(Experiment& experiment);

}   // namespace oscar

// The cost of an AllReduce: area and energy of its engines, energy of what it moved.
#pragma once

#include "models/codec/kinds/codecs.hpp"
#include "models/job/job.hpp"
#include "models/nic/node_params.hpp"
#include "sim/report/metrics.hpp"

namespace oscar {

/// What is coded in an AllReduce.
struct CodedWork {
    const CodecChoice& choice;
    const Codec& codec;
    const EngineMemoryTraffic& reads;
    std::uint32_t width = 32;     ///< bits of the widest sum
    std::uint32_t classes = 1;    ///< by which the values are coded
    std::uint64_t elements = 0;   ///< of a rank
    bool after_another = false;   ///< tables have been made of what the AllReduce before counted
};

/// Sets area and energies of `result`, which has times, values and links already, where engine.technology of `nodes` is
/// given; does nothing where it is not. `scale`: of the experiment; area and energies are those of the machine and the
/// gradient before they were divided.
void add_cost(IterationResult& result, const Nodes& nodes, const Outcome& outcome, const CodedWork& work,
              std::uint32_t scale);

}   // namespace oscar

#include "sim/parameters/jobs.hpp"
#include "sim/parameters/nccl.hpp"
#include "sim/parameters/nodes.hpp"
#include "sim/parameters/parameters.hpp"
#include "sim/parameters/scaling.hpp"
#include "sim/parameters/schedule_file.hpp"
#include "sim/parameters/sharding.hpp"
#include "sim/parameters/tuner.hpp"

namespace oscar {

void resolve(Experiment& experiment) {
    Parameters& p = experiment.parameters;
    const auto* flows = std::get_if<FlowsParams>(&p.collective.params);
    if (flows != nullptr && p.payload == Payload::synthetic) p.size = size_of(*flows, p.ranks);
    if (p.step && !p.step->given.empty()) p.size = size_of(*p.step);
    read_schedule_file(experiment);
    scale_down(experiment);
    if (p.tuner) tune(p);
    choose_nccl(experiment);
    read_nodes(experiment);
    fill_in_jobs(p);
    place_shards(p);
}

}   // namespace oscar

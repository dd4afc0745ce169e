#include "sim/run/parameter_gather.hpp"

#include "models/codec/kinds/codecs.hpp"
#include "models/collective/endpoint/synthetic_message_source.hpp"
#include "models/job/schedule_on.hpp"
#include "sim/parameters/method_setup.hpp"
#include "sim/parameters/sharding.hpp"

namespace oscar {
namespace {

Method words_of(ParameterWords words) {
    if (words == ParameterWords::bf16) return {"bf16", Bf16Params{}};
    return {"fp32", Fp32Params{}};
}

}   // namespace

Time run_parameter_gather(const Parameters& p, std::uint32_t elements, Machine& machine) {
    const Collective gather = gather_of_step(p);
    const Method words = words_of(p.step->parameters);
    const auto codec = make_codec_of(p, words, 1);
    const ElementType type = element_type_of(words);
    const Topology topology = make_topology(p.network.topology, p.ranks, p.network.link);
    const Plan plan(schedule_on(gather, topology), type, word_bits(type, 0), Operation::all_gather, false,
                    p.gpu.island_port ? topology.island : 1);
    const std::uint32_t chunks = plan.schedule.chunks;
    const ChunkLayout layout =
        make_layout(EqualParams{}, elements, {chunks / slices_of(gather), slices_of(gather)}, {});
    SyntheticMessageSource participants(plan, *codec, layout);
    return {machine.run({.plan = plan, .source = participants, .issue = issue_of(gather)}).path.total_ps()};
}

}   // namespace oscar

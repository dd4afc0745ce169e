#include "sim/run/parameter_gather.hpp"

#include "models/codec/kinds/codecs.hpp"
#include "models/collective/algorithms/all_gather.hpp"
#include "models/collective/endpoint/synthetic_message_source.hpp"
#include "sim/parameters/method_setup.hpp"

namespace oscar {
namespace {

Method words_of(ParameterWords words) {
    if (words == ParameterWords::bf16) return {"bf16", Bf16Params{}};
    return {"fp32", Fp32Params{}};
}

}   // namespace

Time run_parameter_gather(const Parameters& p, std::uint32_t elements, Machine& machine) {
    AllGatherParams params;
    params.issue = issue_of(p.collective);
    params.slices = slices_of(p.collective);
    const Method words = words_of(p.step->parameters);
    const auto codec = make_codec_of(p, words, 1);
    const ElementType type = element_type_of(words);
    const Plan plan(make_schedule(params, p.ranks), type, word_bits(type, 0), params.operation);
    const ChunkLayout layout = make_layout(EqualParams{}, elements, {p.ranks, params.slices}, {});
    SyntheticMessageSource participants(plan, *codec, layout);
    return {machine.run({plan, participants, params.issue, {}}).path.total_ps()};
}

}   // namespace oscar

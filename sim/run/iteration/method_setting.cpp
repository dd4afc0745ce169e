#include "sim/run/iteration/method_setting.hpp"

#include <utility>

#include "sim/parameters/method_setup.hpp"
#include "sim/parameters/nodes.hpp"

namespace oscar {

MethodSetting::MethodSetting(const Parameters& p, const Method& m, const Routes& r, const std::vector<Segment>& tensors,
                             ParallelFor run_ranks)
    : parameters(p),
      method(m),
      routes(r),
      nodes(nodes_of(p)),
      parallel(std::move(run_ranks)),
      elements(tensors.back().end),
      codec(make_codec_of(p, m, class_count(classes_of(p, m), tensors))),
      inside(make_inside_codec_of(p, m)),
      plan(make_plan_of(p, m, r.topology())) {
    by_class = codes_by_class(p, m, *codec);
    if (by_class) classes = class_count(classes_of(p, m), tensors);
}

ChunkCount MethodSetting::chunk_count() const {
    const std::uint32_t slices = slices_of(parameters.collective);
    return {plan.schedule.chunks / slices, slices};
}

std::vector<Symbol> MethodSetting::words_of(const IterationCodes& codes, std::size_t participant) const {
    if (participant >= parameters.ranks) return std::vector(elements, additive_identity(plan.element_type));
    return quantised() ? codes.codes[participant] : oscar::words_of(plan.element_type, codes.gradients[participant]);
}

}   // namespace oscar

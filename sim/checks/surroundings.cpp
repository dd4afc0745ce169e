#include "sim/checks/surroundings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "models/codec/kinds/codecs.hpp"
#include "models/collective/algorithms/collectives.hpp"
#include "models/job/schedule_on.hpp"
#include "sim/checks/network.hpp"
#include "sim/parameters/method_setup.hpp"
#include "sim/parameters/sharding.hpp"

namespace oscar {
namespace {

/// True if rank 0 cuts the chunks of the method and tells the others.
bool is_led(const Parameters& p, const Method& method) {
    return !method.lossy && std::holds_alternative<LeaderParams>(chunks_of(p, method).params) &&
           !make_codec(method.codec, p.engine.framing())->constant_rate();
}

bool sends_integers(const Method& method) { return element_type_of(method) == ElementType::integer; }

/// ConfigError at network.topology if two ranks of `schedule` do not reach each other.
void require_paths(const CabledExperiment& cabled, const Schedule& schedule, std::string_view user,
                   std::string_view remedy) {
    const Routes routes = routes_of(cabled);
    for (const Step& step : schedule.steps)   // switches of islands take paths of their own
        if (std::max(step.from, step.to).value < schedule.ranks && routes.path(step.from, step.to).empty())
            at_path(cabled.experiment.source, "network.topology")
                .fail(fmt::format("no path from rank {} to rank {}, which {}; {}, or another topology, such as star",
                                  step.from.value, step.to.value, user, remedy));
}

}   // namespace

void check_surrounding_exchanges(const CabledExperiment& cabled) {
    const Parameters& p = cabled.experiment.parameters;
    const std::uint32_t ranks = cabled.topology.ranks;
    if (!p.jobs.empty()) return;   // which agree on nothing
    if (std::ranges::any_of(p.methods, [&](const Method& method) { return is_led(p, method); }))
        require_paths(cabled, make_tree_broadcast(ranks), "the boundaries of chunks: leader need",
                      "choose chunks: predicted");
    if (fixed_point(p.quantiser).agreement == ScaleAgreement::exact && std::ranges::any_of(p.methods, sends_integers))
        require_paths(cabled, make_ring_all_gather(ranks), "the peaks of quantiser.agreement: exact need",
                      "write agreement: delayed");
    if (is_sharded(p))
        require_paths(cabled, schedule_on(gather_of_step(p), cabled.topology),
                      "the parameters that a sharded step gathers need", "choose strategy: ddp");
}

}   // namespace oscar

#include "sim/run/iteration/boundary_broadcast.hpp"

#include <stdexcept>

#include "models/codec/kinds/codecs.hpp"
#include "models/collective/algorithms/rooted/broadcast.hpp"
#include "models/exchange/exchange.hpp"

namespace oscar {

PriorExchange run_boundary_broadcast(Machine& machine, std::span<const ChunkLayout> layouts, ChunkCount count,
                                     Issue issue) {
    const auto codec = make_codec(Fp32Params{}, Framing{});   // words of 32 bits, as they are
    const auto ranks = static_cast<std::uint32_t>(layouts.size());
    const Plan plan(make_tree_broadcast(ranks), ElementType::float32, 32);
    const std::vector<std::uint32_t> ends = ends_of(layouts.front(), count);
    const ChunkLayout whole = make_layout(EqualParams{}, static_cast<std::uint32_t>(ends.size()), {}, {});
    std::vector<RankState> rank_states;
    for (std::uint32_t r = 0; r < ranks; ++r) {
        std::vector<Symbol> words(ends.size());
        if (r == 0) words.assign(ends.begin(), ends.end());
        rank_states.emplace_back(plan, *codec).begin(std::move(words), whole, 0);
    }
    const Outcome outcome = Exchange(plan, *codec, {{}, rank_states}).run([&](MessageSource& source) {
        return machine.run({.plan = plan, .source = source, .issue = issue});
    });
    for (std::size_t r = 0; r < layouts.size(); ++r) {
        const std::vector<std::uint32_t> received(rank_states[r].values().all().begin(),
                                                  rank_states[r].values().all().end());
        if (layout_of_ends(received, count) != layouts[r])
            throw std::logic_error("boundary broadcast: a rank cuts elsewhere than the boundaries of rank 0");
    }
    return prior_exchange_of(outcome);
}

}   // namespace oscar

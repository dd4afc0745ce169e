#include "sim/run/scale_exchange.hpp"

#include <bit>
#include <stdexcept>

#include "models/codec/kinds/codecs.hpp"
#include "models/collective/algorithms/sharded/all_gather.hpp"
#include "models/exchange/exchange.hpp"

namespace oscar {
namespace {

/// The largest peak per group out of one rank's gathered bit patterns.
std::vector<float> gathered_peaks(std::span<const Symbol> values, std::size_t ranks, std::size_t groups) {
    std::vector<std::vector<float>> peaks(ranks);
    for (std::size_t i = 0; i < values.size(); ++i) peaks[i / groups].push_back(std::bit_cast<float>(values[i]));
    return SharedScale::largest(peaks);
}

}   // namespace

PriorExchange run_scale_exchange(Machine& machine, const IterationCodes& codes, Issue issue) {
    const auto ranks = static_cast<std::uint32_t>(codes.local_peaks.size());
    const auto groups = static_cast<std::uint32_t>(codes.peaks.size());
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const Plan plan(make_ring_all_gather(ranks), ElementType::float32, 32);
    const ChunkLayout layout = make_layout(EqualParams{}, ranks * groups, {ranks, 1}, {});
    std::vector<RankState> rank_states;
    for (std::uint32_t r = 0; r < ranks; ++r) {
        std::vector<Symbol> values(std::size_t{ranks} * groups);
        for (std::uint32_t g = 0; g < groups; ++g)
            values[r * groups + g] = std::bit_cast<Symbol>(codes.local_peaks[r][g]);
        rank_states.emplace_back(plan, *codec).begin(std::move(values), layout, 0);
    }
    const Outcome outcome = Exchange(plan, *codec, {{}, rank_states}).run([&](MessageSource& source) {
        return machine.run({.plan = plan, .source = source, .issue = issue});
    });
    for (const RankState& rank_state : rank_states)
        if (gathered_peaks(rank_state.values().all(), ranks, groups) != codes.peaks)
            throw std::logic_error("scale exchange: a rank holds other peaks than the codes were made with");
    return prior_exchange_of(outcome);
}

}   // namespace oscar

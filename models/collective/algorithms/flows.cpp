#include "models/collective/algorithms/flows.hpp"

#include <algorithm>
#include <stdexcept>

#include "models/collective/schedule/holdings.hpp"

namespace oscar {
namespace {

constexpr std::uint64_t value_bytes = 4;

void check(const FlowSpec& flow, std::size_t number, std::uint32_t ranks) {
    if (flow.from < ranks && flow.to < ranks && flow.from != flow.to) return;
    throw std::invalid_argument("flow " + std::to_string(number) + ": ranks " + std::to_string(flow.from) + " and " +
                                std::to_string(flow.to) + " must be two of 0 to " + std::to_string(ranks - 1));
}

void check_wait(const std::vector<FlowSpec>& flows, std::size_t number, std::uint32_t before) {
    const std::string flow = "flow " + std::to_string(number) + ": it is after flow " + std::to_string(before);
    if (before >= number) throw std::invalid_argument(flow + ", which must come before it in the list");
    if (flows[before].to != flows[number].from)
        throw std::invalid_argument(flow + ", which goes to rank " + std::to_string(flows[before].to) +
                                    " and not to its sender, rank " + std::to_string(flows[number].from));
}

/// Per flow, one more than the last of the timesteps of those that it is after; 0 if it is after none.
std::vector<Timestep> timesteps_of(const std::vector<FlowSpec>& flows) {
    std::vector<Timestep> timesteps;
    for (const FlowSpec& flow : flows) {
        std::uint32_t first = 0;
        for (const std::uint32_t before : flow.after) first = std::max(first, timesteps[before].value + 1);
        timesteps.push_back(Timestep{first});
    }
    return timesteps;
}

}   // namespace

std::vector<FlowSpec> flows_of(const FlowsParams& params, std::uint32_t ranks) {
    std::vector<FlowSpec> flows = params.flows;
    if (flows.empty())
        for (std::uint32_t r = 0; r < ranks; ++r) flows.push_back({r, (r + 1) % ranks, FlowSpec{}.bytes, {}});
    for (std::size_t i = 0; i < flows.size(); ++i) {
        check(flows[i], i, ranks);
        for (const std::uint32_t before : flows[i].after) check_wait(flows, i, before);
    }
    return flows;
}

Schedule make_schedule(const FlowsParams& params, std::uint32_t ranks) {
    const std::vector<FlowSpec> flows = flows_of(params, ranks);
    Schedule schedule{ranks, static_cast<std::uint32_t>(flows.size()) * params.slices, {}};
    const std::vector<Timestep> timesteps = timesteps_of(flows);
    for (std::uint32_t chunk = 0; chunk < schedule.chunks; ++chunk) {
        const auto number = static_cast<std::uint32_t>(chunk % flows.size());
        const FlowSpec& flow = flows[number];
        std::vector<StepId> before;
        for (const std::uint32_t earlier : flow.after) before.push_back(StepId{chunk - number + earlier});
        schedule.steps.push_back(
            {Rank{flow.from}, Rank{flow.to}, ChunkId{chunk}, Op::copy, timesteps[number], schedule.joins.add(before)});
    }
    return schedule;
}

std::optional<std::string> find_transfer_problem(const FlowsParams& params, const Schedule& schedule) {
    const std::vector<FlowSpec> flows = flows_of(params, schedule.ranks);
    if (schedule.chunks != flows.size() * params.slices)
        return std::to_string(schedule.chunks) + " chunks are not " + std::to_string(params.slices) + " of each flow";
    const StepsByChunk by_chunk(schedule);
    Holdings holdings(schedule);
    for (std::uint32_t c = 0; c < schedule.chunks; ++c) {
        const FlowSpec& flow = flows[c % flows.size()];
        for (const StepId id : by_chunk.of(ChunkId{c})) holdings.apply(schedule.steps[id.value]);
        for (std::uint32_t r = 0; r < schedule.ranks; ++r) {
            const std::uint32_t whose = r == flow.to ? flow.from : r;
            if (holdings.of(Rank{r}).count() != 1 || !holdings.of(Rank{r}).test(whose))
                return "rank " + std::to_string(r) + " ends with chunk " + std::to_string(c) +
                       " of other ranks than rank " + std::to_string(whose);
        }
        holdings.forget(schedule, by_chunk.of(ChunkId{c}));
    }
    return std::nullopt;
}

ChunkLayout layout_of(const FlowsParams& params, std::uint32_t ranks) {
    const std::vector<FlowSpec> flows = flows_of(params, ranks);
    std::vector<std::vector<Segment>> chunks(flows.size() * params.slices);
    std::uint64_t begin = 0;
    for (std::size_t i = 0; i < flows.size(); ++i) {
        const std::uint64_t values = flows[i].bytes.count / value_bytes;
        for (std::uint64_t s = 0; s < params.slices; ++s)
            chunks[s * flows.size() + i] = {{static_cast<std::uint32_t>(begin + values * s / params.slices),
                                             static_cast<std::uint32_t>(begin + values * (s + 1) / params.slices)}};
        begin += values;
    }
    return ChunkLayout(std::move(chunks));
}

Bytes size_of(const FlowsParams& params, std::uint32_t ranks) {
    Bytes size;
    for (const FlowSpec& flow : flows_of(params, ranks)) size = size + flow.bytes;
    return size;
}

std::vector<Time> releases_of(const FlowsParams& params, std::uint32_t ranks) {
    std::vector<Time> releases;
    const std::vector<FlowSpec> flows = flows_of(params, ranks);
    for (std::uint32_t s = 0; s < params.slices; ++s)
        for (const FlowSpec& flow : flows) releases.push_back(flow.start);
    return releases;
}

}   // namespace oscar

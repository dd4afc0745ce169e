#include "models/collective/algorithms/listed/flows.hpp"

#include <algorithm>
#include <set>
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

[[noreturn]] void fail_wait(const std::string& who, const std::string& what) {
    throw std::invalid_argument(who + ": it is after " + what);
}

void check_order(const std::string& who, const char* kind, std::uint32_t before, std::size_t end) {
    if (before >= end)
        fail_wait(who, kind + (" " + std::to_string(before)) + ", which must come before it in the list");
}

void check_received(const FlowsParams& params, const std::string& who, std::uint32_t rank, std::uint32_t before) {
    if (params.flows[before].to != rank)
        fail_wait(who, "flow " + std::to_string(before) + ", which goes to rank " +
                           std::to_string(params.flows[before].to) + " and not to its sender, rank " +
                           std::to_string(rank));
}

void check_computed(const FlowsParams& params, const std::string& who, std::uint32_t rank, std::uint32_t before) {
    if (params.computations[before].rank != rank)
        fail_wait(who, "computation " + std::to_string(before) + " of rank " +
                           std::to_string(params.computations[before].rank) + ", and is of rank " +
                           std::to_string(rank));
}

/// Checks the computations; per computation, one more than the last flow that it waits for, also through others.
std::vector<std::size_t> ends_of_waits(const FlowsParams& params, std::uint32_t ranks) {
    std::vector<std::size_t> ends;
    for (const ComputationSpec& computation : params.computations) {
        const std::string who = "computation " + std::to_string(ends.size());
        if (computation.rank >= ranks)
            throw std::invalid_argument(who + ": rank " + std::to_string(computation.rank) + " must be one of 0 to " +
                                        std::to_string(ranks - 1));
        std::size_t end = 0;
        for (const std::uint32_t flow : computation.after) {
            check_order(who, "flow", flow, params.flows.size());
            check_received(params, who, computation.rank, flow);
            end = std::max(end, std::size_t{flow} + 1);
        }
        for (const std::uint32_t before : computation.computed) {
            check_order(who, "computation", before, ends.size());
            check_computed(params, who, computation.rank, before);
            end = std::max(end, ends[before]);
        }
        ends.push_back(end);
    }
    return ends;
}

void check_waits(const FlowsParams& params, std::size_t number, const std::vector<std::size_t>& ends) {
    const FlowSpec& flow = params.flows[number];
    const std::string who = "flow " + std::to_string(number);
    for (const std::uint32_t before : flow.after) {
        check_order(who, "flow", before, number);
        check_received(params, who, flow.from, before);
    }
    for (const std::uint32_t before : flow.computed) {
        check_order(who, "computation", before, ends.size());
        check_computed(params, who, flow.from, before);
        if (ends[before] > number)
            fail_wait(who, "computation " + std::to_string(before) + ", which waits for flow " +
                               std::to_string(ends[before] - 1) + "; that must come before it in the list");
    }
}

/// One more than the last of the timesteps of the flows that it waits for, which are done; 0 if there are none.
class Timesteps {
public:
    explicit Timesteps(const FlowsParams& params) : params_(params), of_computation_(params.computations.size()) {}
    std::vector<Timestep> of_flows(const std::vector<FlowSpec>& flows) {
        for (const FlowSpec& flow : flows) {
            std::uint32_t first = after(flow.after);
            for (const std::uint32_t before : flow.computed) first = std::max(first, of_computation(before));
            of_flow_.push_back(Timestep{first});
        }
        return std::move(of_flow_);
    }

private:
    std::uint32_t after(const std::vector<std::uint32_t>& flows) const {
        std::uint32_t first = 0;
        for (const std::uint32_t before : flows) first = std::max(first, of_flow_[before].value + 1);
        return first;
    }
    /// Those before it in the list are made first, so that chains may be as long as the list.
    std::uint32_t of_computation(std::uint32_t number) {
        std::vector<std::uint32_t> left{number};
        while (!left.empty()) {
            const std::uint32_t next = left.back();
            const std::size_t others = left.size();
            for (const std::uint32_t before : params_.computations[next].computed)
                if (!of_computation_[before]) left.push_back(before);
            if (left.size() > others) continue;
            left.pop_back();
            std::uint32_t first = after(params_.computations[next].after);
            for (const std::uint32_t before : params_.computations[next].computed)
                first = std::max(first, *of_computation_[before]);
            of_computation_[next] = first;
        }
        return *of_computation_[number];
    }

    const FlowsParams& params_;
    std::vector<Timestep> of_flow_;
    std::vector<std::optional<std::uint32_t>> of_computation_;
};

}   // namespace

std::vector<FlowSpec> flows_of(const FlowsParams& params, std::uint32_t ranks) {
    std::vector<FlowSpec> flows = params.flows;
    if (flows.empty())
        for (std::uint32_t r = 0; r < ranks; ++r) flows.push_back({r, (r + 1) % ranks, FlowSpec{}.bytes, {}});
    const std::vector<std::size_t> ends = ends_of_waits(params, ranks);
    for (std::size_t i = 0; i < flows.size(); ++i) {
        check(flows[i], i, ranks);
        if (!params.flows.empty()) check_waits(params, i, ends);
    }
    return flows;
}

Schedule make_schedule(const FlowsParams& params, std::uint32_t ranks) {
    const std::vector<FlowSpec> flows = flows_of(params, ranks);
    Schedule schedule{ranks, static_cast<std::uint32_t>(flows.size()) * params.slices, {}};
    const std::vector<Timestep> timesteps = Timesteps(params).of_flows(flows);
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
    std::vector<std::uint32_t> sizes(flows.size() * params.slices);
    for (std::size_t i = 0; i < flows.size(); ++i) {
        const std::uint64_t values = flows[i].bytes.count / value_bytes;
        for (std::uint64_t s = 0; s < params.slices; ++s)
            sizes[s * flows.size() + i] =
                static_cast<std::uint32_t>(values * (s + 1) / params.slices - values * s / params.slices);
    }
    return ChunkLayout::of_sizes(std::move(sizes));
}

Bytes size_of(const FlowsParams& params, std::uint32_t ranks) {
    Bytes size;
    for (const FlowSpec& flow : flows_of(params, ranks)) size = size + flow.bytes;
    return size;
}

FlowsParams without_computations(FlowsParams params) {
    std::vector<std::set<std::uint32_t>> awaited;   // per computation
    const auto add = [&](std::set<std::uint32_t>& all, const auto& waiting) {
        all.insert(waiting.after.begin(), waiting.after.end());
        for (const std::uint32_t before : waiting.computed)
            if (before < awaited.size()) all.insert(awaited[before].begin(), awaited[before].end());
    };
    for (const ComputationSpec& computation : params.computations) {
        std::set<std::uint32_t> all;
        add(all, computation);
        awaited.push_back(std::move(all));
    }
    for (FlowSpec& flow : params.flows) {
        std::set<std::uint32_t> all;
        add(all, flow);
        flow.after.assign(all.begin(), all.end());
        flow.computed.clear();
    }
    params.computations.clear();
    return params;
}

Computations computations_of(const FlowsParams& params, std::uint32_t ranks) {
    const std::vector<FlowSpec> flows = flows_of(params, ranks);
    Computations result;
    if (params.computations.empty()) return result;
    const auto count = static_cast<std::uint32_t>(flows.size());
    for (const ComputationSpec& spec : params.computations) {
        Computation& computation =
            result.all.emplace_back(Computation{Rank{spec.rank}, spec.processor, spec.time, {}, spec.computed});
        for (const std::uint32_t flow : spec.after)
            for (std::uint32_t s = 0; s < params.slices; ++s) computation.after.push_back(StepId{s * count + flow});
    }
    for (std::uint32_t s = 0; s < params.slices; ++s)
        for (const FlowSpec& flow : flows) result.before_step.push_back(flow.computed);
    return result;
}

std::vector<Time> releases_of(const FlowsParams& params, std::uint32_t ranks) {
    std::vector<Time> releases;
    const std::vector<FlowSpec> flows = flows_of(params, ranks);
    for (std::uint32_t s = 0; s < params.slices; ++s)
        for (const FlowSpec& flow : flows) releases.push_back(flow.start);
    return releases;
}

}   // namespace oscar

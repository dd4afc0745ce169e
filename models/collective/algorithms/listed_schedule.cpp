#include "models/collective/algorithms/listed_schedule.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "models/collective/algorithms/ring.hpp"
#include "models/collective/schedule/builder.hpp"
#include "models/collective/schedule/find_problem.hpp"

namespace oscar {
namespace {

void check(const ListedStep& step, std::size_t number, std::uint32_t ranks) {
    if (step.from < ranks && step.to < ranks && step.from != step.to) return;
    throw std::invalid_argument("step " + std::to_string(number) + ": ranks " + std::to_string(step.from) + " and " +
                                std::to_string(step.to) + " must be two of 0 to " + std::to_string(ranks - 1));
}

/// The number of chunks of which an operation has a whole multiple.
std::uint32_t unit_of(Operation operation, std::uint32_t ranks) {
    if (operation == Operation::all_to_all) return ranks * ranks;
    using enum Operation;
    const bool by_rank =
        operation == reduce_scatter || operation == all_gather || operation == gather || operation == scatter;
    return by_rank ? ranks : 1;
}

/// Per step, the first timestep in which its sender has all that the steps before have brought of its chunk.
std::vector<std::uint32_t> timesteps_of(const std::vector<ListedStep>& steps, std::uint32_t ranks,
                                        std::uint32_t chunks) {
    std::vector<std::uint32_t> ready(std::size_t{ranks} * chunks), timesteps;
    for (const ListedStep& step : steps) {
        const std::uint32_t timestep = ready[std::size_t{step.from} * chunks + step.chunk];
        std::uint32_t& there = ready[std::size_t{step.to} * chunks + step.chunk];
        there = std::max(there, timestep + 1);
        timesteps.push_back(timestep);
    }
    return timesteps;
}

}   // namespace

std::vector<ListedStep> steps_of(const ListedScheduleParams& params, std::uint32_t ranks) {
    if (!params.steps.empty()) return params.steps;
    std::vector<ListedStep> steps;
    for (const Step& step : make_schedule(RingParams{}, ranks).steps)
        steps.push_back({step.from.value, step.to.value, step.chunk.value, step.op});
    return steps;
}

std::uint32_t chunks_of(const ListedScheduleParams& params, std::uint32_t ranks) {
    std::uint32_t chunks = 0;
    for (const ListedStep& step : steps_of(params, ranks)) chunks = std::max(chunks, step.chunk + 1);
    const std::uint32_t unit = unit_of(params.operation, ranks);
    return (chunks + unit - 1) / unit * unit;
}

Schedule make_schedule(const ListedScheduleParams& params, std::uint32_t ranks) {
    const std::vector<ListedStep> steps = steps_of(params, ranks);
    for (std::size_t i = 0; i < steps.size(); ++i) check(steps[i], i, ranks);
    const std::uint32_t chunks = chunks_of(params, ranks);
    const std::vector<std::uint32_t> timesteps = timesteps_of(steps, ranks, chunks);
    std::vector<std::size_t> order(steps.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::size_t step) { return timesteps[step]; });

    ScheduleBuilder builder(ranks, chunks * params.slices);
    for (std::uint32_t slice = 0; slice < params.slices; ++slice)
        for (const std::size_t i : order)
            builder.send(Rank{steps[i].from}, Rank{steps[i].to}, ChunkId{slice * chunks + steps[i].chunk}, steps[i].op,
                         timesteps[i]);
    Schedule schedule = std::move(builder).finish();
    if (const auto problem = find_problem(params.operation, schedule))
        throw std::invalid_argument("its steps do not perform " + std::string(to_text(params.operation)) + ": " +
                                    *problem);
    return schedule;
}

}   // namespace oscar

#include "models/collective/algorithms/listed/listed_schedule.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>
#include <tuple>

#include "models/collective/algorithms/all_reduce/ring.hpp"
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

/// The numbers of the steps in the order of their timesteps.
std::vector<std::size_t> by_timestep(const std::vector<std::uint32_t>& timesteps) {
    std::vector<std::size_t> order(timesteps.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::size_t step) { return timesteps[step]; });
    return order;
}

/// The schedule of a list whose ranks have one sum of a chunk.
Schedule with_one_sum(const std::vector<ListedStep>& steps, std::uint32_t ranks, std::uint32_t chunks,
                      std::uint32_t slices) {
    const std::vector<std::uint32_t> timesteps = timesteps_of(steps, ranks, chunks);
    const std::vector<std::size_t> order = by_timestep(timesteps);
    ScheduleBuilder builder(ranks, chunks * slices);
    for (std::uint32_t slice = 0; slice < slices; ++slice)
        for (const std::size_t i : order)
            builder.send(Rank{steps[i].from}, Rank{steps[i].to}, ChunkId{slice * chunks + steps[i].chunk}, steps[i].op,
                         timesteps[i]);
    return std::move(builder).finish();
}

/// Makes the schedule of a list whose ranks may have several sums of a chunk.
class ManySums {
public:
    ManySums(const std::vector<ListedStep>& steps, const ListedSums& sums, std::uint32_t ranks)
        : steps_(steps), sums_(sums), ranks_(ranks) {
        for (const ListedSum& carried : sums.carried) {
            std::uint32_t first = 0;
            for (const std::uint32_t before : carried.steps) first = std::max(first, timesteps_[before] + 1);
            timesteps_.push_back(first);
        }
        order_ = by_timestep(timesteps_);
        place_.resize(order_.size());
        for (std::uint32_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
    }
    Schedule in_slices(std::uint32_t slices) && {
        schedule_.ranks = ranks_;
        schedule_.chunks = sums_.chunks * slices;
        schedule_.scratch = Scratch{{false}, {}};
        for (std::uint32_t slice = 0; slice < slices; ++slice) add_steps(slice);
        schedule_.scratch->results.resize(std::size_t{ranks_} * schedule_.chunks);
        for (std::uint32_t slice = 0; slice < slices; ++slice) add_results(slice);
        return std::move(schedule_);
    }

private:
    void add_steps(std::uint32_t slice) {
        for (const std::size_t i : order_)
            schedule_.steps.push_back({Rank{steps_[i].from}, Rank{steps_[i].to},
                                       ChunkId{slice * sums_.chunks + steps_[i].chunk}, steps_[i].op,
                                       Timestep{timesteps_[i]}, join_of(sums_.carried[i], slice)});
    }
    void add_results(std::uint32_t slice) {
        for (std::uint32_t r = 0; r < ranks_; ++r)
            for (std::uint32_t c = 0; c < sums_.chunks; ++c)
                schedule_.scratch->results[std::size_t{r} * schedule_.chunks + slice * sums_.chunks + c] =
                    join_of(sums_.results[std::size_t{r} * sums_.chunks + c], slice);
    }
    /// Steps of equal sums have one join. Those of different ranks or chunks have no step in common.
    JoinId join_of(const ListedSum& sum, std::uint32_t slice) {
        const auto [known, fresh] = joins_.try_emplace({slice, sum.own, sum.steps});
        if (!fresh || sum.steps.empty()) return known->second;
        std::vector<StepId> members;
        for (const std::uint32_t step : sum.steps)
            members.push_back({slice * static_cast<std::uint32_t>(steps_.size()) + place_[step]});
        schedule_.scratch->without_own.push_back(!sum.own);
        return known->second = schedule_.joins.add(members);
    }

    const std::vector<ListedStep>& steps_;
    const ListedSums& sums_;
    std::uint32_t ranks_;
    std::vector<std::uint32_t> timesteps_, place_;   ///< per step of the list; place_: its place in order_
    std::vector<std::size_t> order_;
    std::map<std::tuple<std::uint32_t, bool, std::vector<std::uint32_t>>, JoinId> joins_;
    Schedule schedule_;
};

/// The steps by timesteps and, within one, by the distance of the receiver: messages that start at the same time have
/// no order of their own in a program, and each rank begins with its next neighbour, as in `direct`, so that not all
/// send to one rank at once.
std::vector<ListedStep> by_distance(const std::vector<ListedStep>& steps, std::uint32_t ranks, std::uint32_t chunks) {
    const std::vector<std::uint32_t> timesteps = timesteps_of(steps, ranks, chunks);
    std::vector<std::size_t> order(steps.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) {
        return std::pair(timesteps[i], (steps[i].to + ranks - steps[i].from) % ranks);
    });
    std::vector<ListedStep> sorted;
    sorted.reserve(steps.size());
    for (const std::size_t i : order) sorted.push_back(steps[i]);
    return sorted;
}

/// What each step carries and each rank ends with, if ranks have one sum of a chunk.
ListedSums one_sum(const std::vector<ListedStep>& steps, std::uint32_t ranks, std::uint32_t chunks) {
    ListedSums sums{chunks, {}, std::vector<ListedSum>(std::size_t{ranks} * chunks)};
    for (std::uint32_t i = 0; i < steps.size(); ++i) {
        sums.carried.push_back(sums.results[std::size_t{steps[i].from} * chunks + steps[i].chunk]);
        ListedSum& there = sums.results[std::size_t{steps[i].to} * chunks + steps[i].chunk];
        if (steps[i].op == Op::copy) there = {false, {}};
        there.steps.push_back(i);
    }
    return sums;
}

bool is_one_sum(const std::vector<ListedStep>& steps, std::uint32_t ranks, const ListedSums& sums) {
    const ListedSums one = one_sum(steps, ranks, sums.chunks);
    return one.carried == sums.carried && one.results == sums.results;
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
    if (params.sums) return params.sums->chunks;
    std::uint32_t chunks = 0;
    for (const ListedStep& step : steps_of(params, ranks)) chunks = std::max(chunks, step.chunk + 1);
    const std::uint32_t unit = unit_of(params.operation, ranks);
    return (chunks + unit - 1) / unit * unit;
}

Schedule make_schedule(const ListedScheduleParams& params, std::uint32_t ranks) {
    const std::vector<ListedStep> steps = steps_of(params, ranks);
    for (std::size_t i = 0; i < steps.size(); ++i) check(steps[i], i, ranks);
    if (params.sums && is_one_sum(steps, ranks, *params.sums)) {
        Schedule schedule =
            with_one_sum(by_distance(steps, ranks, params.sums->chunks), ranks, params.sums->chunks, params.slices);
        if (!find_problem(params.operation, schedule)) return schedule;   // in which reads may not be ordered
    }
    Schedule schedule = params.sums ? ManySums(steps, *params.sums, ranks).in_slices(params.slices)
                                    : with_one_sum(steps, ranks, chunks_of(params, ranks), params.slices);
    if (const auto problem = find_problem(params.operation, schedule))
        throw std::invalid_argument("its steps do not perform " + std::string(to_text(params.operation)) + ": " +
                                    *problem);
    return schedule;
}

}   // namespace oscar

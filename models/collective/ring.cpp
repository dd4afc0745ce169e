#include "models/collective/ring.hpp"

namespace oscar {
namespace {

/// The ranks steps of one timestep of one slice: rank r sends chunk (r + shift) mod ranks to rank r + to, which it
/// received one timestep ago from rank r - from.
struct Round {
    std::uint32_t slice, timestep, shift;
    Op op;
    std::uint32_t to = 1, from = 1;
};

void add_round(Schedule& schedule, const Round& round, std::uint32_t previous_round) {
    const std::uint32_t n = schedule.ranks;
    for (std::uint32_t r = 0; r < n; ++r) {
        Step step{Rank{r},  Rank{(r + round.to) % n}, ChunkId{round.slice * n + (r + round.shift) % n},
                  round.op, Timestep{round.timestep}, {}};
        if (round.timestep > 0) step.after.push_back(StepId{previous_round + (r + n - round.from) % n});
        schedule.steps.push_back(std::move(step));
    }
}

Round round_of(const RingParams& params, std::uint32_t ranks, std::uint32_t slice, std::uint32_t timestep) {
    if (timestep + 1 < ranks) return {slice, timestep, ranks - timestep, Op::reduce};
    const std::uint32_t s = timestep - (ranks - 1);
    if (params.gather == Gather::onward) return {slice, timestep, ranks + 1 - s, Op::copy};
    return {slice, timestep, 1 + s, Op::copy, ranks - 1, s == 0 ? 1 : ranks - 1};
}

}   // namespace

Schedule make_schedule(const RingParams& params, std::uint32_t ranks) {
    Schedule schedule{ranks, ranks * params.slices, {}};
    const std::uint32_t rounds = 2 * (ranks - 1);
    schedule.steps.reserve(std::size_t{rounds} * ranks * params.slices);
    for (std::uint32_t t = 0; t < rounds; ++t)
        for (std::uint32_t slice = 0; slice < params.slices; ++slice)
            add_round(schedule, round_of(params, ranks, slice, t),
                      ((t > 0 ? t - 1 : 0) * params.slices + slice) * ranks);
    return schedule;
}

Schedule make_ring_all_gather(std::uint32_t ranks) {
    Schedule schedule{ranks, ranks, {}};
    for (std::uint32_t t = 0; t + 1 < ranks; ++t)
        add_round(schedule, {0, t, ranks - t, Op::copy}, (t > 0 ? t - 1 : 0) * ranks);
    return schedule;
}

}   // namespace oscar

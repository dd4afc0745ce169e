#include "models/collective/ring.hpp"

namespace oscar {
namespace {

/// Appends the ranks steps of one timestep of one slice; rank r sends chunk (r + shift) mod ranks.
void add_round(Schedule& schedule, std::uint32_t slice, std::uint32_t timestep, std::uint32_t shift, Op op,
               std::uint32_t previous_round) {
    const std::uint32_t n = schedule.ranks;
    for (std::uint32_t r = 0; r < n; ++r) {
        Step step{Rank{r}, Rank{(r + 1) % n}, ChunkId{slice * n + (r + shift) % n}, op, Timestep{timestep}, {}};
        // What rank r sends, it received one timestep ago from its predecessor.
        if (timestep > 0) step.after.push_back(StepId{previous_round + (r + n - 1) % n});
        schedule.steps.push_back(std::move(step));
    }
}

}   // namespace

Schedule make_schedule(const RingParams& params, std::uint32_t ranks) {
    Schedule schedule{ranks, ranks * params.slices, {}};
    const std::uint32_t rounds = 2 * (ranks - 1), half = ranks - 1;
    schedule.steps.reserve(std::size_t{rounds} * ranks * params.slices);
    for (std::uint32_t t = 0; t < rounds; ++t) {
        const std::uint32_t shift = t < half ? ranks - t : ranks + 1 - (t - half);
        for (std::uint32_t slice = 0; slice < params.slices; ++slice) {
            const std::uint32_t before = ((t > 0 ? t - 1 : 0) * params.slices + slice) * ranks;
            add_round(schedule, slice, t, shift, t < half ? Op::reduce : Op::copy, before);
        }
    }
    return schedule;
}

Schedule make_ring_all_gather(std::uint32_t ranks) {
    Schedule schedule{ranks, ranks, {}};
    for (std::uint32_t t = 0; t + 1 < ranks; ++t)
        add_round(schedule, 0, t, ranks - t, Op::copy, (t > 0 ? t - 1 : 0) * ranks);
    return schedule;
}

}   // namespace oscar

// Three steps of two ranks, by hand.
#pragma once

#include <array>

#include "models/job/job.hpp"

namespace oscar::test {

using namespace literals;

inline CriticalPath path(std::int64_t wire, std::int64_t latency, std::int64_t wait = 0) {
    CriticalPath result;
    result.wire_ps = wire;
    result.latency_ps = latency;
    result.wait_ps = wait;
    return result;
}

/// Rank 1 starts at 2 us. Step 0: 0->1, 0 to 10 us; step 1: 1->0, 2 to 5 us; step 2, after step 0: 1->0, 10 to 20 us,
/// stored at 21 us.
struct Collective {
    Schedule schedule;
    Outcome outcome;
    Collective() {
        schedule.ranks = 2;
        schedule.chunks = 2;
        schedule.steps = {{Rank{0}, Rank{1}, ChunkId{0}, Op::reduce, Timestep{0}, {}},
                          {Rank{1}, Rank{0}, ChunkId{1}, Op::reduce, Timestep{0}, {}},
                          {Rank{1}, Rank{0}, ChunkId{0}, Op::copy, Timestep{1}, {}}};
        const std::array first{StepId{0}};
        schedule.steps[2].after = schedule.joins.add(first);
        outcome.steps = {{0_us, 8_us, 9_us, 10_us, path(8'000'000, 2'000'000)},
                         {2_us, 4_us, 5_us, 5_us, path(2'000'000, 1'000'000, 2'000'000)},
                         {10_us, 19_us, 20_us, 20_us, path(17'000'000, 3'000'000), 21_us}};
        outcome.ranks.resize(2);
        outcome.ranks[0].finish = 21_us;
        outcome.ranks[0].path = path(17'000'000, 4'000'000);
        outcome.ranks[0].last = StepId{2};
        outcome.ranks[1].finish = 10_us;
        outcome.ranks[0].encoder = {{0_us, 3_us}, {3_us, 4_us}};
        outcome.finish = 21_us;
        outcome.path = outcome.ranks[0].path;
        outcome.links.push_back({"rank0->switch0", {{5_us, 8_us}, {0_us, 5_us}}, 2, 100, 0});
        outcome.links.push_back({"unused", {}, 0, 0, 0});
    }
};

}   // namespace oscar::test

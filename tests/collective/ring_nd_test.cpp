// Rings along the dimensions of a lattice.
#include "models/collective/algorithms/all_reduce/ring_nd.hpp"

#include <gmock/gmock.h>

#include <tuple>

#include "models/collective/algorithms/all_reduce/ring_2d.hpp"
#include "models/collective/schedule/find_problem.hpp"

namespace oscar::ring_nd_test {
namespace {

TEST(RingNd, IsAnAllReduceOnEveryLatticeAndInTwoDimensionsRing2d) {
    for (const std::vector<std::uint32_t>& dimensions :
         {std::vector<std::uint32_t>{12}, {3, 4}, {4, 3}, {2, 3, 2}, {1, 12, 1}, {2, 2, 2, 2}, {5, 1, 2}})
        for (const std::uint32_t slices : {1u, 3u}) {
            std::uint32_t ranks = 1;
            for (const std::uint32_t size : dimensions) ranks *= size;
            RingNdParams params;
            params.dimensions = dimensions;
            params.slices = slices;
            const Schedule schedule = make_schedule(params, ranks);
            EXPECT_EQ(find_problem(Operation::all_reduce, schedule), std::nullopt) << dimensions.size();
            EXPECT_EQ(schedule.steps.size(), 2u * (ranks - 1) * ranks * slices);
        }
    const auto steps_of = [](const Schedule& schedule) {
        std::vector<std::tuple<Rank, Rank, ChunkId, Timestep>> steps;
        for (const Step& step : schedule.steps) steps.emplace_back(step.from, step.to, step.chunk, step.timestep);
        return steps;
    };
    EXPECT_EQ(steps_of(make_schedule(RingNdParams{{}, {3, 4}}, 12)), steps_of(make_schedule(Ring2dParams{{}, 3}, 12)));
    EXPECT_THROW(make_schedule(RingNdParams{{}, {3, 5}}, 12), std::invalid_argument);
}

}   // namespace
}   // namespace oscar::ring_nd_test

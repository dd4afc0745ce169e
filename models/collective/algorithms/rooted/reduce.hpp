// A reduce to rank 0.
#pragma once

#include <array>
#include <cstdint>

#include "models/collective/schedule/params.hpp"
#include "models/collective/schedule/schedule.hpp"

namespace oscar {

enum class ReduceShape : std::uint8_t { binomial, chain };
constexpr auto choices(ReduceShape) {
    return std::array{
        Choice{"binomial", ReduceShape::binomial,
               "binomial tree: of the ranks that still hold a sum, half send it to the other half in each timestep"},
        Choice{"chain", ReduceShape::chain,
               "rank r adds its own to what r+1 sends and passes it to r-1; for many slices"}};
}

struct ReduceToRootParams : CollectiveParams {
    ReduceShape shape = ReduceShape::binomial;
    static constexpr Operation operation = Operation::reduce;
    static constexpr auto fields() {
        return concatenate(fields_of<ReduceToRootParams>(),
                           Entries{field("shape", &ReduceToRootParams::shape, "tree of the reduce")});
    }
};

/// One chunk a slice, (ranks-1) slices steps: a broadcast from rank 0 backwards, each step of which adds. Binomial:
/// ceil(log2 ranks) timesteps. Chain: ranks-1. Slice s goes s timesteps later. Precondition: ranks >= 2.
/// Source: Thakur, Rabenseifner & Gropp, IJHPCA 2005, section 4.
Schedule make_schedule(const ReduceToRootParams& params, std::uint32_t ranks);

}   // namespace oscar

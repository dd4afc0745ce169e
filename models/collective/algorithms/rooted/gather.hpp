// A gather to rank 0, and a scatter from it.
#pragma once

#include <array>
#include <cstdint>

#include "models/collective/schedule/params.hpp"
#include "models/collective/schedule/schedule.hpp"

namespace oscar {

enum class RootedShape : std::uint8_t { direct, binomial };
constexpr auto choices(RootedShape) {
    return std::array{
        Choice{"direct", RootedShape::direct, "each rank and rank 0, in one timestep"},
        Choice{"binomial", RootedShape::binomial,
               "binomial tree, whose ranks pass on what is of those below: few timesteps, for small data"}};
}

/// The parameters of both.
struct RootedParams : CollectiveParams {
    RootedShape shape = RootedShape::direct;
    template <class P>
    static constexpr auto fields_of() {
        return concatenate(CollectiveParams::fields_of<P>(),
                           Entries{field("shape", &P::shape, "communication pattern")});
    }
};

struct GatherToRootParams : RootedParams {
    static constexpr Operation operation = Operation::gather;
    static constexpr auto fields() { return fields_of<GatherToRootParams>(); }
};

struct ScatterFromRootParams : RootedParams {
    static constexpr Operation operation = Operation::scatter;
    static constexpr auto fields() { return fields_of<ScatterFromRootParams>(); }
};

/// ranks slices chunks, chunk r of rank r to rank 0. Direct: ranks-1 steps of a slice, in one timestep. Binomial:
/// ceil(log2 ranks) timesteps; in timestep k rank r, whose lowest set bit is 2^k, sends its chunks r to r + 2^k - 1 to
/// rank r - 2^k. Precondition: ranks >= 2. Source: Thakur, Rabenseifner & Gropp, IJHPCA 2005, section 4.
Schedule make_schedule(const GatherToRootParams& params, std::uint32_t ranks);
/// The gather backwards: chunk r of rank 0 to rank r.
Schedule make_schedule(const ScatterFromRootParams& params, std::uint32_t ranks);

/// Messages of a slice between rank 0 and the others, either way.
std::uint64_t rooted_messages(RootedShape shape, std::uint64_t ranks);

}   // namespace oscar

// Rotation: a symmetry of a schedule, by which the steps of a few ranks stand for those of all.
#pragma once

#include <cstdint>

namespace oscar {

/// Takes each rank r to r + ranks, modulo all of them, and each chunk to the one that is `chunks` further in its cycle:
/// chunks 0 to cycle - 1 are a cycle, the next `cycle` another, and so on. A schedule is symmetric under it if it has
/// the same steps, in the same timesteps, afterwards. Preconditions: `chunks` divides `cycle`, and goes into it as
/// often as `ranks` into all ranks.
struct Rotation {
    std::uint32_t ranks, chunks, cycle;
};

}   // namespace oscar

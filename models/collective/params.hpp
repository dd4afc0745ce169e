// What the collectives' parameter sets have in common.
#pragma once

#include <array>
#include <cstdint>
#include <tuple>

#include "models/collective/operation.hpp"
#include "models/core/fields.hpp"

namespace oscar {

/// When a step whose data is there may start.
enum class Issue : std::uint8_t { lock_step, dependency };
constexpr auto choices(Issue) {
    return std::array{
        Choice{"lock_step", Issue::lock_step, "a timestep starts when all ranks have finished the one before"},
        Choice{"dependency", Issue::dependency, "a step starts as soon as its own data is there"}};
}

/// Of every collective. A kind says which operation it performs by a member `operation`.
struct CollectiveParams {
    Issue issue = Issue::lock_step;
    std::uint32_t slices = 1;
    template <class P>
    static constexpr auto fields_of() {
        return std::tuple{
            field("issue", &P::issue, "when a step may start"),
            field("slices", &P::slices, "independent parts of each chunk in flight at once", 1u, 256u),
        };
    }
};

}   // namespace oscar

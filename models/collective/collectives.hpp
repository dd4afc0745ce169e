// The family of collectives: to add one, write its file pair and one line here.
#pragma once

#include <tuple>

#include "models/collective/ring.hpp"
#include "models/core/kinds.hpp"

namespace oscar {

inline constexpr auto collectives = std::tuple{
    kind<RingParams>("ring", "ring AllReduce: reduce-scatter, then all-gather"),
};
using Collective = OneOf<collectives>;

inline Schedule make_schedule(const Collective& collective, std::uint32_t ranks) {
    return std::visit([&](const auto& params) { return make_schedule(params, ranks); }, collective.params);
}
inline Issue issue_of(const Collective& collective) {
    return std::visit([](const auto& params) { return params.issue; }, collective.params);
}
inline std::uint32_t slices_of(const Collective& collective) {
    return std::visit([](const auto& params) { return params.slices; }, collective.params);
}

}   // namespace oscar

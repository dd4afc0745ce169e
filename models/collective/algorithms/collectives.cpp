#include "models/collective/algorithms/collectives.hpp"

#include <concepts>
#include <stdexcept>
#include <utility>

#include "models/collective/schedule/stagger.hpp"

namespace oscar {
namespace {

/// The parameters of a collective on a machine with such islands.
template <class P>
const P& on_islands(const P& params, std::uint32_t, std::uint32_t) {
    return params;
}

}   // namespace

Schedule make_schedule(const Collective& collective, std::uint32_t ranks, std::uint32_t island) {
    return std::visit(
        [&]<class P>(const P& params) {
            Schedule schedule = make_schedule(on_islands(params, ranks, island), ranks);
            if constexpr (std::derived_from<P, ChannelledParams>)
                return staggered(in_channels(std::move(schedule), params, island), params.slices, params.in_flight);
            else return schedule;
        },
        collective.params);
}

namespace {

template <class P>
concept Divisible = requires(const P& params) {
    make_part(params, 1u, 1u);
};

}   // namespace

Schedule make_part(const Collective& collective, std::uint32_t ranks, std::uint32_t island, std::uint32_t turn) {
    return std::visit(
        [&]<class P>(const P& params) -> Schedule {
            if constexpr (!Divisible<P>) throw std::logic_error("a collective whose steps differ from rank to rank");
            else if constexpr (std::derived_from<P, ChannelledParams>)
                return in_channels(make_part(on_islands(params, ranks, island), ranks, turn), params, island);
            else return make_part(params, ranks, turn);
        },
        collective.params);
}

Operation operation_of(const Collective& collective) {
    return std::visit([](const auto& params) { return params.operation; }, collective.params);
}

Issue issue_of(const Collective& collective) {
    return std::visit([](const auto& params) { return params.issue; }, collective.params);
}

std::uint32_t slices_of(const Collective& collective) {
    return std::visit([](const auto& params) { return params.slices; }, collective.params);
}

const ChannelledParams* channels_in(const Collective& collective) {
    return std::visit(
        []<class P>(const P& params) -> const ChannelledParams* {
            if constexpr (std::derived_from<P, ChannelledParams>) return &params;
            else return nullptr;
        },
        collective.params);
}

std::uint32_t channels_of(const Collective& collective) {
    const ChannelledParams* params = channels_in(collective);
    return params != nullptr ? params->channels : 1;
}

}   // namespace oscar

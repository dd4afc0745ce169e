#include "models/collective/algorithms/collectives.hpp"

#include <concepts>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "models/collective/schedule/stagger.hpp"
#include "models/collective/schedule/window.hpp"

namespace oscar {
namespace {

constexpr std::uint32_t nccl_slots = 8;   // of a connection: NCCL_STEPS
/// A port sends messages in the order in which they come, where NCCL's kernels share it: of more slices the sums that
/// go down would wait behind values that go up.
constexpr std::uint32_t nvls_slots = 2;

/// The parameters of a collective on a machine with such islands.
template <class P>
const P& on_islands(const P& params, std::uint32_t, std::uint32_t) {
    return params;
}

/// All channels of `one`. A reduce-scatter or an all-gather has no halves to be staggered.
Schedule nccl_channels(Schedule one, const NcclCollectiveParams& params, std::uint32_t island) {
    const bool whole = params.operation == Operation::all_reduce;
    Schedule all = in_channels(std::move(one), params, island, whole ? ChunkOrder::same : ChunkOrder::as_ranks);
    if (params.is_tree()) return windowed(std::move(all), params.slices, nccl_slots);
    if (params.algorithm == NcclAlgorithm::nvls_tree) return windowed(std::move(all), params.slices, nvls_slots);
    return staggered(all, params.slices, params.in_flight);
}

/// All channels of `one`, on islands of the machine; where groups share the bucket, a channel has another order of the
/// ranks that are on an island of one group.
template <class P>
Schedule all_channels(Schedule one, const P& params, std::uint32_t ranks, std::uint32_t island) {
    if constexpr (std::same_as<P, NcclCollectiveParams>) return nccl_channels(std::move(one), params, island);
    else if constexpr (std::derived_from<P, StaggeredParams>)
        return staggered(in_channels(std::move(one), params, island), params.slices, params.in_flight);
    else if constexpr (std::derived_from<P, ShardParams>)
        return in_channels(std::move(one), params,
                           params.group == 0 ? island : std::gcd(island, group_of(params, ranks)),
                           ChunkOrder::as_ranks);
    else return one;
}

}   // namespace

Schedule make_schedule(const Collective& collective, std::uint32_t ranks, std::uint32_t island) {
    return std::visit(
        [&](const auto& params) {
            return all_channels(make_schedule(on_islands(params, ranks, island), ranks), params, ranks, island);
        },
        collective.params);
}

namespace {

template <class P>
concept Divisible = requires(const P& params) {
    make_part(params, 1u, 1u);
};

/// True if switches of islands add and copy: their steps are those of an island, and no rank's.
template <class P>
bool by_switches(const P& params) {
    if constexpr (std::derived_from<P, IslandParams>) return params.inside == InsideIsland::island_switch;
    else return false;
}

}   // namespace

Schedule make_part(const Collective& collective, std::uint32_t ranks, std::uint32_t island, std::uint32_t turn) {
    return std::visit(
        [&]<class P>(const P& params) -> Schedule {
            if constexpr (!Divisible<P>) throw std::logic_error("a collective whose steps differ from rank to rank");
            else {
                if (by_switches(params))
                    throw std::logic_error("switches of islands add for all ranks, not for a part");
                return all_channels(make_part(on_islands(params, ranks, island), ranks, turn), params, ranks, island);
            }
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

std::uint32_t in_flight_of(const Collective& collective) {
    return std::visit(
        []<class P>(const P& params) -> std::uint32_t {
            if constexpr (std::derived_from<P, StaggeredParams>) return params.in_flight;
            else return 0;
        },
        collective.params);
}

std::uint32_t channels_of(const Collective& collective) {
    const ChannelledParams* params = channels_in(collective);
    return params != nullptr ? params->channels : 1;
}

}   // namespace oscar

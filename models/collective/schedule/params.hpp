// Parameters that all collectives share.
#pragma once

#include <array>
#include <cstdint>

#include "models/collective/schedule/operation.hpp"
#include "models/core/fields.hpp"

namespace oscar {

/// The condition under which a step whose data is there may start.
enum class Issue : std::uint8_t { lock_step, dependency };
constexpr auto choices(Issue) {
    return std::array{
        Choice{"lock_step", Issue::lock_step, "a timestep starts when all ranks have finished the one before"},
        Choice{"dependency", Issue::dependency, "a step starts as soon as its own data has arrived"}};
}

inline constexpr std::uint32_t most_slices = 256;

/// The parameters of every collective. A kind names the operation that it performs by a member `operation`.
struct CollectiveParams {
    Issue issue = Issue::lock_step;
    std::uint32_t slices = 1;
    template <class P>
    static constexpr auto fields_of() {
        return Entries{
            field("issue", &P::issue, "condition under which a step may start"),
            field("slices", &P::slices, "independent parts of each chunk in flight at once", 1u, most_slices),
        };
    }
};

/// The order of an island's ranks in each of the channels.
enum class ChannelOrder : std::uint8_t { same, rotated };
constexpr auto choices(ChannelOrder) {
    return std::array{Choice{"same", ChannelOrder::same, "the same in all channels"},
                      Choice{"rotated", ChannelOrder::rotated,
                             "each channel begins one island of the topology later, so that it uses other NICs"}};
}

/// The parameters of a collective with channels. Its own schedule is that of one channel; in_channels() makes the
/// schedule of all.
struct ChannelledParams : CollectiveParams {
    std::uint32_t channels = 1;
    ChannelOrder channel_order = ChannelOrder::same;
    template <class P>
    static constexpr auto fields_of() {
        return concatenate(
            CollectiveParams::fields_of<P>(),
            Entries{
                field("channels", &P::channels,
                      "number of equal parts of the bucket that are sent concurrently, each on its own connections", 1u,
                      32u),
                field("channel_order", &P::channel_order, "order of an island's ranks in the channels"),
            });
    }
};

/// The parameters of an AllReduce among ranks, whose slices can be staggered (stagger.hpp).
struct StaggeredParams : ChannelledParams {
    std::uint32_t in_flight = 0;
    template <class P>
    static constexpr auto fields_of() {
        return concatenate(
            ChannelledParams::fields_of<P>(),
            Entries{
                field("in_flight", &P::in_flight,
                      "slices in the reducing half of the collective at a time, beside the gathering half of earlier "
                      "ones; 0: all slices begin together",
                      0u, most_slices),
            });
    }
};

}   // namespace oscar

// Parameters of a link, and overrides for single links.
#pragma once

#include <optional>

#include "models/core/fields.hpp"
#include "models/core/units.hpp"

namespace oscar {

using namespace literals;

inline constexpr Bandwidth least_bandwidth = 1_Mbps, most_bandwidth = 10'000_Gbps;
inline constexpr Time longest_link = 100_ms;
inline constexpr Bytes least_buffer = 64_B, most_buffer = 1_GiB;

/// One direction of a cable. Credits count buffer bytes at the receiver: virtual cut-through, a packet starts when the
/// whole of it has room there, and its room comes back one propagation after it has left the buffer.
struct LinkParams {
    Bandwidth bandwidth = 400_Gbps;
    Time propagation = 500_ns;
    Bytes buffer = 256_KiB;
    static constexpr auto fields() {
        return Entries{
            field("bandwidth", &LinkParams::bandwidth, "raw rate of one direction", least_bandwidth, most_bandwidth),
            field("propagation", &LinkParams::propagation, "time of flight: cable, PHY, FEC", 0_ps, longest_link),
            field("buffer", &LinkParams::buffer,
                  "receive buffer; its size is the credit pool, and below bandwidth * round trip it limits the rate",
                  least_buffer, most_buffer),
        };
    }
    friend bool operator==(const LinkParams&, const LinkParams&) = default;
};

/// The parameters in which a link differs from the others; parameters that are left out do not differ.
struct LinkChange {
    std::optional<Bandwidth> bandwidth = {};
    std::optional<Time> propagation = {};
    std::optional<Bytes> buffer = {};

    /// The parameters of the changed link, if `others` are the parameters of the others.
    constexpr LinkParams of(const LinkParams& others) const {
        return {bandwidth.value_or(others.bandwidth), propagation.value_or(others.propagation),
                buffer.value_or(others.buffer)};
    }
    static constexpr auto fields() {
        return Entries{
            field("bandwidth", &LinkChange::bandwidth, "changed value; none: as network.link", least_bandwidth,
                  most_bandwidth),
            field("propagation", &LinkChange::propagation, "changed value; none: as network.link", 0_ps, longest_link),
            field("buffer", &LinkChange::buffer, "changed value; none: as network.link", least_buffer, most_buffer),
        };
    }
};

}   // namespace oscar

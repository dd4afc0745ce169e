// The time for which a transfer occupies a channel.
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/core/units.hpp"

namespace oscar {

/// A rate of bytes; of packets with headers, where `payload` is given; of requests of which only so many are under way,
/// where `request` is.
struct ChannelRate {
    Bandwidth bandwidth;
    Bytes payload = {};   ///< most of a packet; 0: a transfer has no packets
    Bytes header = {};    ///< beside the payload of each packet
    Bytes request = {};   ///< most bytes that a request asks for; 0: requests do not matter
    Time between = {};    ///< least time from a request to the next, in the mean

    ChannelRate(Bandwidth rate) : bandwidth(rate) {}   // NOLINT(google-explicit-constructor): most have a rate alone

    /// What one transfer of `size` takes when others precede and follow it.
    Time time_of(Bytes size) const {
        if (payload.count == 0) return serialization(size, bandwidth);
        const Time bytes = serialization(with_headers(size), bandwidth);
        if (request.count == 0) return bytes;
        return std::max(bytes, static_cast<std::int64_t>(pieces(size, request)) * between);
    }
    /// The bytes of a transfer with the headers of its packets.
    Bytes with_headers(Bytes size) const {
        return payload.count == 0 ? size : size + Bytes{pieces(size, payload) * header.count};
    }
    /// The rate of the payload of long transfers.
    Bandwidth net() const {
        if (payload.count == 0) return bandwidth;
        constexpr std::uint64_t kibibytes = 1'048'576;
        const Bytes much{kibibytes * std::max(payload.count, request.count)};
        return {
            static_cast<std::uint64_t>(static_cast<double>(much.count) * 8e6 / static_cast<double>(time_of(much).ps))};
    }

private:
    static std::uint64_t pieces(Bytes size, Bytes each) { return (size.count + each.count - 1) / each.count; }
};

}   // namespace oscar

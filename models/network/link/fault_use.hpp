// Injected faults, and what noticed and repaired them.
#pragma once

#include <cstdint>

#include "models/core/fields.hpp"

namespace oscar {

/// A packet that is sent again counts again. Law, where the payload is checked: flipped = crc_errors.
struct FaultUse {
    std::uint64_t flipped = 0, dropped = 0, duplicated = 0, reordered = 0, crc_errors = 0, repaired = 0, discarded = 0,
                  sorted = 0;
    static constexpr auto fields() {
        return Entries{
            field("flipped_packets", &FaultUse::flipped, "packets with one inverted payload bit"),
            field("dropped_packets", &FaultUse::dropped, "packets lost by an injected fault"),
            field("duplicated_packets", &FaultUse::duplicated, "packets delivered twice"),
            field("reordered_packets", &FaultUse::reordered, "packets delivered after the next one of their message"),
            field("crc_errors", &FaultUse::crc_errors, "packets dropped because the CRC of their payload was wrong"),
            field("repaired_packets", &FaultUse::repaired,
                  "packets dropped or with a wrong CRC whose retransmission was received whole"),
            field("discarded_duplicates", &FaultUse::discarded,
                  "packets that their receiver already had, by sequence number"),
            field("sorted_packets", &FaultUse::sorted, "packets kept by their receiver until earlier ones arrived"),
        };
    }

    FaultUse& operator+=(const FaultUse& other) {
        for_each_field<FaultUse>([&](const auto& field) { this->*field.member += other.*field.member; });
        return *this;
    }
    friend bool operator==(const FaultUse&, const FaultUse&) = default;
};

}   // namespace oscar

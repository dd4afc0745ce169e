// Injected faults, and what noticed and repaired them.
#pragma once

#include <cstdint>
#include <tuple>

#include "models/core/fields.hpp"

namespace oscar {

/// A packet that is sent again counts again. Law, where the payload is checked: flipped = crc_errors.
struct FaultUse {
    std::uint64_t flipped = 0, dropped = 0, duplicated = 0, reordered = 0, crc_errors = 0, repaired = 0, discarded = 0,
                  sorted = 0;
    static constexpr auto fields() {
        return std::tuple{
            field("flipped_packets", &FaultUse::flipped, "a bit of whose payload was inverted"),
            field("dropped_packets", &FaultUse::dropped, "that were made to disappear"),
            field("duplicated_packets", &FaultUse::duplicated, "that came twice"),
            field("reordered_packets", &FaultUse::reordered, "that came behind the next one of their message"),
            field("crc_errors", &FaultUse::crc_errors, "packets dropped because the CRC of their payload was wrong"),
            field("repaired_packets", &FaultUse::repaired,
                  "dropped or with a wrong CRC, that came whole when sent again"),
            field("discarded_duplicates", &FaultUse::discarded, "packets that receivers had, by their sequence number"),
            field("sorted_packets", &FaultUse::sorted, "that receivers kept until those before them came"),
        };
    }

    FaultUse& operator+=(const FaultUse& other) {
        for_each_field<FaultUse>([&](const auto& field) { this->*field.member += other.*field.member; });
        return *this;
    }
    friend bool operator==(const FaultUse&, const FaultUse&) = default;
};

}   // namespace oscar

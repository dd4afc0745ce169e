// Parameters of bit errors on links.
#pragma once

#include <cstdint>

#include "models/core/fields.hpp"

namespace oscar {

/// A packet is damaged on a link independently of all others. Whoever receives it sees a wrong CRC and drops it.
struct LossParams {
    double rate = 0;
    double bit_error_rate = 0;
    std::uint64_t seed = 1;
    static constexpr auto fields() {
        return Entries{
            field("rate", &LossParams::rate, "share of packets that each link damages", 0.0, 0.99),
            field("bit_error_rate", &LossParams::bit_error_rate,
                  "share of bits that each link flips; IEEE 802.3 requires 1e-12 after FEC", 0.0, 0.001),
            field("seed", &LossParams::seed, "seed of the choice of damaged packets"),
        };
    }
};

}   // namespace oscar

// Random selection of the packets that a link damages.
#pragma once

#include <cstdint>
#include <vector>

#include "models/core/units.hpp"
#include "models/network/params/loss_params.hpp"

namespace oscar {

/// Probability that at least one of the bits of `wire` is turned over, each with `bit_error_rate`: 1 - (1 - e)^bits, by
/// squaring, so that every host computes the same.
double damage_of(Bytes wire, double bit_error_rate);

/// True if the packet that is number `index` on `link` is damaged there: a function of (seed, link, index, wire).
bool is_damaged(const LossParams& loss, std::uint32_t link, std::uint64_t index, Bytes wire);

/// Numbers the transmissions of each link, and selects those that it damages.
class LinkDamage {
public:
    LinkDamage(const LossParams& loss, std::size_t links) : loss_(loss), transmissions_(links) {}

    /// Counts from the first transmission again and selects by another seed.
    void restart(std::uint64_t seed);
    /// Counts the next transmission of `link`, of `wire` bytes; true if it is damaged.
    bool strikes(std::uint32_t link, Bytes wire) { return is_damaged(loss_, link, transmissions_[link]++, wire); }

private:
    LossParams loss_;
    std::vector<std::uint64_t> transmissions_;   ///< per link
};

}   // namespace oscar

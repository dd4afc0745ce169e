// Random selection of the packets that a link damages.
#pragma once

#include <cstdint>

#include "models/core/units.hpp"
#include "models/network/params/loss_params.hpp"
#include "models/network/topology/index.hpp"

namespace oscar {

/// Probability that at least one of the bits of `wire` is turned over, each with `bit_error_rate`: 1 - (1 - e)^bits, by
/// squaring, so that every host computes the same.
double damage_of(Bytes wire, double bit_error_rate);

/// True if the packet that is number `index` of a stream, such as a link, is damaged: a function of (seed, stream,
/// index, wire).
bool is_damaged(const LossParams& loss, std::uint32_t stream, std::uint64_t index, Bytes wire);

/// Numbers the transmissions of each link, and selects those that it damages.
class LinkDamage {
public:
    LinkDamage(const LossParams& loss, std::size_t links) : loss_(loss), transmissions_(links) {}

    /// Counts from the first transmission again and selects by another seed.
    void restart(std::uint64_t seed);
    /// Counts the next transmission of `link`, of `wire` bytes; true if it is damaged.
    bool strikes(EdgeId link, Bytes wire) { return is_damaged(loss_, link.value, transmissions_[link]++, wire); }

private:
    LossParams loss_;
    IndexedVector<EdgeId, std::uint64_t> transmissions_;
};

}   // namespace oscar

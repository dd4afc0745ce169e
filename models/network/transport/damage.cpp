#include "models/network/transport/damage.hpp"

#include <algorithm>

#include "models/core/random.hpp"

namespace oscar {

double damage_of(Bytes wire, double bit_error_rate) {
    double whole = 1, power = 1 - bit_error_rate;
    for (std::uint64_t bits = wire.count * 8; bits > 0; bits >>= 1, power *= power)
        if (bits & 1) whole *= power;
    return 1 - whole;
}

bool is_damaged(const LossParams& loss, std::uint32_t stream, std::uint64_t index, Bytes wire) {
    const double whole = (1 - loss.rate) * (1 - damage_of(wire, loss.bit_error_rate));
    return uniform_at(random_at(loss.seed, stream), index) >= whole;
}

void LinkDamage::restart(std::uint64_t seed) {
    loss_.seed = seed;
    std::ranges::fill(transmissions_, 0);
}

}   // namespace oscar

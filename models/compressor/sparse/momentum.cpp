#include "models/compressor/sparse/momentum.hpp"

namespace oscar {
namespace {

float advance(float& velocity, float gradient, Momentum momentum) {
    const auto m = static_cast<float>(momentum.factor);
    velocity = momentum.nesterov ? m * (velocity + gradient) : m * velocity + gradient;
    return momentum.nesterov ? velocity + gradient : velocity;
}

}   // namespace

void VelocityMemory::accumulate(std::uint64_t begin, std::span<const float> gradient, Momentum momentum) {
    for (std::size_t i = 0; i < gradient.size(); ++i)
        unsent_[begin + i] += advance(velocity_[begin + i], gradient[i], momentum);
}

void VelocityMemory::clear(std::uint64_t begin, const Positions& sent, bool masking) {
    for (const std::uint32_t position : sent) {
        unsent_[begin + position] = 0;
        if (masking) velocity_[begin + position] = 0;
    }
}

void VelocityMemory::apply(std::uint64_t begin, std::span<float> averaged, Momentum momentum) {
    for (std::size_t i = 0; i < averaged.size(); ++i)
        averaged[i] = advance(velocity_[begin + i], averaged[i], momentum);
}

void VelocityMemory::resize(std::uint64_t elements) {
    velocity_.resize(elements);
    unsent_.resize(elements);
}

}   // namespace oscar

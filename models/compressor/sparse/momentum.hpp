// Momentum kept by the ranks before compression, instead of by the optimiser after it.
#pragma once

#include <span>
#include <vector>

#include "models/compressor/base/selection.hpp"

namespace oscar {

/// Growth of velocities.
struct Momentum {
    double factor = 0.9;
    bool nesterov = false;
};

/// State of one rank, for each element of the gradient: u, the velocity, and v, the part of the velocities that was not
/// sent. Source: Lin et al., ICLR 2018, section 3.1 and Algorithm 1; Nesterov's form as its author's repository.
class VelocityMemory {
public:
    /// u = m u + g, v = v + u; Nesterov's: u = m (u + g), v = v + u + g. `u` and `v` begin as zeros.
    void accumulate(std::uint64_t begin, std::span<const float> gradient, Momentum momentum);
    /// Sets v[i] = 0 for each element i that was sent, and with masking u[i] = 0. Positions count from `begin`.
    void clear(std::uint64_t begin, const Positions& sent, bool masking);
    /// accumulate() for a tensor that is not compressed, after it was averaged: v is not used. Replaces `averaged`, g,
    /// by what the optimiser applies: u, or Nesterov's u + g.
    void apply(std::uint64_t begin, std::span<float> averaged, Momentum momentum);

    /// New elements begin as zeros; the others stay.
    void resize(std::uint64_t elements);
    std::span<const float> velocity() const { return velocity_; }   ///< u, by element
    std::span<const float> unsent() const { return unsent_; }       ///< v, by element

private:
    std::vector<float> velocity_, unsent_;
};

}   // namespace oscar

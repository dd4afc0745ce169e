// Controller of GraVAC: the compression factor of the next step. No gradients, no wire.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "models/compressor/adaptive/gravac_params.hpp"

namespace oscar {

/// Moving average s = weight x + (1 - weight) s, whose first value is the first x.
class MovingAverage {
public:
    /// Takes in x with a weight in [0, 1]; the first x counts fully.
    void add(double x, double weight) { value_ = value_ ? weight * x + (1 - weight) * *value_ : x; }
    bool empty() const { return !value_; }   ///< true before the first add()
    /// Precondition: not empty.
    double value() const { return *value_; }

private:
    std::optional<double> value_;
};

/// The selection that a step sends; dense: all elements.
enum class GravacLevel : std::uint8_t { candidate, floor, dense };

/// Squared norms of one step, or what they are relative to the first.
struct GravacNorms {
    double reference = 1, floor = 1, candidate = 1;
};

/// Steps over the least factor that a policy takes, ascending, the last reaching the greatest factor: 2, 4, 16, 100
/// from 10 to 1000 by the exponential policy.
std::vector<double> policy_steps(const GravacParams& params);

/// Algorithm 1 of one rank, or of all if they agree on norms. Protocol: decide, send, completed, and again.
class GravacController {
public:
    /// Throws std::invalid_argument for factors that are not ordered.
    GravacController(const GravacParams& params, std::uint32_t ranks);

    /// Compression factors that the next step tries; equal if there is one level only.
    double floor() const { return floor_; }
    /// The higher of the two; see floor().
    double candidate() const { return candidate_; }
    /// Notes the gains of a step and returns the level to send. Norms of zero gradients are not noted.
    GravacLevel decide(const GravacNorms& norms);
    /// The factor of the last decision; 1 if dense.
    double sent_factor() const;
    /// Notes what the step took, which is more than nothing, and at the end of a window goes on to other factors.
    void completed(const StepTime& time);

    /// Moving averages of what the floor and the candidate keep of the squared norm; 1 before any step.
    double floor_gain() const { return gain(floor_); }
    /// The gain that decide() compares with epsilon first.
    double candidate_gain() const { return gain(candidate_); }
    /// These two, or one where there is one level only, and of factor 1 once a step was sent dense.
    std::vector<FactorGain> gains() const;
    /// Samples per second times gain, by factor, of the factors that were sent.
    const std::map<double, MovingAverage>& throughputs() const { return throughputs_; }

private:
    struct Kept {
        MovingAverage ratio, reference, kept;
    };
    double gain(double factor) const;
    void note(double factor, double reference, double kept);
    double next_step(double step) const;
    double advanced(double base, double candidate) const;
    void check();
    void scale_up();
    std::optional<double> saturated_factor() const;

    GravacParams params_;
    double weight_, samples_;
    std::vector<double> steps_;
    double floor_, candidate_;
    std::map<double, Kept> kept_;   ///< by factor: its average goes on when the factor is tried again
    std::map<double, MovingAverage> throughputs_;
    GravacLevel level_ = GravacLevel::dense;
    std::uint64_t iteration_ = 0;
};

}   // namespace oscar

// Controller of Accordion: which tensors are in a critical regime. No compressor, no wire.
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "models/compressor/base/compressor.hpp"

namespace oscar {

/// |now - before| / before, the measure of both rules; infinite from 0, and 0 from 0 to 0.
double relative_change(double before, double now);

/// The authors' rule: at the end of every `period`-th epoch, from epoch 0, the norm of each tensor's gradient summed
/// over that epoch is compared with that of the last time; a change of at least `threshold` is a critical regime, and
/// so are epoch 0 and any norm after one of 0. A learning rate below that of the epoch before makes all tensors
/// critical until the next comparison. Source: Agarwal et al., MLSys 2021; code of the repository
/// uw-mad-dash/Accordion.
class EpochRegimes {
public:
    EpochRegimes(std::uint32_t period, double threshold) : period_(period), threshold_(threshold) {}

    /// Adds a step's gradient, of one rank, as it is before error feedback.
    void add(std::span<const float> gradient, std::span<const TensorShape> tensors);
    /// Ends an epoch of at least one step. Returns true if norms were compared.
    bool end_epoch(double learning_rate);
    /// The regime of each tensor, true if critical; all are at first.
    const std::vector<bool>& critical() const { return critical_; }

private:
    void compare();

    std::uint32_t period_;
    double threshold_;
    std::vector<TensorShape> tensors_;
    std::vector<float> sum_;      ///< of this epoch's gradients
    std::vector<double> norms_;   ///< per tensor, when they were compared last
    std::vector<bool> critical_;
    std::uint32_t epoch_ = 0;
    std::optional<double> learning_rate_;
};

/// Average over the last `window` values with weights 1, 1-a, (1-a)^2 .. from the newest; 0 until there are `window`
/// values. Source: the moving average of the GraVAC repository, which is that of pandas.
class WindowedAverage {
public:
    WindowedAverage(std::uint32_t window, double weight) : window_(window), weight_(weight) {}
    /// Takes in `value`, drops the oldest beyond the window, and returns the average.
    double add(double value);

private:
    std::uint32_t window_;
    double weight_;
    std::deque<double> values_;
};

/// GraVAC's reading: in every step the moving average of the sum of the tensors' norms is compared with that of the
/// step before; a change of at least `threshold` is a critical regime of all tensors. None until the window is full.
class StepRegime {
public:
    StepRegime(std::uint32_t window, double weight, double threshold)
        : average_(window, weight), threshold_(threshold) {}
    /// Takes in a step's gradient, of one rank, and returns true if its regime is critical.
    bool critical(std::span<const float> gradient, std::span<const TensorShape> tensors);

private:
    WindowedAverage average_;
    double threshold_;
    double before_ = 0;
};

}   // namespace oscar

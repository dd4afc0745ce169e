// Exponentially weighted moving averages.
#pragma once

#include <optional>

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

}   // namespace oscar

// Exponentially weighted moving averages.
#pragma once

#include <optional>

namespace oscar::inline compressor {

/// s = weight x + (1 - weight) s; the first x as it is.
class MovingAverage {
public:
    void add(double x, double weight) { value_ = value_ ? weight * x + (1 - weight) * *value_ : x; }
    bool empty() const { return !value_; }
    /// Precondition: not empty.
    double value() const { return *value_; }

private:
    std::optional<double> value_;
};

}   // namespace oscar::inline compressor

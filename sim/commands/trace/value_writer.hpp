// fp32 values into an array that stores fp32 or fp16.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/trace/new_trace.hpp"

namespace oscar {

/// The power of two by which the largest magnitude becomes 2^14 to 2^15, within fp16's range; 1 if all are zero.
double fp16_scale(float peak);

/// Puts fp32 values into an array of type f4 or f2, divided by `scale`.
class ValueWriter {
public:
    ValueWriter(NewArray& array, ValueType type, double scale) : array_(array), type_(type), inverse_(1 / scale) {}
    /// Writes values from value `first` of row `row` on; fp16 rounds to nearest, ties to even. Throws as NewArray::put.
    void put(std::uint64_t row, std::uint64_t first, std::span<const float> values);

private:
    NewArray& array_;
    ValueType type_;
    double inverse_;
    std::vector<std::uint16_t> halves_;
};

}   // namespace oscar

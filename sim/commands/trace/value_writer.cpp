#include "sim/commands/trace/value_writer.hpp"

#include <algorithm>
#include <cmath>

namespace oscar {

double fp16_scale(float peak) {
    if (peak == 0) return 1;
    int exponent = 0;
    std::frexp(peak, &exponent);   // peak is in [2^(exponent-1), 2^exponent)
    return std::ldexp(1.0, std::clamp(exponent - 15, -125, 112));
}

void ValueWriter::put(std::uint64_t row, std::uint64_t first, std::span<const float> values) {
    if (type_ == ValueType::f4) {
        array_.put(row, first, std::as_bytes(values));
        return;
    }
    halves_.resize(values.size());
    std::transform(values.begin(), values.end(), halves_.begin(), [this](float value) {
        return half_of_float(static_cast<float>(static_cast<double>(value) * inverse_));
    });
    array_.put(row, first, std::as_bytes(std::span(halves_)));
}

}   // namespace oscar

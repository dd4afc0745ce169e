// Parameters of the kernels by which a GPU encodes and decodes messages.
#pragma once

#include <cstdint>
#include <vector>

#include "models/core/fields.hpp"

namespace oscar {

/// A measured speed: a call that codes so many values does so many in a nanosecond, its launch included.
struct CodingRate {
    std::uint32_t values = 1'048'576;
    double values_per_ns = 1;
    static constexpr auto fields() {
        return Entries{
            field("values", &CodingRate::values, "values of a call", 1u, 4'294'967'295u),
            field("values_per_ns", &CodingRate::values_per_ns, "speed of such a call with its launch", 1e-6, 1e6),
        };
    }
    friend bool operator==(const CodingRate&, const CodingRate&) = default;
};

/// Speeds by size, in ascending order of values. There are no defaults: they are measurements of a library on a GPU.
struct CodingKernelParams {
    std::vector<CodingRate> encode = {}, decode = {};
    static constexpr auto fields() {
        return Entries{
            field("encode", &CodingKernelParams::encode, "speeds of encoding by size, ascending"),
            field("decode", &CodingKernelParams::decode, "speeds of decoding by size, ascending"),
        };
    }
    friend bool operator==(const CodingKernelParams&, const CodingKernelParams&) = default;
};

}   // namespace oscar

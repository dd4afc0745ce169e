// Dense baseline: the uncompressed mean of all gradients.
#pragma once

#include "models/compressor/base/compressor.hpp"
#include "models/core/fields.hpp"

namespace oscar {

/// An all-reduce of the fp32 gradients.
struct DenseParams {
    static constexpr auto fields() { return Entries{}; }
};
std::unique_ptr<Compressor> make_compressor(const DenseParams& params, std::uint32_t ranks, std::uint64_t seed);

/// The all-reduce of fp32 values.
WordExchange dense_exchange();

}   // namespace oscar

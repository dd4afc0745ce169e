// SwitchML: packets of integers with a shared exponent, which a switch can add.
#pragma once

#include "models/compressor/base/compressor.hpp"
#include "models/core/fields.hpp"

namespace oscar {

/// Block floating point: of each packet's elements the exponent e, 2^e above every magnitude of all ranks, agreed one
/// packet ahead; value * (2^31 - 1) / (N 2^e), rounded to the nearest integer, is sent as int32 and summed. A packet
/// of zeros stays zero. Laws: the sum of N ranks never overflows; each element errs by at most N 2^e / (2^31 - 1) / 2
/// in its rank, so by no more in the mean. A message is as large as in fp32: the gain is that a switch can add it.
/// Packets do not cross tensors. Source: Sapio et al., NSDI 2021, section 3.2; p4lang/p4app-switchML.
struct SwitchMlParams {
    std::uint32_t packet = 256;
    static constexpr auto fields() {
        return Entries{
            field("packet", &SwitchMlParams::packet, "number of elements that share an exponent", 1u, 65'536u)};
    }
};
/// Throws std::invalid_argument for packet 0.
std::unique_ptr<Compressor> make_compressor(const SwitchMlParams& params, std::uint32_t ranks, std::uint64_t seed);

}   // namespace oscar

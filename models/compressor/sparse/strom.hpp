// Strom's threshold quantisation: what reaches a threshold is sent as plus or minus the threshold, in one word.
#pragma once

#include "models/compressor/base/compressor.hpp"
#include "models/core/fields.hpp"

namespace oscar {

/// Each element with |v| >= threshold is sent as sign(v) * threshold, once a step however large it is; the rest of it
/// and all other elements are left to the error feedback around it. The threshold is absolute: it has the unit of the
/// gradient. All ranks gather the messages of all, add them and divide by the number of ranks. A message is a word of
/// 32 bits for each element sent: its index in the whole gradient in the lower 31, the sign in the highest. Laws: what
/// is sent is 0 or +-threshold; v == sent + rest, but for fp32 rounding. Source: Strom, Interspeech 2015.
struct StromParams {
    double threshold = 1e-3;
    static constexpr auto fields() {
        return Entries{
            field("threshold", &StromParams::threshold,
                  "magnitude from which on an element is sent, and as which; absolute, in the unit of the gradient",
                  1e-12, 1e6)};
    }
};
/// A compressor without state; the seed is not used. Throws std::invalid_argument for a threshold out of its range; its
/// step, for a length that check_strom_length() refuses.
std::unique_ptr<Compressor> make_compressor(const StromParams& params, std::uint32_t ranks, std::uint64_t seed);

/// Throws std::invalid_argument for more than 2^31 elements, which 31 bits of index cannot tell apart.
void check_strom_length(std::uint64_t elements);

}   // namespace oscar

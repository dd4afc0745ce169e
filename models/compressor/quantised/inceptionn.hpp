// INCEPTIONN: each float is cut to 0, 8, 16 or 32 bits by its size, at every hop of a ring.
#pragma once

#include <array>

#include "models/compressor/base/compressor.hpp"
#include "models/core/fields.hpp"

namespace oscar {

/// Which sizes become how many bits, and where their point stands.
enum class TagForm : std::uint8_t { bounded, grace };
constexpr auto choices(TagForm) {
    return std::array{Choice{"bounded", TagForm::bounded, "widths that keep every error below the bound"},
                      Choice{"grace", TagForm::grace,
                             "the port in the GRACE repository: 8 bits with a resolution of 2^-6 for any bound; "
                             "smaller values become +-2^-7"}};
}

/// A tag of 2 bits says how many bits follow: 32, the float, from 1 on; none below 2^-bound, which becomes 0; between,
/// sign and fixed point in 8 or 16 bits, cut towards zero. Bounded: 7 binary places or `bound` if more, in 8 bits, of
/// what fits them; 15 places in 16 bits of the rest. Laws of the bounded form: the error of one cut is below 2^-bound,
/// cutting twice is cutting once, so a ring of N ranks, which cuts at each of N - 1 hops and once when the sum goes
/// round, errs by less than 2^-bound in the mean, but for fp32 rounding. Sums cannot be formed without decoding, and
/// messages differ in length. The method has no error feedback. The places of the point are derived from the bound
/// here: the paper's figures were not at hand. Source: Li et al., MICRO 2018; the GRACE repository.
struct InceptionnParams {
    std::uint32_t bound = 10;
    TagForm form = TagForm::bounded;
    static constexpr auto fields() {
        return Entries{
            field("bound", &InceptionnParams::bound, "exponent n of the error bound 2^-n", 1u, 15u),
            field("form", &InceptionnParams::form, "mapping of magnitudes to widths"),
        };
    }
};
/// Throws std::invalid_argument for a bound beyond 1 .. 15.
std::unique_ptr<Compressor> make_compressor(const InceptionnParams& params, std::uint32_t ranks, std::uint64_t seed);

/// out[i] = values[i] as it is decoded; both are equally long and may be the same. Bits of the message, tags included.
std::uint64_t cut(std::span<const float> values, const InceptionnParams& params, std::span<float> out);

}   // namespace oscar

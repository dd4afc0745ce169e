// ShapeShifter: groups of 16 symbols, each coded at the width of its largest magnitude.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "models/codec/interface/codec.hpp"
#include "models/core/fields.hpp"

namespace oscar {

enum class GroupZeros : std::uint8_t { mask, none };
constexpr auto choices(GroupZeros) {
    return std::array{
        Choice{"mask", GroupZeros::mask, "one bit per symbol marks zeros, which take no further bits"},
        Choice{"none", GroupZeros::none, "a zero is as wide as its group"},
    };
}

/// Per group: the number of bits of its largest magnitude, in bit_width(context.width) bits; if it is not 0, the mask,
/// and each symbol as sign and magnitude. Source: Delmas Lascorz et al., MICRO 2019 (doi 10.1145/3352460.3358295):
/// groups of 16, a width per group, a mask of zeros, sign and magnitude; written from that description.
struct ShapeShifterParams {
    std::uint32_t group = 16;
    GroupZeros zeros = GroupZeros::mask;
    static constexpr auto fields() {
        return Entries{
            field("group", &ShapeShifterParams::group, "number of symbols in a group", 1, 256),
            field("zeros", &ShapeShifterParams::zeros, "encoding of zeros beside other symbols"),
        };
    }
};

/// The cost() of a symbol is an estimate: that of a group whose symbols are all as wide. Throws invalid_argument for a
/// framing that require_valid() refuses.
std::unique_ptr<Codec> make_codec(const ShapeShifterParams& params, const Framing& framing);

}   // namespace oscar

// The list of codecs: a new one is a file pair (source in models/codec/CMakeLists.txt) and a line here.
#pragma once

#include <memory>

#include "models/codec/kinds/aac.hpp"
#include "models/codec/kinds/asc.hpp"
#include "models/codec/kinds/atalanta.hpp"
#include "models/codec/kinds/library.hpp"
#include "models/codec/kinds/rans.hpp"
#include "models/codec/kinds/raw.hpp"
#include "models/codec/kinds/shapeshifter.hpp"
#include "models/codec/kinds/zero_value.hpp"
#include "models/core/kinds.hpp"

namespace oscar {

inline constexpr auto codecs = Entries{
    kind<Fp32Params>("fp32", "32-bit floats without compression; the engine is bypassed"),
    kind<Bf16Params>("bf16", "fp32 rounded to bfloat16 at the start and at each addition; the engine is bypassed"),
    kind<Fp8Params>("fp8",
                    "fp32 rounded to a float of 8 bits, without a scale, at the start and at each addition; the "
                    "engine is bypassed"),
    kind<FixedPointParams>("fixed_point", "quantised integers, uncoded, at the width that their sums need"),
    kind<AtalantaParams>("atalanta", "arithmetic coding of 16 searched ranges, one table for all timesteps"),
    kind<AscParams>("asc", "arithmetic coding of magnitude classes, a table per timestep that is not sent"),
    kind<AacParams>("aac", "adaptive arithmetic coding of magnitude classes, without history: each block learns anew"),
    kind<RansParams>("rans", "interleaved rANS of magnitude classes, with the tables of asc"),
    kind<ZeroValueParams>("zero_value", "one bit per symbol for zero or not; non-zeros as wide as fixed_point"),
    kind<ShapeShifterParams>("shapeshifter", "groups of 16 symbols, each at the width of its largest"),
    kind<ZstdParams>("zstd", "libzstd on whole bytes: software, not modelled in cycles"),
    kind<Lz4Params>("lz4", "liblz4 on whole bytes: software, not modelled in cycles"),
    kind<BytePlaneParams>("byte_plane", "libzstd on planes of whole bytes: software, not modelled in cycles"),
};
using CodecChoice = OneOf<codecs>;

/// The codec of the chosen kind. Throws invalid_argument for a framing, or parameters, that the kind cannot work with.
std::unique_ptr<Codec> make_codec(const CodecChoice& choice, const Framing& framing);

}   // namespace oscar

// General-purpose compression libraries (zstd, LZ4) as codecs: software baselines that do not know the symbols'
// meaning.
#pragma once

#include <cstdint>
#include <memory>

#include "models/codec/interface/codec.hpp"
#include "models/codec/interface/engine_coder.hpp"
#include "models/core/fields.hpp"

namespace oscar {

/// Each block is its symbols in two's complement of as few whole bytes as context.width needs, given to libzstd.
/// Software, not modelled in cycles: coding takes no time, so that times are a lower bound; values are added by the
/// adders of the NIC, like fp32 values. Bytes depend on the version of the library. RFC 8878.
struct ZstdParams {
    std::uint32_t level = 1;
    static constexpr auto fields() { return Entries{field("level", &ZstdParams::level, "effort of libzstd", 1, 22)}; }
    EngineCoder engine_coder() const { return {.kind = EngineCoder::Kind::software, .bypasses = true}; }
};

/// The same by liblz4. Levels from 3 on use its high-compression search. lz4.org, block format.
struct Lz4Params {
    std::uint32_t level = 1;
    static constexpr auto fields() {
        return Entries{field("level", &Lz4Params::level, "effort of liblz4; below 3 its fast search", 1, 12)};
    }
    EngineCoder engine_coder() const { return {.kind = EngineCoder::Kind::software, .bypasses = true}; }
};

/// The same by libzstd, with the first bytes of all symbols of a block before the second bytes, the lowest first: signs
/// and leading zeros stand together, as Blosc's shuffle places them.
struct BytePlaneParams {
    std::uint32_t level = 1;
    static constexpr auto fields() {
        return Entries{field("level", &BytePlaneParams::level, "effort of libzstd", 1, 22)};
    }
    EngineCoder engine_coder() const { return {.kind = EngineCoder::Kind::software, .bypasses = true}; }
};

/// A zstd codec. Throws invalid_argument for a framing that require_valid() refuses.
std::unique_ptr<Codec> make_codec(const ZstdParams& params, const Framing& framing);
/// An LZ4 codec. Throws invalid_argument for a framing that require_valid() refuses.
std::unique_ptr<Codec> make_codec(const Lz4Params& params, const Framing& framing);
/// A byte-plane codec. Throws invalid_argument for a framing that require_valid() refuses.
std::unique_ptr<Codec> make_codec(const BytePlaneParams& params, const Framing& framing);

}   // namespace oscar

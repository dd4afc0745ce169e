// Uncoded baselines (fp32, bf16, fp8, integers). Their messages have no headers.
#pragma once

#include <cstdint>
#include <memory>

#include "models/codec/interface/codec.hpp"
#include "models/codec/interface/engine_coder.hpp"
#include "models/codec/interface/float8.hpp"
#include "models/core/fields.hpp"

namespace oscar {

/// 32 bits per symbol, little endian, whatever the width of the context: memory words, copied without the engine.
/// A block is 64 symbols.
struct Fp32Params {
    static constexpr auto fields() { return Entries{}; }
    EngineCoder engine_coder() const { return {.kind = EngineCoder::Kind::none, .bypasses = true}; }
};

/// As Fp32Params, but with 16 bits per symbol if the context's width is at most 16, else 32. A block is 128 symbols.
struct Bf16Params {
    static constexpr auto fields() { return Entries{}; }
    EngineCoder engine_coder() const { return {.kind = EngineCoder::Kind::none, .bypasses = true}; }
};

/// As Fp32Params, but with 8 bits per symbol if the context's width is at most 8, 16 if it is at most 16, else 32. A
/// block is 256 symbols.
struct Fp8Params {
    Float8Format format = Float8Format::e5m2;
    static constexpr auto fields() {
        return Entries{field("format", &Fp8Params::format, "bits of exponent and mantissa")};
    }
    EngineCoder engine_coder() const { return {.kind = EngineCoder::Kind::none, .bypasses = true}; }
};

/// context.width bits per symbol, packed by the lanes of the engine. A block is a multiple of 16 symbols of each
/// sub-stream, which is a whole number of bytes at any width: it can be sent as soon as it is packed. A decoder stands
/// still for some cycles between two of them (docs/engine.md), so a long message has `blocks`, however long they are.
struct FixedPointParams {
    std::uint32_t blocks = 8;
    static constexpr auto fields() {
        return Entries{field("blocks", &FixedPointParams::blocks,
                             "the most blocks of a message, each of at least 16 values a sub-stream", 1, 65536)};
    }
    EngineCoder engine_coder() const { return {.kind = EngineCoder::Kind::none}; }
};

/// A codec that bypasses the engine; the framing is not used.
std::unique_ptr<Codec> make_codec(const Fp32Params& params, const Framing& framing);
/// A codec that bypasses the engine; the framing is not used.
std::unique_ptr<Codec> make_codec(const Bf16Params& params, const Framing& framing);
/// A codec that bypasses the engine; the framing is not used.
std::unique_ptr<Codec> make_codec(const Fp8Params& params, const Framing& framing);
/// A codec that packs in framing.sub_streams() lanes. Throws invalid_argument for a framing that require_valid()
/// refuses.
std::unique_ptr<Codec> make_codec(const FixedPointParams& params, const Framing& framing);

}   // namespace oscar

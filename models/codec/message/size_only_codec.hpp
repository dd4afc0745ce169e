// Codec that computes the sizes of messages without making their bytes (payload: size_only).
#pragma once

#include <array>
#include <memory>

#include "models/codec/interface/codec.hpp"
#include "models/core/fields.hpp"

namespace oscar {

/// The content of a message.
enum class Payload : std::uint8_t { encoded, size_only, synthetic };
constexpr auto choices(Payload) {
    return std::array{
        Choice{"encoded", Payload::encoded, "the encoded bytes, which the receiver decodes"},
        Choice{"size_only", Payload::size_only,
               "the number of encoded bytes without the bytes; values travel by reference. zstd, lz4, byte_plane and "
               "tables adapted inside a block still encode, to count"},
        Choice{"synthetic", Payload::synthetic,
               "neither bytes nor values, and no trace: `size` bytes of gradient; only for codecs of constant rate"},
    };
}

/// A codec whose messages are like those that `codec` makes, but carry values instead of bytes; their blocks are
/// codec->sized_blocks(). They cannot be decoded; decode() throws logic_error.
std::unique_ptr<Codec> make_size_only_codec(std::unique_ptr<Codec> codec);

}   // namespace oscar

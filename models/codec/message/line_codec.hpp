// Messages in lines: data and a flag beside it, by which a receiver sees that the data is there (protocols of NCCL).
#pragma once

#include <memory>

#include "models/codec/interface/codec.hpp"

namespace oscar {

/// The bytes of a line: `data` first, then the flag. LL of NCCL has 4 and 4, LL128 120 and 8.
struct LineFormat {
    std::uint64_t data, flag;
    std::uint64_t size() const { return data + flag; }
};

/// A codec whose messages are those of `codec` cut into lines, the last of which is whole, too: its data is padded with
/// zeros. Each byte of a flag is the iteration modulo 255, plus 1, as a receiver that polls a buffer must tell it from
/// the last message. decode() checks flags and padding, and throws CorruptStream. A block is 4096 bytes of lines; the
/// last may have fewer.
/// Preconditions: `codec` is of constant rate and puts each symbol into as many whole bytes as any other, without
/// headers, so that lines have whole symbols; a line divides 4096 bytes.
std::unique_ptr<Codec> make_line_codec(std::unique_ptr<Codec> codec, LineFormat format);

}   // namespace oscar

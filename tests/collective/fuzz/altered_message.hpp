// What a fuzzer, and the test of its seeds, does with the bytes of an altered message.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace oscar::test {

/// Codecs and splits, each at a step that adds and at one that copies: what the first byte of an input chooses.
std::size_t altered_message_links();

/// The input of a link (below altered_message_links()) whose message comes as it was sent: a seed.
std::vector<std::byte> sound_input(std::size_t link);

/// The receiver of the link that the first byte names (modulo their number) looks for blocks in every part that may
/// have come of the message behind that byte, then decodes it. True: it accepts the message, adds or copies what came,
/// and learns from it; false: it refuses it as CorruptStream. After a TableMismatch it must take the message that its
/// sender makes anew. Throws logic_error if blocks do not tile the bytes or change when more has come, or if the
/// message that was made anew is refused; reads and writes out of bounds are for sanitizers.
bool is_accepted(std::span<const std::byte> input);

}   // namespace oscar::test

#include "models/codec/rans_coder.hpp"

#include <algorithm>
#include <bit>

#include "models/codec/little_endian.hpp"
#include "models/codec/offset_stream.hpp"
#include "models/codec/rans_rows.hpp"

namespace oscar {

namespace {

constexpr std::size_t count_bytes = 4, state_bytes = 4, word_bytes = 2;

Work work_of(std::size_t values, std::uint32_t lanes, std::uint64_t offset_bits) {
    return {.values = values, .lane_cycles = (values + lanes - 1) / lanes, .stalls = 0, .offset_bits = offset_bits};
}

void append_words(std::vector<std::byte>& out, std::span<const std::uint16_t> words) {
    if constexpr (std::endian::native == std::endian::little) {
        const auto bytes = std::as_bytes(words);
        out.insert(out.end(), bytes.begin(), bytes.end());
        return;
    }
    for (const std::uint16_t word : words) append_little_endian(out, word, word_bytes);
}

// Precondition: as many bytes as the words have.
void read_words(std::span<const std::byte> bytes, std::span<std::uint16_t> words) {
    if constexpr (std::endian::native == std::endian::little) {
        std::ranges::copy(bytes, std::as_writable_bytes(words).begin());
        return;
    }
    for (std::size_t i = 0; i < words.size(); ++i)
        words[i] = static_cast<std::uint16_t>(little_endian(bytes, i * word_bytes, word_bytes));
}

RansStreams read_streams(std::span<const std::byte> payload, std::uint32_t lanes) {
    const std::size_t head = count_bytes + lanes * state_bytes;
    if (payload.size() < head) throw CorruptStream("rans: the block ends before the states of its lanes");
    const std::uint32_t words = little_endian(payload, 0, count_bytes);
    if (words > (payload.size() - head) / word_bytes) throw CorruptStream("rans: the words go beyond the block");
    RansStreams streams{std::vector<std::uint32_t>(lanes), std::vector<std::uint16_t>(words)};
    for (std::size_t lane = 0; lane < lanes; ++lane)
        streams.states[lane] = little_endian(payload, count_bytes + lane * state_bytes, state_bytes);
    read_words(payload.subspan(head, words * word_bytes), streams.words);
    return streams;
}

}   // namespace

std::optional<Work> RansCoder::encode(std::span<const Symbol> symbols, std::uint32_t, std::uint32_t lanes,
                                      const Tables& tables, std::vector<std::byte>& out) const {
    const LocatedSymbols located = locate(symbols, tables);
    const RansStreams streams = encode_rows(located.rows, lanes, tables);
    append_little_endian(out, static_cast<std::uint32_t>(streams.words.size()), count_bytes);
    for (const std::uint32_t state : streams.states) append_little_endian(out, state, state_bytes);
    append_words(out, streams.words);
    out.insert(out.end(), located.offsets.begin(), located.offsets.end());
    return work_of(symbols.size(), lanes, located.offset_bits);
}

Work RansCoder::decode(std::span<const std::byte> payload, std::uint32_t width, std::uint32_t lanes,
                       const Tables& tables, std::span<Symbol> out) const {
    RansStreams streams = read_streams(payload, lanes);
    const std::size_t head = count_bytes + lanes * state_bytes + streams.words.size() * word_bytes;
    const std::vector<std::uint8_t> rows = decode_rows(std::move(streams), out.size(), tables);
    return work_of(out.size(), lanes, read_offsets(payload.subspan(head), rows, tables, width, out));
}

}   // namespace oscar

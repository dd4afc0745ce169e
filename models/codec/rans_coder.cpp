#include "models/codec/rans_coder.hpp"

#include "models/codec/little_endian.hpp"
#include "models/codec/offset_stream.hpp"
#include "models/codec/rans_rows.hpp"

namespace oscar {

namespace {

constexpr std::size_t count_bytes = 4, state_bytes = 4, word_bytes = 2;

Work work_of(std::size_t values, std::uint32_t lanes, std::uint64_t offset_bits) {
    return {.values = values, .lane_cycles = (values + lanes - 1) / lanes, .stalls = 0, .offset_bits = offset_bits};
}

RansStreams read_streams(std::span<const std::byte> payload, std::uint32_t lanes) {
    const std::size_t head = count_bytes + lanes * state_bytes;
    if (payload.size() < head) throw CorruptStream("rans: the block ends before the states of its lanes");
    const std::uint32_t words = little_endian(payload, 0, count_bytes);
    if (words > (payload.size() - head) / word_bytes) throw CorruptStream("rans: the words go beyond the block");
    RansStreams streams{std::vector<std::uint32_t>(lanes), std::vector<std::uint16_t>(words)};
    for (std::size_t lane = 0; lane < lanes; ++lane)
        streams.states[lane] = little_endian(payload, count_bytes + lane * state_bytes, state_bytes);
    for (std::size_t i = 0; i < words; ++i)
        streams.words[i] = static_cast<std::uint16_t>(little_endian(payload, head + i * word_bytes, word_bytes));
    return streams;
}

}   // namespace

std::optional<Work> RansCoder::encode(std::span<const Symbol> symbols, std::uint32_t, std::uint32_t lanes,
                                      const Tables& tables, std::vector<std::byte>& out) const {
    const Table& table = *tables.of_class(0);
    const LocatedSymbols located = locate(symbols, table);
    const RansStreams streams = encode_rows(located.rows, lanes, table.cumulative);
    append_little_endian(out, static_cast<std::uint32_t>(streams.words.size()), count_bytes);
    for (const std::uint32_t state : streams.states) append_little_endian(out, state, state_bytes);
    const std::size_t at = out.size();
    out.resize(at + streams.words.size() * word_bytes);
    for (std::size_t i = 0; i < streams.words.size(); ++i) {
        out[at + 2 * i] = static_cast<std::byte>(streams.words[i] & 0xFF);
        out[at + 2 * i + 1] = static_cast<std::byte>(streams.words[i] >> 8);
    }
    out.insert(out.end(), located.offsets.begin(), located.offsets.end());
    return work_of(symbols.size(), lanes, located.offset_bits);
}

Work RansCoder::decode(std::span<const std::byte> payload, std::uint32_t width, std::uint32_t lanes, const Tables& tables,
                       std::span<Symbol> out) const {
    const Table& table = *tables.of_class(0);
    RansStreams streams = read_streams(payload, lanes);
    const std::size_t head = count_bytes + lanes * state_bytes + streams.words.size() * word_bytes;
    const std::vector<std::uint8_t> rows = decode_rows(std::move(streams), out.size(), table.cumulative);
    return work_of(out.size(), lanes, read_offsets(payload.subspan(head), rows, table, width, out));
}

}   // namespace oscar

#include "models/codec/entropy/rans_coder.hpp"

#include <algorithm>
#include <bit>

#include "models/codec/bits/bit_stream.hpp"
#include "models/codec/bits/little_endian.hpp"
#include "models/codec/entropy/lane_costs.hpp"
#include "models/codec/entropy/offset_stream.hpp"
#include "models/codec/entropy/rans_rows.hpp"

namespace oscar {

namespace {

constexpr std::size_t count_bytes = 4, word_bytes = 2;
constexpr std::uint32_t length_bits = 4;   // of a state: it has 15 .. 30 bits below its leading one

void append_words(std::vector<std::byte>& out, std::span<const std::uint16_t> words) {
    if constexpr (std::endian::native == std::endian::little) {
        const auto bytes = std::as_bytes(words);
        out.insert(out.end(), bytes.begin(), bytes.end());
        return;
    }
    for (const std::uint16_t word : words) append_little_endian(out, word, word_bytes);
}

// Precondition: bytes.size() is twice words.size().
void read_words(std::span<const std::byte> bytes, std::span<std::uint16_t> words) {
    if constexpr (std::endian::native == std::endian::little) {
        std::ranges::copy(bytes, std::as_writable_bytes(words).begin());
        return;
    }
    for (std::size_t i = 0; i < words.size(); ++i)
        words[i] = static_cast<std::uint16_t>(little_endian(bytes, i * word_bytes, word_bytes));
}

std::uint32_t bits_below_leading(std::uint32_t state) { return static_cast<std::uint32_t>(std::bit_width(state)) - 1; }

void append_states(std::vector<std::byte>& out, std::span<const std::uint32_t> states) {
    BitWriter writer(out);
    for (const std::uint32_t state : states) writer.put(bits_below_leading(state) - rans_room_bits, length_bits);
    for (const std::uint32_t state : states) {
        const std::uint32_t bits = bits_below_leading(state);
        writer.put(state & low_mask(bits), bits);
    }
    writer.finish();
}

// Returns the states and moves `payload` past them.
std::vector<std::uint32_t> take_states(std::span<const std::byte>& payload, std::uint32_t lanes) {
    BitReader reader(payload);
    std::vector<std::uint32_t> states(lanes);
    for (std::uint32_t& state : states) state = reader.get(length_bits) + rans_room_bits;
    for (std::uint32_t& state : states) state = 1u << state | reader.get(state);
    if (reader.overran()) throw CorruptStream("rans: the block ends before the states of its lanes");
    const std::uint64_t size = bytes_for(reader.position());
    if (!reader.skip_padding()) throw CorruptStream("rans: the padding after the states is not zero");
    payload = payload.subspan(size);
    return states;
}

// Moves `payload` past the streams, to the offsets.
RansStreams take_streams(std::span<const std::byte>& payload, std::uint32_t lanes) {
    if (payload.size() < count_bytes) throw CorruptStream("rans: the block ends before the number of its words");
    const std::uint32_t words = little_endian(payload, 0, count_bytes);
    payload = payload.subspan(count_bytes);
    RansStreams streams{take_states(payload, lanes), {}};
    if (words > payload.size() / word_bytes) throw CorruptStream("rans: the words go beyond the block");
    streams.words.resize(words);
    read_words(payload.first(words * word_bytes), streams.words);
    payload = payload.subspan(words * word_bytes);
    return streams;
}

// Bytes of the offsets that the first states have room for.
std::size_t room(std::size_t lanes) { return lanes * rans_room_bits / 8; }

std::vector<std::uint32_t> states_with(std::span<const std::byte> bytes, std::uint32_t lanes) {
    BitReader reader(bytes);   // and zeros after them
    std::vector<std::uint32_t> states(lanes);
    for (std::uint32_t& state : states) state = rans_floor | reader.get(rans_room_bits);
    return states;
}

// The first `size` bytes in the states.
std::vector<std::byte> bytes_in(std::span<const std::uint32_t> states, std::size_t size) {
    std::vector<std::byte> bytes;
    BitWriter writer(bytes);
    for (const std::uint32_t state : states) writer.put(state - rans_floor, rans_room_bits);
    writer.finish();
    if (std::any_of(bytes.begin() + static_cast<std::ptrdiff_t>(size), bytes.end(),
                    [](std::byte b) { return b != std::byte{0}; }))
        throw CorruptStream("rans: bits after the last offset");
    bytes.resize(size);
    return bytes;
}

std::uint64_t offset_bits_of(std::span<const std::uint8_t> rows, const Tables& tables) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
        bits += tables.of_class(tables.count() > 1 ? tables.classes()[i] : 0)->offset_bits[rows[i]];
    return bits;
}

// The offsets, of which `stored` bytes stand in the block.
std::vector<std::byte> whole_offsets(std::span<const std::byte> stored, const DecodedRows& decoded,
                                     const Tables& tables) {
    std::size_t held = room(decoded.states.size());
    if (stored.empty()) held = std::min<std::size_t>(held, bytes_for(offset_bits_of(decoded.rows, tables)));
    std::vector<std::byte> offsets(stored.begin(), stored.end());
    const std::vector<std::byte> last = bytes_in(decoded.states, held);
    offsets.insert(offsets.end(), last.begin(), last.end());
    return offsets;
}

// Bits by which words and state of a lane exceed 15, in 2^-20 bit, expected: its rows cost `row_bits`, and its state
// begins at 2^15 (1 + u), with u even over 0 .. 1 where there are offsets in it. Words are whole, so the state takes
// floor(row_bits + log2(1 + u)); its step comes with probability 2 - 2^(1-f), which f (1.343 - 0.343 f) is within 0.01,
// f being the fraction of row_bits.
std::uint64_t expected_growth(std::uint64_t row_bits, bool holds_offsets) {
    constexpr std::uint64_t one = std::uint64_t{1} << fraction_bits;
    const std::uint64_t f = row_bits % one >> (fraction_bits - 8);
    return row_bits / one * one + (holds_offsets ? f * (344 - 88 * f / 256) << (fraction_bits - 16) : 0);
}

// Bytes of words and states.
std::uint64_t expected_row_bytes(std::span<const LaneCost> lanes, std::uint64_t bits_in_states) {
    std::uint64_t growth = 0;
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
        growth += expected_growth(lanes[lane].row_bits, lane * rans_room_bits < bits_in_states);
    const std::uint64_t bits = (growth + (1u << (fraction_bits - 1))) >> fraction_bits;
    return bytes_for(bits + lanes.size() * (length_bits + rans_room_bits));
}

}   // namespace

std::optional<SizedPayload> RansCoder::size(std::span<const Symbol> symbols, std::uint32_t width, std::uint32_t lanes,
                                            const Tables& tables) const {
    std::vector<RowBits> bits;
    for (std::size_t c = 0; c < tables.count(); ++c) bits.push_back(rans_bits(tables.of_class(c)->cumulative));
    const auto costs = lane_costs(symbols, width, lanes, tables, bits);
    std::uint64_t offset_bits = 0;
    for (const LaneCost& cost : costs) offset_bits += cost.offset_bits;
    const std::uint64_t offsets = bytes_for(offset_bits), held = std::min<std::uint64_t>(offsets, room(lanes));
    return SizedPayload{count_bytes + expected_row_bytes(costs, 8 * held) + offsets - held,
                        cost_without_stalls(symbols.size(), lanes, offset_bits)};
}

std::optional<CodingCost> RansCoder::encode(std::span<const Symbol> symbols, std::uint32_t, std::uint32_t lanes,
                                            const Tables& tables, std::vector<std::byte>& out) const {
    const LocatedSymbols located = locate(symbols, tables);
    const std::span<const std::byte> offsets = located.offsets;
    const std::size_t held = std::min(offsets.size(), room(lanes));
    const RansStreams streams = encode_rows(located.rows, states_with(offsets.last(held), lanes), tables);
    append_little_endian(out, static_cast<std::uint32_t>(streams.words.size()), count_bytes);
    append_states(out, streams.states);
    append_words(out, streams.words);
    out.insert(out.end(), offsets.begin(), offsets.end() - static_cast<std::ptrdiff_t>(held));
    return cost_without_stalls(symbols.size(), lanes, located.offset_bits);
}

CodingCost RansCoder::decode(std::span<const std::byte> payload, std::uint32_t width, std::uint32_t lanes,
                             const Tables& tables, std::span<Symbol> out) const {
    const DecodedRows decoded = decode_rows(take_streams(payload, lanes), out.size(), tables);
    const std::vector<std::byte> offsets = whole_offsets(payload, decoded, tables);
    return cost_without_stalls(out.size(), lanes, read_offsets(offsets, decoded.rows, tables, width, out));
}

}   // namespace oscar

#include "models/codec/entropy/lane_coder.hpp"

#include <algorithm>
#include <bit>

#include "models/codec/bits/bit_stream.hpp"
#include "models/codec/entropy/lane_sizes.hpp"
#include "models/codec/entropy/lane_streams.hpp"

namespace oscar {

namespace {

bool representable(std::span<const LaneLengths> lengths, std::uint32_t bits_each) {
    return std::ranges::all_of(lengths, [bits_each](const LaneLengths& lane) {
        return std::uint64_t{lane.symbol_bits | lane.offset_bits} >> bits_each == 0;
    });
}

void append_lengths(std::vector<std::byte>& out, std::span<const LaneLengths> lengths, std::uint32_t bits_each) {
    BitWriter writer(out);
    for (const LaneLengths& lane : lengths) {
        writer.put(lane.symbol_bits, bits_each);
        writer.put(lane.offset_bits, bits_each);
    }
    writer.finish();
}

std::vector<LaneLengths> read_lengths(std::span<const std::byte> payload, std::uint32_t lanes,
                                      std::uint32_t bits_each) {
    BitReader reader(payload);
    std::vector<LaneLengths> lengths(lanes);
    for (LaneLengths& lane : lengths) {
        lane.symbol_bits = reader.get(bits_each);
        lane.offset_bits = reader.get(bits_each);
    }
    if (!reader.skip_padding()) throw CorruptStream("the padding after the lengths of the lanes is not zero");
    return lengths;
}

std::uint64_t chunks_of(std::span<const LaneLengths> lengths) {
    std::uint64_t chunks = 0;
    for (const LaneLengths& lane : lengths)
        chunks += packer_chunks(bytes_for(lane.symbol_bits) + bytes_for(lane.offset_bits));
    return chunks;
}

}   // namespace

std::uint32_t LaneCoder::length_bits(std::size_t values, std::uint32_t width, std::uint32_t lanes) {
    return static_cast<std::uint32_t>(std::bit_width((values + lanes - 1) / lanes * width - 1));
}

std::uint64_t LaneCoder::lengths_bytes(std::size_t values, std::uint32_t width, std::uint32_t lanes) {
    return bytes_for(std::uint64_t{2} * lanes * length_bits(values, width, lanes));
}

std::optional<CodingCost> LaneCoder::encode(std::span<const Symbol> symbols, std::uint32_t width, std::uint32_t lanes,
                                            const Tables& tables, std::vector<std::byte>& out) const {
    LaneStreams streams = encode_lanes(symbols, lanes, tables, adaptation_);
    const std::uint32_t bits_each = length_bits(symbols.size(), width, lanes);
    if (!representable(streams.lengths, bits_each)) return std::nullopt;
    append_lengths(out, streams.lengths, bits_each);
    out.insert(out.end(), streams.bytes.begin(), streams.bytes.end());
    streams.work.tables = tables_taken_up(adaptation_, tables, symbols.size(), lanes);
    streams.work.chunks = chunks_of(streams.lengths);
    return streams.work;
}

std::optional<SizedPayload> LaneCoder::size(std::span<const Symbol> symbols, std::uint32_t width, std::uint32_t lanes,
                                            const Tables& tables) const {
    const bool stays = adaptation_.update == Update::none;   // to follow a table takes as long as to code with it
    const auto sizes = stays ? size_lanes(symbols, width, lanes, tables) : std::nullopt;
    if (!sizes) return BlockCoder::size(symbols, width, lanes, tables);
    if (sizes->longest_bits >> length_bits(symbols.size(), width, lanes) != 0) return std::nullopt;
    return SizedPayload{lengths_bytes(symbols.size(), width, lanes) + sizes->bytes, sizes->work};
}

CodingCost LaneCoder::decode(std::span<const std::byte> payload, std::uint32_t width, std::uint32_t lanes,
                             const Tables& tables, std::span<Symbol> out) const {
    const std::uint64_t head = lengths_bytes(out.size(), width, lanes);
    if (payload.size() < head) throw CorruptStream("the block ends before the lengths of its lanes");
    const auto lengths = read_lengths(payload, lanes, length_bits(out.size(), width, lanes));
    CodingCost work = decode_lanes(payload.subspan(head), lengths, tables, adaptation_, width, out);
    work.tables = tables_taken_up(adaptation_, tables, out.size(), lanes);
    work.chunks = chunks_of(lengths);
    return work;
}

}   // namespace oscar

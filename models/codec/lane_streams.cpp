#include "models/codec/lane_streams.hpp"

#include <algorithm>
#include <string>

#include "models/codec/arithmetic_coder.hpp"
#include "models/codec/bit_stream.hpp"
#include "models/codec/packed.hpp"

namespace oscar {

namespace {

void add_lane(Work& block, std::uint64_t values, std::uint64_t stalls, std::uint64_t offset_bits) {
    block.values += values;
    block.lane_cycles = std::max(block.lane_cycles, values + stalls);
    block.stalls += stalls;
    block.offset_bits += offset_bits;
}

[[noreturn]] void fail(std::size_t lane, const char* what) {
    throw CorruptStream("lane " + std::to_string(lane) + ": " + what);
}

// Whether the bits of the last byte behind the stream are zero.
bool filled_with_zeros(std::span<const std::byte> stream, std::uint32_t bits) {
    return bits % 8 == 0 || (static_cast<std::uint32_t>(stream.back()) & (0xFFu >> bits % 8)) == 0;
}

// Decodes one lane into out[lane], out[lane + lanes], …
class LaneDecoder {
public:
    LaneDecoder(const Table& table, std::uint32_t width, std::uint32_t lanes, std::span<Symbol> out)
        : table_(table), width_(width), lanes_(lanes), out_(out) {}

    void decode(std::size_t lane, std::span<const std::byte> symbols, std::span<const std::byte> offsets,
                const LaneLengths& lengths, Work& work) const {
        ArithmeticDecoder decoder(symbols, table_.cumulative);
        BitReader offset_reader(offsets);
        std::uint64_t stalls = 0, values = 0;
        std::uint32_t magnitudes = 0;
        bool legal = true;
        for (std::size_t i = lane; i < out_.size(); i += lanes_) {
            const auto [row, emitted_bits] = decoder.decode();
            const Located place{row, offset_reader.get(table_.offset_bits[row])};
            const Symbol symbol = table_.value(place);
            legal = legal && table_.holds(place);
            magnitudes |= magnitude(symbol);
            stalls += packer_stalls(emitted_bits);
            ++values;
            out_[i] = symbol;
        }
        if (decoder.stream_bits() != lengths.symbol_bits) fail(lane, "the symbol stream does not end where it should");
        if (offset_reader.position() != lengths.offset_bits)
            fail(lane, "the offset stream does not end where it should");
        if (!legal) fail(lane, "an offset is beyond its row");
        if (!fits(magnitudes, width_)) fail(lane, "a symbol is out of range");
        add_lane(work, values, stalls, lengths.offset_bits);
    }

private:
    const Table& table_;
    std::uint32_t width_, lanes_;
    std::span<Symbol> out_;
};

}   // namespace

LaneStreams encode_lanes(std::span<const Symbol> symbols, std::uint32_t lanes, const Table& table) {
    LaneStreams result;
    std::vector<std::byte> offsets;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        offsets.clear();
        BitWriter symbol_writer(result.bytes), offset_writer(offsets);
        ArithmeticEncoder encoder(symbol_writer);
        std::uint64_t stalls = 0, values = 0;
        for (std::size_t i = lane; i < symbols.size(); i += lanes) {
            const auto [row, offset] = table.locate(symbols[i]);
            offset_writer.put(offset, table.offset_bits[row]);
            stalls += packer_stalls(encoder.encode(table.cumulative[row], table.cumulative[row + 1]));
            ++values;
        }
        encoder.finish();
        result.lengths.push_back(
            {static_cast<std::uint32_t>(symbol_writer.bits()), static_cast<std::uint32_t>(offset_writer.bits())});
        add_lane(result.work, values, stalls, offset_writer.bits());
        symbol_writer.finish();
        offset_writer.finish();
        result.bytes.insert(result.bytes.end(), offsets.begin(), offsets.end());
    }
    return result;
}

Work decode_lanes(std::span<const std::byte> bytes, std::span<const LaneLengths> lengths, const Table& table,
                  std::uint32_t width, std::span<Symbol> out) {
    const LaneDecoder decoder(table, width, static_cast<std::uint32_t>(lengths.size()), out);
    Work work;
    for (std::size_t lane = 0; lane < lengths.size(); ++lane) {
        const auto take = [&](std::uint32_t bits, const char* what) {
            if (bytes_for(bits) > bytes.size()) fail(lane, what);
            const auto stream = bytes.first(bytes_for(bits));
            if (!filled_with_zeros(stream, bits)) fail(lane, "the filling of the last byte of a stream is not zero");
            bytes = bytes.subspan(stream.size());
            return stream;
        };
        const auto symbols = take(lengths[lane].symbol_bits, "the symbol stream is longer than the block");
        const auto offsets = take(lengths[lane].offset_bits, "the offset stream is longer than the block");
        decoder.decode(lane, symbols, offsets, lengths[lane], work);
    }
    if (!bytes.empty()) throw CorruptStream("lanes: the streams end before the block does");
    return work;
}

}   // namespace oscar

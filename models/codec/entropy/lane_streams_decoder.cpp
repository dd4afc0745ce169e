#include <string>

#include "models/codec/bits/bit_stream.hpp"
#include "models/codec/entropy/arithmetic_coder.hpp"
#include "models/codec/entropy/lane_rounds.hpp"
#include "models/codec/entropy/lane_streams.hpp"
#include "models/codec/entropy/lane_vector.hpp"
#include "models/codec/interface/packed.hpp"

namespace oscar {

namespace {

[[noreturn]] void fail(std::size_t lane, const char* what) {
    throw CorruptStream("lane " + std::to_string(lane) + ": " + what);
}

// True if the bits of the last byte after the end of the stream are zero.
bool filled_with_zeros(std::span<const std::byte> stream, std::uint32_t bits) {
    return bits % 8 == 0 || (static_cast<std::uint32_t>(stream.back()) & (0xFFu >> bits % 8)) == 0;
}

class LaneDecoder {
public:
    explicit LaneDecoder(const LaneInput& input) : coder_(input.symbols), offsets_(input.offsets) {}

    template <class Model>
    LaneWork decode(std::span<Symbol> out, LanePart part, std::size_t lane, std::size_t lanes, Model& model) {
        LaneDecoder local = *this;   // so that its state is in registers
        for (std::size_t i = part.first; i < part.last; i += lanes) {
            const Table& table = model.table(i);
            const auto [row, emitted_bits] = local.coder_.decode(model.bounds(lane, i));
            model.update(lane, i, row);
            const Located place{row, local.offsets_.get(table.offset_bits[row])};
            const Symbol symbol = table.value(place);
            local.legal_ = local.legal_ && table.holds(place);
            local.magnitudes_ |= magnitude(symbol);
            local.work_.stalls += packer_stalls(emitted_bits);
            ++local.work_.values;
            out[i] = symbol;
        }
        local.work_.offset_bits = local.offsets_.position();
        *this = local;
        return work_;
    }
    LaneEnd end() const { return {coder_.stream_bits(), offsets_.position(), magnitudes_, legal_}; }

private:
    ArithmeticDecoder coder_;
    BitReader offsets_;
    LaneWork work_;
    std::uint32_t magnitudes_ = 0;
    bool legal_ = true;
};

void require_end(std::size_t lane, const LaneEnd& end, const LaneLengths& lengths, std::uint32_t width) {
    if (end.symbol_bits != lengths.symbol_bits) fail(lane, "the symbol stream does not end where it should");
    if (end.offset_bits != lengths.offset_bits) fail(lane, "the offset stream does not end where it should");
    if (!end.legal) fail(lane, "an offset is beyond its row");
    if (!fits(end.magnitudes, width)) fail(lane, "a symbol is out of range");
}

std::vector<LaneInput> split(std::span<const std::byte> bytes, std::span<const LaneLengths> lengths) {
    std::vector<LaneInput> inputs;
    for (std::size_t lane = 0; lane < lengths.size(); ++lane) {
        const auto take = [&](std::uint32_t bits, const char* what) {
            if (bytes_for(bits) > bytes.size()) fail(lane, what);
            const auto stream = bytes.first(bytes_for(bits));
            if (!filled_with_zeros(stream, bits)) fail(lane, "the padding of the last byte of a stream is not zero");
            bytes = bytes.subspan(stream.size());
            return stream;
        };
        const auto symbols = take(lengths[lane].symbol_bits, "the symbol stream is longer than the block");
        const auto offsets = take(lengths[lane].offset_bits, "the offset stream is longer than the block");
        inputs.push_back({symbols, offsets});
    }
    if (!bytes.empty()) throw CorruptStream("lanes: the streams end before the block does");
    return inputs;
}

DecodedLanes decode_portably(std::span<const LaneInput> lanes, const Tables& tables, const Adaptation& adaptation,
                             std::span<Symbol> out) {
    std::vector<LaneDecoder> decoders(lanes.begin(), lanes.end());
    DecodedLanes result;
    result.work = with_model(tables, adaptation, lanes.size(), [&](auto model) {
        return run_rounds(out.size(), lanes.size(), model, [&](std::size_t lane, LanePart part) {
            return decoders[lane].decode(out, part, lane, lanes.size(), model);
        });
    });
    for (const LaneDecoder& decoder : decoders) result.ends.push_back(decoder.end());
    return result;
}

DecodedLanes decode(std::span<const LaneInput> lanes, const Tables& tables, const Adaptation& adaptation,
                    std::span<Symbol> out, InstructionSet form) {
#if defined(__x86_64__)
    if (form != InstructionSet::portable && fits_vectors(out.size(), lanes.size(), tables, adaptation))
        return form == InstructionSet::avx512 ? avx512::decode_lanes(lanes, tables, adaptation, out)
                                              : avx2::decode_lanes(lanes, tables, adaptation, out);
#endif
    return decode_portably(lanes, tables, adaptation, out);
}

}   // namespace

CodingCost decode_lanes(std::span<const std::byte> bytes, std::span<const LaneLengths> lengths, const Tables& tables,
                        const Adaptation& adaptation, std::uint32_t width, std::span<Symbol> out, InstructionSet form) {
    const std::vector<LaneInput> lanes = split(bytes, lengths);
    const bool small = bytes.size() >> 28 == 0;   // vectors count its bits in 32 bits
    const DecodedLanes decoded = decode(lanes, tables, adaptation, out, small ? form : InstructionSet::portable);
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) require_end(lane, decoded.ends[lane], lengths[lane], width);
    return decoded.work;
}

}   // namespace oscar

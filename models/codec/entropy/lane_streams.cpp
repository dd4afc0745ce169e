#include "models/codec/entropy/lane_streams.hpp"

#include "models/codec/bits/bit_stream.hpp"
#include "models/codec/entropy/arithmetic_coder.hpp"
#include "models/codec/entropy/lane_rounds.hpp"
#include "models/codec/entropy/lane_vector.hpp"

namespace oscar {

namespace {

// The bytes of one lane, which outlive its encoder.
struct LaneBytes {
    std::vector<std::byte> symbols, offsets;
};

class LaneEncoder {
public:
    explicit LaneEncoder(LaneBytes& bytes) : coder_(BitWriter(bytes.symbols)), offsets_(bytes.offsets) {}

    template <class Model>
    LaneWork encode(std::span<const Symbol> symbols, LanePart part, std::size_t lane, std::size_t lanes, Model& model) {
        LaneEncoder local = *this;   // so that its state is in registers
        for (std::size_t i = part.first; i < part.last; i += lanes) {
            const Table& table = model.table(i);
            const auto [row, offset] = table.locate(symbols[i]);
            local.offsets_.put(offset, table.offset_bits[row]);
            const RowBounds& bounds = model.bounds(lane, i);
            local.work_.stalls += packer_stalls(local.coder_.encode(bounds.below(row), bounds.above(row)));
            model.update(lane, i, row);
            ++local.work_.values;
        }
        local.work_.offset_bits = local.offsets_.bits();
        *this = local;
        return work_;
    }
    LaneLengths finish() {
        return {static_cast<std::uint32_t>(coder_.finish()), static_cast<std::uint32_t>(offsets_.finish())};
    }

private:
    ArithmeticEncoder coder_;
    BitWriter offsets_;
    LaneWork work_;
};

template <class Model>
LaneStreams encode_with(Model model, std::span<const Symbol> symbols, std::uint32_t lanes) {
    std::vector<LaneBytes> bytes(lanes);
    std::vector<LaneEncoder> encoders(bytes.begin(), bytes.end());
    LaneStreams result;
    result.work = run_rounds(symbols.size(), lanes, model, [&](std::size_t lane, LanePart part) {
        return encoders[lane].encode(symbols, part, lane, lanes, model);
    });
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        result.lengths.push_back(encoders[lane].finish());
        result.bytes.insert(result.bytes.end(), bytes[lane].symbols.begin(), bytes[lane].symbols.end());
        result.bytes.insert(result.bytes.end(), bytes[lane].offsets.begin(), bytes[lane].offsets.end());
    }
    return result;
}

}   // namespace

InstructionSet best_lane_form(std::size_t lanes) {
    return lanes < 3 ? InstructionSet::portable : best_instruction_set();
}

LaneStreams encode_lanes(std::span<const Symbol> symbols, std::uint32_t lanes, const Tables& tables,
                         const Adaptation& adaptation, InstructionSet form) {
#if defined(__x86_64__)
    if (form != InstructionSet::portable && fits_vectors(symbols.size(), lanes, tables, adaptation))
        return form == InstructionSet::avx512 ? avx512::encode_lanes(symbols, lanes, tables, adaptation)
                                              : avx2::encode_lanes(symbols, lanes, tables, adaptation);
#endif
    return with_model(tables, adaptation, lanes,
                      [&](auto model) { return encode_with(std::move(model), symbols, lanes); });
}

}   // namespace oscar

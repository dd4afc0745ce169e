// Every coder with tables, on every shipped trace at every timestep: its coded size is within 0.5 % and 2 bytes per
// lane of the ideal sum of -log2 p under its own table.
//
// Counted of a coded block is the payload of its lanes. Of the arithmetic coder: the symbol and the offset stream of
// each lane, with the bits that end it, filled to a byte. Of rANS: states, words and offsets. Framing is not counted:
// the header, a table that the block brings, the lengths of the lanes, the number of words. Raw blocks have no
// table. -log2 p of a symbol is that of its row's count of 1024 and the bits of its offset.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "models/codec/bits/bit_stream.hpp"
#include "models/codec/entropy/lane_coder.hpp"
#include "models/codec/entropy/lane_rounds.hpp"
#include "models/codec/entropy/lane_streams.hpp"
#include "models/codec/interface/forwarding_codec.hpp"
#include "models/codec/message/block_header.hpp"
#include "models/codec/message/inline_table.hpp"
#include "sim/parameters/parameters.hpp"
#include "tests/codec/support.hpp"
#include "tests/collective/support.hpp"
#include "tests/run/shipped_codes.hpp"

namespace oscar::ideal_size_test {
namespace {

constexpr double tolerance = 1.005, bytes_per_lane = 2;

double row_bits(std::uint32_t count) { return probability_bits - std::log2(count); }

/// In bytes.
double ideal(std::span<const Symbol> symbols, const Tables& tables) {
    double bits = 0;
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        const Table& table = *tables.of_class(tables.count() > 1 ? tables.classes()[i] : 0);
        const std::uint32_t row = table.locate(symbols[i]).row;
        bits += row_bits(table.count(row)) + table.offset_bits[row];
    }
    return bits / 8;
}

/// Weighs what a codec encodes: bytes per lane beyond 1.005 times the ideal.
class WeighedCodec final : public ForwardingCodec {
public:
    WeighedCodec(const CodecChoice& choice, const Framing& framing)
        : ForwardingCodec(make_codec(choice, framing)),
          framing_(framing),
          layout_(table_of(inner(), std::vector<Symbol>{1}, 8).layout),
          rans_(std::holds_alternative<RansParams>(choice.params)) {}

    double worst() const { return worst_; }
    std::size_t blocks() const { return blocks_; }

    Encoded encode(std::span<const Symbol> symbols, const Context& context, const Tables& tables) const override {
        Encoded message = inner().encode(symbols, context, tables);
        weigh(symbols, context.width, tables, message);
        return message;
    }

private:
    void weigh(std::span<const Symbol> symbols, std::uint32_t width, Tables tables, const Encoded& message) const {
        std::optional<Table> sent;
        for (const Block& block : message.blocks) {
            const auto bytes = std::span(message.bytes).subspan(block.offset, block.bytes);
            const BlockMode mode = read_header(bytes).mode;
            if (mode == BlockMode::raw) continue;
            std::uint64_t framing = block_header_bytes;
            if (mode == BlockMode::coded_inline) {
                const std::size_t size = inline_table_bytes(layout_, width);
                tables = &sent.emplace(read_table(bytes.subspan(framing, size), layout_, width));
                framing += size;
            }
            const std::uint32_t lanes = framing_.sub_streams_for(block.values);
            framing += rans_ ? 4 + bytes_for(4 * lanes) : LaneCoder::lengths_bytes(block.values, width, lanes);
            const double least =
                ideal(symbols.subspan(block.first_value, block.values), tables.part(block.first_value, block.values));
            const double excess = static_cast<double>(block.bytes - framing) - tolerance * least;
            worst_ = std::max(worst_, excess / lanes);
            ++blocks_;
        }
    }

    Framing framing_;
    Layout layout_;
    bool rans_;
    mutable double worst_ = -1e9;
    mutable std::size_t blocks_ = 0;
};

struct Coder {
    std::string name;
    CodecChoice choice;
    bool by_class = false;   ///< one table where the last sum was zero, and one for the others
};

const std::vector<Coder> coders{
    {"asc", AscParams{}},
    {"asc, ranges", AscParams{.layout = Layout::ranges}},
    {"asc by class", AscParams{}, true},
    {"rans", RansParams{}},
    {"rans, ranges", RansParams{.layout = Layout::ranges}},
    {"rans by class", RansParams{}, true},
    {"atalanta inline", AtalantaParams{.table = AtalantaTable::sent_inline}},
    {"atalanta profiled", AtalantaParams{}},
    {"atalanta profiled, heuristic", AtalantaParams{.search = AtalantaSearch::heuristic}},
    {"atalanta pooled", AtalantaParams{.table = AtalantaTable::pooled}},
};

std::vector<std::uint8_t> zero_classes(std::span<const Symbol> sums) {
    std::vector<std::uint8_t> classes(sums.size());
    std::ranges::transform(sums, classes.begin(), [](Symbol sum) { return sum != 0; });
    return classes;
}

/// All timesteps of all iterations, as a ring sends them.
void run_ring(const Coder& coder, const Codec& codec, const std::vector<IterationCodes>& iterations) {
    const Plan plan(make_schedule(RingParams{}, test::shipped_ranks), ElementType::integer, 8);
    std::vector<RankState> rank_states;
    for (std::uint32_t r = 0; r < test::shipped_ranks; ++r) rank_states.emplace_back(plan, codec, 2);
    const IterationCodes* last = nullptr;
    for (const IterationCodes& codes : iterations) {
        const auto elements = static_cast<std::uint32_t>(codes.sum.size());
        const ChunkLayout layout = make_layout(EqualParams{}, elements, {test::shipped_ranks, 1}, {});
        const auto classes = coder.by_class && last != nullptr ? zero_classes(last->sum) : std::vector<std::uint8_t>{};
        std::optional<Table> common;
        if (last != nullptr && codec.table_source() == TableSource::profiled)
            common = table_of(codec, last->codes.front(), plan.final_width());
        if (last != nullptr && codec.table_source() == TableSource::pooled)
            common = codec.make_table(rank_states.front().tables().received_counts(), plan.final_width());
        for (std::uint32_t r = 0; r < test::shipped_ranks; ++r) {
            if (common) rank_states[r].tables().set_profile(*common);
            rank_states[r].begin(codes.codes[r], layout, static_cast<std::uint8_t>(codes.position), classes);
        }
        run_reference(plan.schedule, rank_states);
        for (RankState& rank_state : rank_states) rank_state.commit();
        last = &codes;
    }
}

TEST(ShippedTraces, AreCodedWithinHalfAPercentAndTwoBytesPerLaneOfTheIdealOfTheTable) {
    test::for_each_shipped_trace([](const std::string& trace, const auto& iterations) {
        for (const Coder& coder : coders) {
            const WeighedCodec codec(coder.choice, EngineParams{}.framing());
            run_ring(coder, codec, iterations);
            EXPECT_LE(codec.worst(), bytes_per_lane) << trace << ", " << coder.name;
            EXPECT_GT(codec.blocks(), 8u * 8) << trace << ", " << coder.name;
        }
    });
}

/// In bytes, under tables that move while the lanes code.
double moving_ideal(std::span<const Symbol> symbols, std::uint32_t lanes, const Tables& tables,
                    const Adaptation& adaptation) {
    double bits = 0;
    with_model(tables, adaptation, lanes, [&](auto model) {
        return run_rounds(symbols.size(), lanes, model, [&](std::size_t lane, LanePart part) {
            for (std::size_t i = part.first; i < part.last; i += lanes) {
                const std::uint32_t row = model.table(i).locate(symbols[i]).row;
                const RowBounds& bounds = model.bounds(lane, i);
                bits += row_bits(bounds.above(row) - bounds.below(row)) + model.table(i).offset_bits[row];
                model.update(lane, i, row);
            }
            return LaneWork{};
        });
    });
    return bits / 8;
}

TEST(ShippedTraces, AreCodedWithinTheSameOfTheIdealWhereTablesMove) {
    constexpr std::uint32_t lanes = 64;
    test::for_each_shipped_trace([](const std::string& trace, const auto& iterations) {
        for (const auto& choice : choices(Update{})) {
            const Adaptation adaptation{.update = choice.value};
            for (const IterationCodes& codes : iterations) {
                const auto asc = make_codec(AscParams{}, Framing{});
                const Table table = table_of(*asc, codes.codes.front(), 11);
                for (const auto& symbols : {codes.codes.front(), codes.codes.back(), codes.sum}) {
                    const LaneStreams streams = encode_lanes(symbols, lanes, &table, adaptation);
                    const double excess = static_cast<double>(streams.bytes.size()) -
                                          tolerance * moving_ideal(symbols, lanes, &table, adaptation);
                    EXPECT_LE(excess / lanes, bytes_per_lane) << trace << ", " << choice.text;
                }
            }
        }
    });
}

}   // namespace
}   // namespace oscar::ideal_size_test

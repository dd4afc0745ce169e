// The vector forms of the lanes' coders against the portable loops: the same bytes, lengths, work, symbols and
// refusals.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "models/codec/entropy/lane_streams.hpp"
#include "models/codec/entropy/lane_vector.hpp"
#include "tests/codec/lane_cases.hpp"

namespace oscar::lane_vector_test {
namespace {

using test::LaneCase;

/// Everything that encode_lanes() makes, in a form that can be compared and printed.
struct Made {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> lengths;
    std::string bytes;
    CodingCost work;
    friend bool operator==(const Made&, const Made&) = default;
};
Made made_by(const LaneStreams& streams) {
    Made made{{}, hex(streams.bytes), streams.work};
    for (const LaneLengths& lane : streams.lengths) made.lengths.emplace_back(lane.symbol_bits, lane.offset_bits);
    return made;
}

/// The work and the symbols that decode_lanes() finds, or the text of the CorruptStream that it throws.
struct Found {
    CodingCost work;
    std::vector<Symbol> symbols;
    std::string refusal;
    friend bool operator==(const Found&, const Found&) = default;
};
Found found_in(const LaneStreams& streams, const LaneCase& c, std::uint32_t width, InstructionSet form) {
    const std::vector<std::byte> bytes(streams.bytes);   // of their own size, so that sanitizers see a read behind them
    Found found{{}, std::vector<Symbol>(c.symbols.size()), ""};
    try {
        found.work = decode_lanes(bytes, streams.lengths, c.tables(), c.adaptation, width, found.symbols, form);
    } catch (const CorruptStream& error) {
        return {{}, {}, error.what()};
    }
    return found;
}

class LaneForms : public ::testing::TestWithParam<InstructionSet> {
protected:
    void SetUp() override {
        if (!available(GetParam())) GTEST_SKIP() << "this host has no " << name_of(GetParam());
    }
};
INSTANTIATE_TEST_SUITE_P(All, LaneForms, ::testing::ValuesIn(instruction_sets),
                         [](const auto& form) { return std::string(name_of(form.param)); });

constexpr std::uint64_t seeds = 1500;

TEST_P(LaneForms, EncodeAndDecodeAsThePortableLoopsDo) {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const LaneCase c(seed);
        SCOPED_TRACE(c.text());
        const LaneStreams expected =
            encode_lanes(c.symbols, c.lanes, c.tables(), c.adaptation, InstructionSet::portable);
        const LaneStreams streams = encode_lanes(c.symbols, c.lanes, c.tables(), c.adaptation, GetParam());
        ASSERT_EQ(made_by(streams), made_by(expected));
        const Found found = found_in(streams, c, c.width, GetParam());
        ASSERT_EQ(found.refusal, "");
        ASSERT_EQ(found.symbols, c.symbols);
        ASSERT_EQ(found.work, streams.work);
    }
}

TEST_P(LaneForms, EncodeAndDecodeEachNumberOfLanesWithEachRestOfSymbols) {
    const Table table = table_of(*make_codec(AscParams{}, Framing{}), make_symbols("geometric", 4000, 8, 1), 8);
    for (const auto& update : choices(Update{}))
        for (std::uint32_t lanes = 1; lanes <= 130; ++lanes) {
            const Adaptation adaptation{.update = update.value, .interval = 2};
            const std::size_t rest = (7 * lanes + lanes / 3) % lanes;   // symbols of the last, partial turn
            const auto symbols = make_symbols("geometric", 5 * lanes + rest, 8, lanes);
            SCOPED_TRACE(::testing::Message() << lanes << " lanes, rest " << rest << ", update " << update.text);
            const LaneStreams streams = encode_lanes(symbols, lanes, &table, adaptation, GetParam());
            ASSERT_EQ(made_by(streams),
                      made_by(encode_lanes(symbols, lanes, &table, adaptation, InstructionSet::portable)));
            std::vector<Symbol> out(symbols.size());
            ASSERT_EQ(decode_lanes(streams.bytes, streams.lengths, &table, adaptation, 8, out, GetParam()),
                      streams.work);
            ASSERT_EQ(out, symbols);
        }
}

TEST_P(LaneForms, TakeOffsetsOf32BitsAndTheLowestInteger) {
    const Table table = Table::magnitudes(32, test::even_counts());
    const std::vector<Symbol> symbols{0,
                                      -1,
                                      std::numeric_limits<Symbol>::min(),
                                      std::numeric_limits<Symbol>::max(),
                                      16384,
                                      -16384,
                                      16383,
                                      -16383,
                                      32768,
                                      1 << 24,
                                      -(1 << 30),
                                      5};
    for (const std::uint32_t lanes : {1u, 3u, 12u}) {
        const LaneStreams streams = encode_lanes(symbols, lanes, &table, {}, GetParam());
        EXPECT_EQ(made_by(streams), made_by(encode_lanes(symbols, lanes, &table, {}, InstructionSet::portable)));
        std::vector<Symbol> out(symbols.size());
        decode_lanes(streams.bytes, streams.lengths, &table, {}, 32, out, GetParam());
        EXPECT_EQ(out, symbols);
    }
}

TEST_P(LaneForms, RefuseDamageAsThePortableLoopsDo) {
    std::size_t refused = 0, accepted = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const LaneCase c(seed);
        std::mt19937_64 random(seed);
        const LaneStreams sound = encode_lanes(c.symbols, c.lanes, c.tables(), c.adaptation, InstructionSet::portable);
        for (int trial = 0; trial < 4; ++trial) {
            SCOPED_TRACE(::testing::Message() << c.text() << ", trial " << trial);
            LaneStreams damaged = sound;
            test::damage(random, damaged);
            const std::uint32_t width = trial == 0 ? 1 + static_cast<std::uint32_t>(random() % c.width) : c.width;
            const Found found = found_in(damaged, c, width, GetParam());
            ASSERT_EQ(found, found_in(damaged, c, width, InstructionSet::portable));
            ++(found.refusal.empty() ? accepted : refused);
        }
    }
    EXPECT_GT(refused, seeds);
    EXPECT_GT(accepted, seeds / 10);   // bits of offsets that were flipped
}

TEST_P(LaneForms, DecodeWithOtherTablesAsThePortableLoopsDo) {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const LaneCase c(seed);
        SCOPED_TRACE(c.text());
        const LaneStreams streams =
            encode_lanes(c.symbols, c.lanes, c.tables(), c.adaptation, InstructionSet::portable);
        const LaneCase other = c.with_other_tables();
        EXPECT_EQ(found_in(streams, other, c.width, GetParam()),
                  found_in(streams, other, c.width, InstructionSet::portable));
    }
}

TEST_P(LaneForms, CostAsMuchAsInThePortableLoops) {
    const auto costs_of = [](const LaneCase& c, InstructionSet form) {
        std::vector<RowBits> bits;
        for (const Table& table : c.owned) bits.push_back(arithmetic_bits(table.cumulative));
        std::vector<std::pair<std::uint64_t, std::uint64_t>> result;
        for (const LaneCost& lane : lane_costs(c.symbols, c.width, c.lanes, c.tables(), bits, form))
            result.emplace_back(lane.row_bits, lane.offset_bits);
        return result;
    };
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const LaneCase c(seed);
        SCOPED_TRACE(c.text());
        ASSERT_EQ(costs_of(c, GetParam()), costs_of(c, InstructionSet::portable));
    }
}

TEST_P(LaneForms, TakeUnderflowHoweverLong) {
    // A row of 2 counts around the middle settles nothing: underflow grows by 9 bits a symbol until the last row, which
    // releases all of it at once. Lanes release at different symbols, some in the middle of a register, and stall.
    Cumulative cumulative{};
    for (std::uint16_t row = 2; row <= table_rows; ++row) cumulative[row] = static_cast<std::uint16_t>(1008 + row);
    cumulative[1] = 511;
    cumulative[2] = 513;
    const Table table = Table::magnitudes(8, cumulative);
    for (const std::uint32_t lanes : {1u, 7u, 16u, 50u}) {
        std::vector<Symbol> symbols(lanes * 30, 1);   // row 1
        for (std::size_t lane = 0; lane < lanes; ++lane)
            for (std::size_t turn = lane % 5 + 4; turn < 30; turn += lane % 7 + 4) symbols[turn * lanes + lane] = 0;
        const LaneStreams streams = encode_lanes(symbols, lanes, &table, {}, GetParam());
        EXPECT_EQ(made_by(streams), made_by(encode_lanes(symbols, lanes, &table, {}, InstructionSet::portable)));
        EXPECT_GT(streams.work.stalls, 0u);
        std::vector<Symbol> out(symbols.size());
        EXPECT_EQ(decode_lanes(streams.bytes, streams.lengths, &table, {}, 8, out, GetParam()), streams.work);
        EXPECT_EQ(out, symbols);
    }
}

TEST_P(LaneForms, RefuseACodeInThePartThatATotalOf1023LeavesUnused) {
    Cumulative short_of_one = test::even_counts();
    short_of_one.back() = 1023;
    const Table table = Table::magnitudes(8, short_of_one);
    constexpr std::size_t lanes = 20;
    const std::vector<Symbol> symbols(3 * lanes, 0);   // in each lane 3 * 4 bits and 2: two bytes, and no offsets
    const LaneStreams sound = encode_lanes(symbols, lanes, &table, {}, GetParam());
    ASSERT_EQ(sound.bytes.size(), 2 * lanes);
    for (const std::size_t lane : {std::size_t{0}, std::size_t{7}, lanes - 1}) {
        LaneStreams damaged = sound;
        damaged.bytes[2 * lane] = damaged.bytes[2 * lane + 1] = std::byte{0xFF};   // >= (0x10000 * 1023) >> 10
        damaged.lengths[lane].symbol_bits = 16;
        std::string text;
        std::vector<Symbol> out(symbols.size());
        try {
            decode_lanes(damaged.bytes, damaged.lengths, &table, {}, 8, out, GetParam());
        } catch (const CorruptStream& error) {
            text = error.what();
        }
        EXPECT_EQ(text, "symbol stream: code beyond the total of the table") << lane;
    }
}

TEST_P(LaneForms, LeaveTablesOfDifferentLayoutsToThePortableLoops) {
    const Table magnitudes = Table::magnitudes(8, test::even_counts()),
                wider = Table::magnitudes(9, test::even_counts());
    const std::vector<const Table*> both{&magnitudes, &wider}, alike{&wider, &wider};
    const std::vector<std::uint8_t> classes{0, 1, 0, 1, 1};
    const std::vector<Symbol> symbols{3, -7, 0, 100, 5};
    EXPECT_FALSE(fits_vectors(5, 2, Tables(both, classes), {}));
    EXPECT_TRUE(fits_vectors(5, 2, Tables(alike, classes), {}));
    const LaneStreams streams = encode_lanes(symbols, 2, Tables(both, classes), {}, GetParam());
    std::vector<Symbol> out(5);
    decode_lanes(streams.bytes, streams.lengths, Tables(both, classes), {}, 8, out, GetParam());
    EXPECT_EQ(out, symbols);
}

TEST(VectorBlocks, HaveAtLeastThreeLanesByDefault) {
    EXPECT_EQ(best_lane_form(1), InstructionSet::portable);
    EXPECT_EQ(best_lane_form(2), InstructionSet::portable);
    EXPECT_EQ(best_lane_form(3), best_instruction_set());
    EXPECT_EQ(best_lane_form(64), best_instruction_set());
}

TEST(VectorBlocks, HaveAdaptiveTablesOnlyWithATotalOf1024) {
    Cumulative short_of_one = test::even_counts();
    short_of_one.back() = 1023;
    const Table table = Table::magnitudes(8, short_of_one);
    EXPECT_TRUE(fits_vectors(100, 4, &table, {}));
    EXPECT_FALSE(fits_vectors(100, 4, &table, {.update = Update::block}));
    EXPECT_FALSE(fits_vectors(100, 4, &table, {.update = Update::symbol}));
    EXPECT_FALSE(fits_vectors(std::size_t{1} << 24, 4, &table, {}));   // too many for indices of 32 bits
}

}   // namespace
}   // namespace oscar::lane_vector_test

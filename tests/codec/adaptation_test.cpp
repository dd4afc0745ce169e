// How tables follow the symbols of a block, and what that is worth.
#include "models/codec/table/adaptation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "models/codec/entropy/lane_rounds.hpp"
#include "models/codec/entropy/lane_streams.hpp"
#include "models/codec/kinds/codecs.hpp"
#include "tests/codec/support.hpp"

namespace oscar::adaptation_test {
namespace {

Table table_of_rows(std::array<std::uint64_t, table_rows> counts) { return Table::magnitudes(8, normalise(counts)); }

const Table even = table_of_rows({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});

std::uint32_t count(const RowBounds& bounds, std::uint32_t row) { return bounds.above(row) - bounds.below(row); }

void expect_codable(const RowBounds& bounds) {
    EXPECT_EQ(bounds.below(0), 0u);
    for (std::uint32_t row = 0; row < table_rows; ++row) ASSERT_GE(count(bounds, row), 1u) << row;
    EXPECT_EQ(bounds.above(15), 1024u);
    EXPECT_EQ(bounds.starts.back(), 1024);
}

TEST(BlockModel, SpeaksOfAnIntervalTwoIntervalsLater) {
    BlockModel model(even, {.update = Update::block, .interval = 4, .window = 4096, .experience = 4}, 4);
    for (int i = 0; i < 16; ++i) model.update(static_cast<std::size_t>(i % 4), 3);   // 4 lanes of 4
    model.synchronise();
    EXPECT_EQ(count(model.bounds(0), 3), 64u);   // its table is being made
    model.synchronise();
    // Experience of 4 lanes' 4 values over 16 even rows is one each; row 3 has 17 of 32: 1 + floor(17 * 1008 / 32) =
    // 536, the others 1 + floor(1008 / 32) = 32; 536 + 15 * 32 = 1016, so row 3 gets 8 more.
    EXPECT_EQ(count(model.bounds(0), 3), 544u);
    EXPECT_EQ(count(model.bounds(9), 0), 32u);   // the same for every lane
    expect_codable(model.bounds(0));
}

TEST(BlockModel, HalvesItsCountsBeyondTheWindow) {
    BlockModel model(even, {.update = Update::block, .interval = 1, .window = 32, .experience = 0}, 2);
    for (int i = 0; i < 60; ++i) model.update(0, 1);
    model.synchronise();
    for (int i = 0; i < 40; ++i) model.update(0, 2);
    model.synchronise();
    for (int i = 0; i < 20; ++i) model.update(0, 3);
    model.synchronise();
    model.synchronise();
    // 60 and 40 are more than 32 for each of 2 lanes: 30 and 20. With 20 more again: 15, 10 and 10 of 35. Row 1 has
    // 1 + floor(15 * 1008 / 35) = 433, rows 2 and 3 have 1 + 288; 13 rows of one make 1024.
    EXPECT_EQ(count(model.bounds(0), 1), 433u);
    EXPECT_EQ(count(model.bounds(0), 2), 289u);
    EXPECT_EQ(count(model.bounds(0), 3), 289u);
}

/// The count of row 0 in the table made after `first` values of row 0 and then 64 of row 1, by 2 lanes with a window of
/// 32 values each.
std::uint32_t count_after(int first) {
    BlockModel model(even, {.update = Update::block, .interval = 1, .window = 32, .experience = 0}, 2);
    for (int i = 0; i < first; ++i) model.update(0, 0);
    model.synchronise();
    for (int i = 0; i < 64; ++i) model.update(0, 1);
    model.synchronise();
    model.synchronise();
    return count(model.bounds(0), 0);
}

TEST(BlockModel, KeepsAsManyCountsAsTheWindowHasValuesAndHalvesOneMore) {
    // 64 values of row 0 fill the window of 2 lanes. With 64 of row 1 they are 128, halved to 32 and 32: row 0 has
    // 1 + 32 * 1008 / 64. 65 of row 0 are halved to 32; with 64 of row 1 they are 96, halved to 16 and 32: row 0 has
    // 1 + 16 * 1008 / 48.
    EXPECT_EQ(count_after(64), 505u);
    EXPECT_EQ(count_after(65), 337u);
}

TEST(BlockModel, HalvesItsCountsUntilTheyFitTheWindow) {
    // 40 of row 0 and 400 of row 1 are halved to 20 and 200, 10 and 100, 5 and 50, which the window of 64 holds. With
    // 30 of row 0 they are 35 and 50, halved to 17 and 25: row 0 has 1 + 17 * 1008 / 42.
    BlockModel model(even, {.update = Update::block, .interval = 1, .window = 32, .experience = 0}, 2);
    for (const auto& [row, seen] : {std::pair{0u, 40}, {1u, 400}, {0u, 30}}) {
        for (int i = 0; i < seen; ++i) model.update(0, row);
        model.synchronise();
    }
    model.synchronise();
    EXPECT_EQ(count(model.bounds(0), 0), 409u);
}

TEST(SymbolCounts, BeginWithTheTableExactly) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        std::array<std::uint64_t, table_rows> counts{};
        for (auto& n : counts) n = random() >> (20 + random() % 44);
        counts[seed % table_rows] += 1;
        const Table table = table_of_rows(counts);
        SymbolCounts model(table.cumulative, {.window = 65536, .experience = 65536});
        EXPECT_EQ(model.bounds().starts, RowBounds(table.cumulative).starts);
        // At rate 16 a value moves each place by less than one, downwards: a bound by at most one.
        model.update(15);
        for (std::size_t k = 0; k <= table_rows; ++k) EXPECT_NEAR(model.bounds().starts[k], table.cumulative[k], 1);
    }
}

TEST(SymbolCounts, MoveTheirBoundsByShiftsTowardsTheRowSeen) {
    SymbolCounts model(even.cumulative, {.window = 16, .experience = 16});   // rate 4
    model.update(7);
    // Bound k stands at k * 64 counts: place ceil((64 k - k) * 65536 / 1008) = 4096 k. Bounds 1..7 lose a 16th of their
    // place, bounds 8..15 gain a 16th of what is left to 65536: place 8 from 32768 to 34816, place 7 from 28672 to
    // 26880.
    EXPECT_EQ(model.bounds().above(7), 34816u * 1008 / 65536 + 8);
    EXPECT_EQ(model.bounds().below(7), 26880u * 1008 / 65536 + 7);
}

TEST(SymbolCounts, AreTheMeanOfTwoSpeeds) {
    SymbolCounts model(even.cumulative, {.window = 4096, .experience = 4096, .quick_rate = 2});   // rates 12 and 2
    model.update(7);
    // Place 8 from 32768: steady + 32768 / 4096 = 32776, quick + 32768 / 4 = 40960; their mean is 36868.
    EXPECT_EQ(model.bounds().above(7), 36868u * 1008 / 65536 + 8);
    // Place 7 from 28672: 28672 - 7 = 28665 and 28672 - 7168 = 21504; 25084 (half of 50169, rounded down).
    EXPECT_EQ(model.bounds().below(7), 25084u * 1008 / 65536 + 7);
}

TEST(SymbolCounts, AreNeverQuickerThanTheWindowWasAtFirst) {
    SymbolCounts young(even.cumulative, {.window = 4096, .experience = 4, .quick_rate = 6});   // rates 2 and min(2, 6)
    SymbolCounts alone(even.cumulative, {.window = 4096, .experience = 4});
    young.update(3);
    alone.update(3);
    EXPECT_EQ(young.bounds().starts, alone.bounds().starts);
}

TEST(SymbolCounts, LearnFasterTheLessTheyHaveSeen) {
    SymbolCounts young(even.cumulative, {.window = 4096, .experience = 16});
    SymbolCounts old(even.cumulative, {.window = 4096, .experience = 1024});
    young.update(0);
    old.update(0);
    EXPECT_GT(count(young.bounds(), 0), count(old.bounds(), 0));
    for (int i = 0; i < 5000; ++i) young.update(static_cast<std::uint32_t>(i) % 16);   // at rate 12, as the window says
    const std::uint32_t before = count(young.bounds(), 0);
    young.update(0);
    EXPECT_LE(count(young.bounds(), 0), before + 1);
}

TEST(SymbolCounts, KeepEveryRowCodableWhateverTheySee) {
    for (const std::uint32_t row : {0u, 8u, 15u}) {
        SymbolCounts model(even.cumulative, {.window = 64, .experience = 16, .quick_rate = row});
        for (int i = 0; i < 2000; ++i) {
            model.update(row);
            expect_codable(model.bounds());
        }
        EXPECT_GT(count(model.bounds(), row), 900u);
    }
}

/// A block of which the first half is narrow and the second wide.
std::vector<Symbol> two_halves(std::size_t size) {
    std::vector<Symbol> symbols = make_symbols("zero", size / 2, 8, 1);
    const auto wide = make_symbols("uniform", size - size / 2, 6, 2);
    symbols.insert(symbols.end(), wide.begin(), wide.end());
    return symbols;
}

TEST(Adaptation, PaysWhereTheSymbolsOfABlockChange) {
    const auto symbols = two_halves(40'000);
    const auto size = [&](const CodecChoice& choice) {
        const auto codec = make_codec(choice, {.lanes = 8, .lane_values = 8192});
        const Table table = table_of(*codec, symbols, 8);
        return static_cast<double>(codec->encode(symbols, Context{.width = 8}, &table).bytes.size());
    };
    // Half of the values cost next to nothing and half 6 bits, sign included: 15,000 bytes. A fixed table tells rows of
    // both halves apart for one bit a value on top: 5,000 bytes.
    const double fixed = size(AscParams{});
    EXPECT_NEAR(fixed, 20'000, 1'000);
    for (const CodecChoice& adaptive :
         {CodecChoice(AscParams{.adapt = Update::block}), CodecChoice(AscParams{.adapt = Update::symbol}),
          CodecChoice(AacParams{}), CodecChoice(AacParams{.update = Update::symbol})})
        EXPECT_LT(size(adaptive), 0.85 * fixed) << adaptive.name();
}

TEST(Adaptation, OfAacFindsTheEntropyWithoutAnyTable) {
    const auto symbols = make_symbols("geometric", 60'000, 8, 3);
    const auto codec = make_codec(AacParams{}, Framing{});
    const Table fitting = table_of(*codec, symbols, 8);
    double ideal = 0;   // bytes under the best fixed table
    for (const Symbol v : symbols) ideal += fitting.cost(v) / 2048.0;
    const double bytes = static_cast<double>(codec->encode(symbols, Context{.width = 8}, nullptr).bytes.size());
    // 16 bytes of header and 64 lanes of 2 lengths of 13 bits, 2 bits to end and 7 bits of padding a stream at most.
    EXPECT_LT(bytes, 1.01 * ideal + 16 + 64 * (26 + 2 + 14) / 8);
}

TEST(Adaptation, WithoutUpdatesOfAacIsTheUniformCode) {
    const auto codec = make_codec(AacParams{.update = Update::none}, {.lanes = 1, .lane_values = 4096});
    // 8 bits: 8 rows can occur. 1 + floor(1008 / 8) = 127 counts each, 8 rows of one: zero costs log2(1024 / 127)
    // = 3.01 bits, but row 0 has no rest to give away (8 * 127 + 8 = 1024).
    const Encoded encoded = codec->encode(std::vector<Symbol>(4000, 0), Context{.width = 8}, nullptr);
    EXPECT_NEAR(static_cast<double>(encoded.bytes.size()), 4000 * 3.0113 / 8 + 16 + 4, 2);
}

/// Tables that the lanes take up in each block of `symbols` in 4 lanes of 100 values, as all three tell: the encoder,
/// the decoder and the computed sizes.
std::vector<std::uint64_t> tables_of_blocks(const CodecChoice& choice, std::size_t symbols, std::uint32_t classes) {
    const auto codec = make_codec(choice, Framing{.lanes = 4, .lane_values = 100, .min_lane_values = 1});
    const std::vector<Symbol> values(symbols, 1);
    const std::vector<const Table*> by_class(classes, &even);
    std::vector<std::uint8_t> of_class(symbols);
    for (std::size_t i = 0; i < symbols; ++i) of_class[i] = static_cast<std::uint8_t>(i % classes);
    const Tables tables(by_class, of_class);
    const Context context{.width = 8};
    const Encoded encoded = codec->encode(values, context, tables);
    std::vector<Symbol> decoded(symbols);
    EXPECT_EQ(codec->decode(encoded.bytes, context, tables, decoded), encoded.blocks);
    std::vector<std::uint64_t> result;
    const std::vector<Block> sized = codec->sized_blocks(values, context, tables);
    for (std::size_t b = 0; b < encoded.blocks.size(); ++b) {
        EXPECT_EQ(encoded.blocks[b].mode, BlockMode::coded);
        EXPECT_EQ(sized.at(b).work.tables, encoded.blocks[b].work.tables);
        result.push_back(encoded.blocks[b].work.tables);
    }
    return result;
}

TEST(TablesTakenUp, AreThoseOfAllClassesOnceABlockWhereEachValueMovesThem) {
    const AscParams by_symbol{.adapt = Update::symbol};
    EXPECT_EQ(tables_of_blocks(by_symbol, 1000, 1), (std::vector<std::uint64_t>{1, 1, 1}));
    EXPECT_EQ(tables_of_blocks(by_symbol, 1000, 8), (std::vector<std::uint64_t>{8, 8, 8}));
}

TEST(TablesTakenUp, AreThoseOfAllClassesInEachIntervalWhereLanesCountTogether) {
    // Blocks of 100, 100 and 50 values a lane.
    const AscParams by_block{.adapt = Update::block, .adapt_interval = 30};
    EXPECT_EQ(tables_of_blocks(by_block, 1000, 1), (std::vector<std::uint64_t>{4, 4, 2}));
    EXPECT_EQ(tables_of_blocks(by_block, 1000, 3), (std::vector<std::uint64_t>{12, 12, 6}));
    const AscParams of_50{.adapt = Update::block, .adapt_interval = 50};
    EXPECT_EQ(tables_of_blocks(of_50, 1000, 1), (std::vector<std::uint64_t>{2, 2, 1}));
}

TEST(TablesTakenUp, AreNoneWhereTablesStay) {
    EXPECT_EQ(tables_of_blocks(AscParams{}, 1000, 8), (std::vector<std::uint64_t>{0, 0, 0}));
    EXPECT_EQ(tables_of_blocks(RansParams{}, 1000, 1), (std::vector<std::uint64_t>{0, 0, 0}));
}

TEST(Rounds, TakeAsLongAsTheSlowestLaneOfEach) {
    struct Model {
        std::uint32_t interval() const { return 2; }
        void synchronise() { ++rounds; }
        int rounds = 0;
    } model;
    // 7 symbols on 2 lanes: rounds of 4 and 3. Lane 0 stalls 5 cycles in the first, lane 1 3 cycles in the second.
    std::array<LaneWork, 2> lanes{};
    const CodingCost work = run_rounds(7, 2, model, [&](std::size_t lane, LanePart part) {
        lanes[lane].values += (part.last - part.first + 1) / 2;
        if (lane == 0 && part.last == 4) lanes[lane].stalls += 5;
        if (lane == 1 && part.last == 7) lanes[lane].stalls += 3;
        return lanes[lane];
    });
    EXPECT_EQ(model.rounds, 2);
    EXPECT_EQ(
        work,
        (CodingCost{.values = 7, .sub_stream_slots = (2 + 5) + (1 + 3), .stalls = 8, .offset_bits = 0, .searches = 4}));
}

}   // namespace
}   // namespace oscar::adaptation_test

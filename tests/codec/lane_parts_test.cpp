// Scalar parts of the vector forms of the lanes' coders: packers, padded streams, bounds and rounds.
#include <gtest/gtest.h>

#include <random>

#include "models/codec/entropy/lane_bounds.hpp"
#include "models/codec/entropy/lane_packer.hpp"
#include "models/codec/entropy/lane_padding.hpp"
#include "models/codec/entropy/lane_rounds.hpp"
#include "tests/codec/lane_cases.hpp"

namespace oscar::lane_parts_test {
namespace {

constexpr std::size_t lanes = 8;

std::string bytes_of(const StreamBuffer& buffer, std::size_t lane, std::uint32_t bits) {
    return hex(std::span(buffer.bytes(lane), bytes_for(bits)));
}

TEST(PackerState, WritesTheBytesOfBitWriterInEachLane) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        StreamBuffer buffer(lanes, 100 * 32);
        PackerState<lanes> state;
        for (std::size_t lane = 0; lane < lanes; ++lane) state.next[lane] = buffer.begin(lane);
        std::vector<std::vector<std::byte>> expected(lanes);
        std::vector<BitWriter> writers(expected.begin(), expected.end());
        for (int i = 0; i < 100; ++i)
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                const auto bits = static_cast<std::uint32_t>(1 + random() % 32);
                const auto value = static_cast<std::uint32_t>(random()) & low_mask(bits);
                state.put(lane, buffer.words(), value, bits);
                writers[lane].put(value, bits);
            }
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const std::uint32_t bits = state.finish(lane, buffer.words(), buffer.begin(lane));
            EXPECT_EQ(bits, writers[lane].finish());
            EXPECT_EQ(bytes_of(buffer, lane, bits), hex(expected[lane]));
        }
    }
}

TEST(PackerState, WritesABitAndItsOppositesHoweverMany) {
    for (const std::uint32_t bit : {0u, 1u})
        for (const std::uint32_t opposites : {0u, 1u, 30u, 31u, 32u, 62u, 63u, 200u}) {
            StreamBuffer buffer(1, opposites + 1);
            PackerState<lanes> state;
            state.put_with_follow_bits(0, buffer.words(), bit, opposites);
            const std::uint32_t bits = state.finish(0, buffer.words(), 0);
            ASSERT_EQ(bits, opposites + 1);
            BitReader reader(std::span(buffer.bytes(0), bytes_for(bits)));
            EXPECT_EQ(reader.get(1), bit);
            for (std::uint32_t i = 0; i < opposites; ++i) ASSERT_EQ(reader.get(1), 1 - bit) << i;
            EXPECT_TRUE(reader.skip_padding());
        }
}

TEST(StreamBuffer, HasAnOddNumberOfCacheLinesForEachStream) {
    for (const std::uint64_t bits : {0u, 1u, 31u, 32u, 511u, 512u, 513u, 1024u, 12'290u}) {
        EXPECT_EQ(StreamBuffer::words_for(bits) % 32, 16u) << bits;   // a line is 16 words
        EXPECT_GT(32 * StreamBuffer::words_for(bits), bits);          // and a last word always fits
        EXPECT_LE(StreamBuffer::words_for(bits), bits / 32 + 32) << bits;
    }
    const StreamBuffer buffer(3, 100);
    EXPECT_EQ(buffer.begin(2), 2 * StreamBuffer::words_for(100));
}

TEST(PaddedStreams, FollowEachOtherWith32ZeroBitsBehindEach) {
    const std::vector<std::byte> given{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}, std::byte{5}};
    const std::span<const std::byte> bytes(given);
    const std::vector<LaneInput> inputs{{bytes.first(2), bytes.subspan(2, 1)}, {bytes.subspan(3), {}}};
    const PaddedStreams streams(inputs);
    EXPECT_EQ(hex(std::span(streams.bytes(), 5 + 4 * 4)),
              "01 02 00 00 00 00 03 00 00 00 00 04 05 00 00 00 00 00 00 00 00");
    EXPECT_EQ(streams.symbols(1).begin, 11u);
    EXPECT_EQ(streams.symbols(1).end, 13u);
    EXPECT_EQ(streams.offsets(1).begin, streams.offsets(1).end);   // it has none, and zeros all the same
    EXPECT_EQ(streams.first_16_bits(streams.symbols(0)), 0x0102u);
    EXPECT_EQ(streams.first_16_bits(streams.offsets(0)), 0x0300u);
    EXPECT_EQ(streams.first_16_bits(streams.offsets(1)), 0u);
}

/// The bounds of symbol i of a block by the portable models and in the array for vectors, over a whole block.
template <class Bounds>
void expect_equal_bounds(const test::LaneCase& c, Bounds bounds) {
    with_model(c.tables(), c.adaptation, c.lanes, [&](auto model) {
        EXPECT_EQ(bounds.interval(), model.interval());
        return run_rounds(c.symbols.size(), c.lanes, model, [&](std::size_t lane, LanePart part) {
            if (lane == 0 && part.first > 0) bounds.synchronise();   // as the model at the end of the round before
            for (std::size_t i = part.first; i < part.last; i += c.lanes) {
                const std::size_t k = c.owned.size() > 1 ? c.of_class[i] : 0;
                const std::int32_t* const starts =
                    bounds.starts() + k * bounds.strides().by_class + lane * bounds.strides().by_lane;
                for (std::uint32_t row = 0; row < table_rows; ++row) {
                    EXPECT_EQ(static_cast<std::uint32_t>(starts[row]), model.bounds(lane, i).below(row));
                    EXPECT_EQ(static_cast<std::uint32_t>(starts[row + 1]), model.bounds(lane, i).above(row));
                }
                const std::uint32_t row = model.table(i).locate(c.symbols[i]).row;
                model.update(lane, i, row);
                if constexpr (std::is_same_v<Bounds, BlockBounds>) bounds.update(k, lane, row);
                if constexpr (std::is_same_v<Bounds, SymbolBounds>) bounds.of(k, lane).update(row);
            }
            return LaneWork{};
        });
    });
}

TEST(LaneBounds, AreThoseOfTheModelsForEachClassAndLane) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const test::LaneCase c(seed);
        if (c.symbols.size() > 2000) continue;
        SCOPED_TRACE(c.text());
        with_bounds(c.tables(), c.adaptation, c.lanes, [&](auto bounds) {
            expect_equal_bounds(c, std::move(bounds));
            return 0;
        });
    }
}

TEST(SymbolCounts, GiveKernelsTheNumbersThatUpdateMoves) {
    for (const std::uint32_t quick_rate : {0u, 4u}) {
        const Adaptation adaptation{.update = Update::symbol, .window = 64, .experience = 8, .quick_rate = quick_rate};
        SymbolCounts whole(test::even_counts(), adaptation), parts = whole;
        EXPECT_EQ(parts.numbers().quick == nullptr, quick_rate == 0);   // both sets of bounds are the same
        for (std::uint32_t i = 0; i < 200; ++i) {
            const std::uint32_t row = i * i % table_rows;
            const std::uint32_t seen = std::min(8 + i, 64u);
            const auto [steady_rate, fast_rate] = parts.next_rates();
            EXPECT_EQ(steady_rate, std::bit_width(seen) - 1);
            EXPECT_EQ(fast_rate, quick_rate == 0 ? steady_rate : std::min(steady_rate, 4));
            const auto [steady, quick, starts] = parts.numbers();
            for (std::uint32_t k = 0; k < table_rows; ++k) {
                const std::int32_t target = k > row ? SymbolCounts::one : 0;
                steady[k] += (target - steady[k]) >> steady_rate;
                if (quick != nullptr) quick[k] += (target - quick[k]) >> fast_rate;
                const std::int32_t place = quick != nullptr ? (steady[k] + quick[k]) / 2 : steady[k];
                starts[k] = place * 1008 / SymbolCounts::one + static_cast<std::int32_t>(k);
            }
            whole.update(row);
            ASSERT_EQ(parts.bounds().starts, whole.bounds().starts) << i;
        }
    }
}

TEST(Rounds, OfAllLanesCountTheSlowestOfEach) {
    struct Model {
        std::uint32_t interval() const { return 3; }
        void synchronise() { ++rounds; }
        int rounds = 0;
    } model;
    // 16 symbols on 4 lanes: rounds of 12 and 4. Lane k stalls k cycles in the first, lane 0 9 cycles in the second.
    const CodingCost work = run_rounds_of_all(16, 4, model, [&](LanePart part, std::span<LaneWork> done) {
        for (std::size_t lane = 0; lane < 4; ++lane) {
            done[lane].values += (part.last - part.first) / 4;
            done[lane].stalls += part.first == 0 ? lane : lane == 0 ? 9 : 0;
            done[lane].offset_bits += 5;
        }
    });
    EXPECT_EQ(model.rounds, 2);
    EXPECT_EQ(work, (CodingCost{.values = 16,
                                .sub_stream_slots = (3 + 3) + (1 + 9),
                                .stalls = 0 + 1 + 2 + 3 + 9,
                                .offset_bits = 2 * 4 * 5,
                                .searches = 4}));
}

}   // namespace
}   // namespace oscar::lane_parts_test

// Lanes of rANS in RTL beside encode_rows() and decode_rows(). A lane with k streams is k lanes of the model. Seeds are
// printed.
#include <gtest/gtest.h>

#include <optional>

#include "RansDecoderLane1x1.h"
#include "RansDecoderLane2x3.h"
#include "RansDecoderLane4x1.h"
#include "RansEncoderLane1x1.h"
#include "RansEncoderLane2x3.h"
#include "RansEncoderLane4x1.h"
#include "RansEncoderLane4x1ranges.h"
#include "models/codec/entropy/rans_rows.hpp"
#include "tests/engine/rtl/lane_bench.hpp"

namespace oscar::rans_lane_test {
namespace {

template <class EncoderModule, class DecoderModule, std::uint32_t streams_, std::uint32_t classes_,
          Layout layout_ = Layout::magnitude>
struct Variant {
    using Encoder = EncoderModule;
    using Decoder = DecoderModule;
    static constexpr std::uint32_t streams = streams_, classes = classes_;
    static constexpr Layout layout = layout_;
};
struct VariantName {
    template <class V>
    static std::string GetName(int) {
        return std::to_string(V::streams) + "x" + std::to_string(V::classes) +
               (V::layout == Layout::ranges ? "_ranges" : "");
    }
};

/// Symbols, their rows, and what the model makes of them.
template <class V>
struct Coded {
    Coded(std::mt19937_64& random, std::size_t size, bool as_expected) {
        const auto width = static_cast<std::uint32_t>(V::layout == Layout::ranges ? 8 : 4 + random() % 29);
        for (std::uint32_t c = 0; c < V::classes; ++c) tables.push_back(test::random_table(random, V::layout, width));
        for (std::size_t i = 0; i < size; ++i) {
            classes.push_back(static_cast<std::uint8_t>(random() % V::classes));
            const Table& table = tables[classes.back()];
            symbols.push_back(test::random_symbol(random, table, as_expected));
            places.push_back(table.locate(symbols.back()));
            rows.push_back(static_cast<std::uint8_t>(places.back().row));
        }
        for (std::uint32_t s = 0; s < V::streams; ++s)
            begins.push_back(rans_floor + static_cast<std::uint32_t>(random() % rans_floor));
        for (const Table& table : tables) by_class.push_back(&table);
        streams = encode_rows(rows, begins, V::classes == 1 ? Tables(&tables[0]) : Tables(by_class, classes));
    }
    std::vector<Table> tables;
    std::vector<Symbol> symbols;
    std::vector<std::uint8_t> classes, rows;
    std::vector<Located> places;
    std::vector<std::uint32_t> begins;   ///< states of the encoders
    std::vector<const Table*> by_class;
    RansStreams streams;
};

template <class V, class Module>
void set_tables(Clocked<Module>& lane, const Coded<V>& coded) {
    for (std::size_t c = 0; c < V::classes; ++c)
        for (std::size_t k = 0; k <= table_rows; ++k)
            set_bits(lane->cumulative, (c * (table_rows + 1) + k) * 11, 11, coded.tables[c].cumulative[k]);
}

/// The symbol of each slot, the last one first; some rounds are empty, and the lane is so at the end.
template <class V>
std::vector<std::optional<std::size_t>> slots_from_the_end(std::size_t size, std::mt19937_64& random) {
    std::vector<std::optional<std::size_t>> slots;
    for (std::size_t end = (size + V::streams - 1) / V::streams * V::streams; end > 0;) {
        if (random() % 8 == 0) slots.resize(slots.size() + V::streams);
        for (std::uint32_t s = 0; s < V::streams; ++s, --end)
            slots.push_back(end <= size ? std::optional(end - 1) : std::nullopt);
    }
    slots.resize(slots.size() + 4 * V::streams);
    return slots;
}

template <class V>
void expect_encoder(const Coded<V>& coded, std::mt19937_64& random) {
    Clocked<typename V::Encoder> lane;
    lane.reset();
    set_tables<V>(lane, coded);
    lane->width = static_cast<CData>(coded.tables[0].width);
    for (std::size_t c = 0; c < V::classes; ++c)
        for (std::size_t row = 0; row < table_rows; ++row) {
            const Table& table = coded.tables[c];
            const std::size_t at = c * table_rows + row;
            const Reciprocal count(table.count(row));
            set_bits(lane->factors, 32 * at, 32, count.factor);
            set_bits(lane->shifts, 4 * at, 4, count.shift);
            set_bits(lane->offset_bits, 6 * at, 6, table.offset_bits[row]);
            if (V::layout == Layout::ranges)
                set_bits(lane->first_pattern, 32 * at, 32,
                         row > 0 && table.first[row] == 0 ? 0xFFFFFFFF : table.first[row]);
        }
    std::vector<std::uint16_t> words;
    std::vector<std::uint32_t> states = coded.begins;
    std::vector<bool> begun(V::streams);
    for (const auto& symbol : slots_from_the_end<V>(coded.symbols.size(), random)) {
        lane->in_valid = symbol.has_value();
        if (symbol) {
            const std::size_t stream = *symbol % V::streams;
            lane->in_stream = static_cast<CData>(stream);
            lane->in_first = !begun[stream];
            lane->in_state = coded.begins[stream];
            lane->in_class = coded.classes[*symbol];
            lane->in_symbol = static_cast<std::uint32_t>(coded.symbols[*symbol]);
            begun[stream] = true;
        }
        lane.tick();
        ASSERT_EQ(lane->offset_valid, symbol.has_value());
        if (symbol) {
            ASSERT_EQ(lane->offset, coded.places[*symbol].offset);
            ASSERT_EQ(lane->offset_length, coded.tables[coded.classes[*symbol]].offset_bits[coded.rows[*symbol]]);
        }
        if (lane->out_emits) words.push_back(lane->out_word);
        if (lane->out_valid) states[lane->out_stream] = lane->out_state;
    }
    std::ranges::reverse(words);   // the last symbol was coded first
    ASSERT_EQ(words, coded.streams.words);
    ASSERT_EQ(states, coded.streams.states);
}

template <class V>
void expect_decoder(const Coded<V>& coded, std::mt19937_64& random) {
    Clocked<typename V::Decoder> lane;
    lane.reset();
    set_tables<V>(lane, coded);
    std::vector<std::uint8_t> rows;
    std::vector<std::uint32_t> states = coded.streams.states;
    std::size_t next = 0, given = 0;
    for (std::uint64_t edge = 0; rows.size() < coded.rows.size() && edge < 20 * coded.rows.size() + 100; ++edge) {
        lane->enable = random() % 4 != 0;
        lane->in_valid = given < coded.rows.size();
        if (lane->in_valid) {
            const std::size_t stream = given % V::streams;
            lane->in_stream = static_cast<CData>(stream);
            lane->in_first = given < V::streams;
            lane->in_state = coded.streams.states[stream];
            lane->in_class = coded.classes[given];
        }
        lane->word = next < coded.streams.words.size() ? coded.streams.words[next] : 0;
        lane.settle();
        const bool takes = lane->take, moves = lane->enable;
        lane.tick();
        next += takes;
        given += moves && lane->in_valid;
        if (!moves || !lane->out_valid) continue;
        rows.push_back(lane->out_row);
        states[lane->out_stream] = lane->out_state;
    }
    ASSERT_EQ(rows, coded.rows);
    ASSERT_EQ(next, coded.streams.words.size()) << "words are used up";
    ASSERT_EQ(states, coded.begins);
}

template <class V>
class ARansLane : public ::testing::Test {};
using Variants = ::testing::Types<Variant<RansEncoderLane1x1, RansDecoderLane1x1, 1, 1>,
                                  Variant<RansEncoderLane2x3, RansDecoderLane2x3, 2, 3>,
                                  Variant<RansEncoderLane4x1, RansDecoderLane4x1, 4, 1>,
                                  Variant<RansEncoderLane4x1ranges, RansDecoderLane4x1, 4, 1, Layout::ranges>>;
TYPED_TEST_SUITE(ARansLane, Variants, VariantName);

TYPED_TEST(ARansLane, WritesTheWordsOfTheModelAndEndsInItsStates) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        expect_encoder<TypeParam>(Coded<TypeParam>(random, 1 + random() % 2000, seed % 3 != 0), random);
        if (::testing::Test::HasFatalFailure()) return;
    }
}

TYPED_TEST(ARansLane, ReadsTheRowsOfTheModelAndEndsWhereItsEncoderBegan) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        expect_decoder<TypeParam>(Coded<TypeParam>(random, 1 + random() % 2000, seed % 3 != 0), random);
        if (::testing::Test::HasFatalFailure()) return;
    }
}

}   // namespace
}   // namespace oscar::rans_lane_test

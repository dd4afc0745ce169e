// The engine in RTL, its link led back to itself: blocks are encoded, decoded, and added to local values.
#include <gtest/gtest.h>

#include "EngineTop4x1x1.h"
#include "EngineTop4x4x2.h"
#include "EngineTop8x2x3.h"
#include "models/codec/learning/row_learning.hpp"
#include "tests/engine/rtl/array_bench.hpp"

namespace oscar::engine_top_test {
namespace {

using test::ArrayVariant;
using test::Message;
using Variants = ::testing::Types<ArrayVariant<EngineTop4x1x1, 4, 1, 1>, ArrayVariant<EngineTop8x2x3, 8, 2, 3>,
                                  ArrayVariant<EngineTop4x4x2, 4, 4, 2>>;

/// Edges that the laws of latency speak of.
struct Edges {
    std::uint64_t last_symbols = 0, first_beat = 0, last_beat = 0, last_sums = 0, loaded = 0;
};

template <class Port>
void set_classes(Port& port, const test::SlotBeat& beat, std::uint32_t bits) {
    std::uint64_t classes = 0;
    for (std::size_t l = 0; l < beat.classes.size(); ++l) classes |= std::uint64_t{beat.classes[l]} << bits * l;
    port = static_cast<Port>(classes);
}

template <class V>
class LedBack {
public:
    LedBack() { engine_.reset(); }
    void write(std::span<const Table> tables) {
        engine_->encode_width = engine_->decode_width = static_cast<CData>(tables[0].width);
        engine_->encode_table_width = engine_->decode_table_width = engine_->encode_width;
        for (std::size_t c = 0; c < tables.size(); ++c)
            for (std::size_t k = 0; k <= table_rows; ++k) write(c, k, tables[c].cumulative[k]);
    }
    /// Sums of the symbols of a message and their places.
    std::vector<std::uint32_t> pass(const Message<V>& message) {
        std::deque<test::SlotBeat> beats;
        for (const Block& block : message.encoded.blocks)
            for (auto& beat : test::slots_of(message, block)) beats.push_back(std::move(beat));
        std::deque<test::SlotBeat> classes = beats;
        std::size_t encoded = 0, decoded = 0, done = 0;
        const std::vector<Block>& blocks = message.encoded.blocks;
        std::vector<std::uint32_t> sums;
        for (std::uint64_t i = 0; done < blocks.size() && i < 100000; ++i) {
            engine_->encode_block_valid = encoded < blocks.size();
            if (encoded < blocks.size())
                announce(message, blocks[encoded], engine_->encode_block_header, engine_->encode_block_sub_streams,
                         engine_->encode_block_slots);
            engine_->decode_block_valid = decoded < blocks.size();
            if (decoded < blocks.size())
                announce(message, blocks[decoded], engine_->decode_block_header, engine_->decode_block_sub_streams,
                         engine_->decode_block_slots);
            engine_->encode_in_valid = !beats.empty();
            if (!beats.empty()) put(beats.front());
            engine_->decode_class_valid = !classes.empty();
            if (!classes.empty()) set_classes(engine_->decode_in_classes, classes.front(), V::class_bits);
            engine_->decode_local_valid = engine_->decode_out_ready = 1;
            for (std::size_t l = 0; l < V::lanes; ++l)
                set_bits(engine_->decode_local_values, 32 * l, 32, static_cast<std::uint32_t>(l));
            lead_back();
            EXPECT_FALSE(engine_->decode_error);
            EXPECT_FALSE(engine_->encode_refused);
            if (engine_->decode_out_valid) {
                for (std::size_t l = 0; l < engine_->decode_out_count; ++l)
                    sums.push_back(bits(engine_->decode_out_sums, 32 * l, 32));
                done += engine_->decode_out_last;
                edges.last_sums = engine_.cycles();
            }
            if (engine_->decode_loaded) edges.loaded = engine_.cycles();
            if (engine_->encode_tvalid && edges.first_beat == 0) edges.first_beat = engine_.cycles();
            const bool beat = engine_->decode_tvalid && engine_->decode_tready;
            encoded += engine_->encode_block_valid && engine_->encode_block_ready;
            decoded += engine_->decode_block_valid && engine_->decode_block_ready;
            const bool taken = engine_->encode_in_valid && engine_->encode_in_ready;
            const bool classed = engine_->decode_class_valid && engine_->decode_class_ready;
            engine_.tick();
            if (beat) edges.last_beat = engine_.cycles();
            if (classed) classes.pop_front();
            if (!taken) continue;
            edges.last_symbols = engine_.cycles();
            beats.pop_front();
        }
        EXPECT_EQ(done, blocks.size()) << "the engine hangs";
        engine_->encode_in_valid = engine_->encode_block_valid = engine_->decode_block_valid = 0;
        return sums;
    }
    /// The counts of a class at both ends, which are equal.
    Counts counts(std::size_t of) {
        for (int i = 0; i < 3; ++i) engine_.tick();   // the last beat is still on its way to the counters
        Counts result;
        for (std::size_t row = 0; row < table_rows; ++row) {
            engine_->counts_class = static_cast<CData>(of);
            engine_->counts_row = static_cast<CData>(row);
            engine_.settle();
            EXPECT_EQ(engine_->encode_count, engine_->decode_count);
            result.push_back(engine_->encode_count);
        }
        return result;
    }
    /// Leads counts of a class through the table unit to the registers of both arrays. Returns the table.
    Cumulative learn(std::size_t of, const Counts& counts) {
        Cumulative table{};
        for (const std::uint64_t count : counts) {
            engine_->make_valid = 1;
            engine_->make_count = static_cast<IData>(count);
            EXPECT_TRUE(engine_->make_ready);
            engine_.tick();
        }
        engine_->make_valid = 0;
        for (int i = 0; i < 1000 && table.back() == 0; ++i) {
            engine_->made_ready = engine_->made_valid;
            if (!engine_->made_valid) {
                engine_.tick();
                continue;
            }
            table.at(engine_->made_entry) = engine_->made_count;
            write(of, engine_->made_entry, engine_->made_count);
        }
        engine_->made_ready = 0;
        return table;
    }
    void clear_counts() {
        engine_->encode_counts_clear = engine_->decode_counts_clear = 1;
        engine_.tick();
        engine_->encode_counts_clear = engine_->decode_counts_clear = 0;
    }
    Edges edges;

private:
    void write(std::size_t of, std::size_t entry, std::uint32_t count) {
        engine_->encode_table_write_valid = engine_->decode_table_write_valid = 1;
        engine_->table_write_class = static_cast<CData>(of);
        engine_->table_write_entry = static_cast<CData>(entry);
        engine_->table_write_count = static_cast<SData>(count);
        engine_.tick();
        engine_->encode_table_write_valid = engine_->decode_table_write_valid = 0;
    }
    void put(const test::SlotBeat& beat) {
        for (std::size_t l = 0; l < beat.symbols.size(); ++l)
            set_bits(engine_->encode_in_symbols, 32 * l, 32, static_cast<std::uint32_t>(beat.symbols[l]));
        set_classes(engine_->encode_in_classes, beat, V::class_bits);
    }
    void lead_back() {
        engine_.settle();
        engine_->decode_tdata = engine_->encode_tdata;
        engine_->decode_tkeep = engine_->encode_tkeep;
        engine_->decode_tvalid = engine_->encode_tvalid;
        engine_->decode_tlast = engine_->encode_tlast;
        engine_.settle();
        engine_->encode_tready = engine_->decode_tready;
        engine_.settle();
    }
    template <class Header>
    static void announce(const Message<V>& message, const Block& block, Header& header, CData& sub_streams,
                         SData& slots) {
        for (std::size_t k = 0; k < 12; ++k)
            set_bits(header, 8 * k, 8, std::to_integer<std::uint32_t>(message.bytes(block)[k]));
        sub_streams = static_cast<CData>(message.sub_streams(block));
        slots = static_cast<SData>(message.slots(block));
    }
    Clocked<typename V::Module> engine_;
};

template <class V>
std::vector<std::uint32_t> sums_of(const Message<V>& message) {
    std::vector<std::uint32_t> sums;
    for (const Block& block : message.encoded.blocks)
        for (const auto& beat : test::slots_of(message, block))
            for (std::size_t l = 0; l < beat.symbols.size(); ++l)
                sums.push_back(static_cast<std::uint32_t>(beat.symbols[l]) + static_cast<std::uint32_t>(l));
    return sums;
}

template <class V>
Counts counts_of(const Message<V>& message, std::size_t of) {
    std::vector<Symbol> symbols;
    for (std::size_t i = 0; i < message.symbols.size(); ++i)
        if (message.classes[i] == of) symbols.push_back(message.symbols[i]);
    Counts counts(table_rows);
    learn_rows(Layout::magnitude, symbols, message.context.width, counts);
    return counts;
}

template <class V>
class AnEngine : public ::testing::Test {};
TYPED_TEST_SUITE(AnEngine, Variants, test::VariantName);

TYPED_TEST(AnEngine, DecodesWhatItEncodes) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        const Message<TypeParam> message(random, static_cast<std::uint32_t>(1 + random() % 2000), seed % 4 != 0);
        LedBack<TypeParam> engine;
        engine.write(message.tables);
        ASSERT_EQ(engine.pass(message), sums_of(message));
    }
}

/// Counts of the first message become the tables of the second, at both ends, and no table was sent.
TYPED_TEST(AnEngine, LearnsTheTablesOfTheNextMessageFromTheSymbolsOfTheLast) {
    std::size_t raw = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        Message<TypeParam> message(random, static_cast<std::uint32_t>(500 + random() % 2000), seed % 4 != 0);
        LedBack<TypeParam> engine;
        engine.write(message.tables);
        ASSERT_EQ(engine.pass(message), sums_of(message));
        for (const Block& block : message.encoded.blocks) raw += block.mode == BlockMode::raw;
        for (std::size_t c = 0; c < TypeParam::classes; ++c) {
            const Counts counted = engine.counts(c), expected = counts_of(message, c);
            ASSERT_EQ(counted, expected);
            message.tables[c] = table_of_counts(Layout::magnitude, expected, message.context.width);
            ASSERT_EQ(engine.learn(c, counted), message.tables[c].cumulative);
        }
        message.encode(false);
        engine.clear_counts();
        ASSERT_EQ(engine.pass(message), sums_of(message));
        for (std::size_t c = 0; c < TypeParam::classes; ++c) ASSERT_EQ(engine.counts(c), counts_of(message, c));
    }
    EXPECT_GT(raw, 0u) << "their symbols count as well";
}

/// The defaults of encode_latency and decode_latency (models/engine/engine_params.hpp). The header and the lengths of a
/// block of four lanes are less than 64 bytes: a beat begins with the first chunk, but is full, and valid, one or more
/// cycles later. The decoder's latency is that of a block whose last beat holds the end of one sub-stream alone.
TEST(AnEngineOfOneStream, HasTheLatenciesOfTheModel) {
    using Engine = ArrayVariant<EngineTop4x1x1, 4, 1, 1>;
    std::size_t blocks = 0, exact = 0;
    for (std::uint64_t seed = 0; seed < 80; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        const Message<Engine> message(random, 256, true);
        const Block& block = message.encoded.blocks[0];
        if (block.mode == BlockMode::raw || block.work.stalls > 0) continue;
        LedBack<Engine> engine;
        engine.write(message.tables);
        engine.pass(message);
        const Edges& edges = engine.edges;
        EXPECT_GE(edges.first_beat, edges.last_symbols + 12);
        EXPECT_LE(edges.first_beat, edges.last_symbols + 12 + 4);   // header, then at most a chunk of each lane
        const std::uint64_t waited = edges.loaded - (edges.last_beat + 1);   // chunks before the last
        EXPECT_EQ(edges.last_sums, edges.last_beat + message.slots(block) + 18 + waited);
        exact += waited == 0;
        ++blocks;
    }
    EXPECT_GT(blocks, 20u);
    EXPECT_GT(exact, 5u);
}

}   // namespace
}   // namespace oscar::engine_top_test

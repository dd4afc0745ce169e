// The engine in RTL, its link led back to itself: blocks are encoded, decoded, and added to local values.
#include <gtest/gtest.h>

#include "EngineTop4.h"
#include "tests/engine/rtl/array_bench.hpp"

namespace oscar::engine_top_test {
namespace {

using Engine = test::ArrayVariant<EngineTop4, 4, 1, 1>;
using Message = test::Message<Engine>;

/// Edges that the laws of latency speak of.
struct Edges {
    std::uint64_t last_symbols = 0, first_beat = 0, last_beat = 0, last_sums = 0, loaded = 0;
};

class LedBack {
public:
    explicit LedBack(std::span<const Table> tables) {
        test::reset(engine_);
        engine_->encode_width = engine_->decode_width = static_cast<CData>(tables[0].width);
        engine_->encode_table_width = engine_->decode_table_width = engine_->encode_width;
        engine_->encode_table_write_valid = engine_->decode_table_write_valid = 1;
        for (std::size_t k = 0; k <= table_rows; ++k) {
            engine_->table_write_entry = static_cast<CData>(k);
            engine_->table_write_count = tables[0].cumulative[k];
            engine_.tick();
        }
        engine_->encode_table_write_valid = engine_->decode_table_write_valid = 0;
    }
    /// Sums of the symbols of a message and their places.
    std::vector<std::uint32_t> pass(const Message& message) {
        std::deque<test::SlotBeat> beats;
        for (const Block& block : message.encoded.blocks)
            for (auto& beat : test::slots_of(message, block)) beats.push_back(std::move(beat));
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
            for (std::size_t l = 0; l < Engine::lanes && !beats.empty(); ++l)
                if (l < beats.front().symbols.size())
                    set_bits(engine_->encode_in_symbols, 32 * l, 32,
                             static_cast<std::uint32_t>(beats.front().symbols[l]));
            engine_->decode_class_valid = engine_->decode_local_valid = engine_->decode_out_ready = 1;
            for (std::size_t l = 0; l < Engine::lanes; ++l)
                set_bits(engine_->decode_local_values, 32 * l, 32, static_cast<std::uint32_t>(l));
            engine_.settle();
            engine_->decode_tdata = engine_->encode_tdata;
            engine_->decode_tkeep = engine_->encode_tkeep;
            engine_->decode_tvalid = engine_->encode_tvalid;
            engine_->decode_tlast = engine_->encode_tlast;
            engine_.settle();
            engine_->encode_tready = engine_->decode_tready;
            engine_.settle();
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
            engine_.tick();
            if (beat) edges.last_beat = engine_.cycles();
            if (!taken) continue;
            edges.last_symbols = engine_.cycles();
            beats.pop_front();
        }
        EXPECT_EQ(done, blocks.size()) << "the engine hangs";
        return sums;
    }
    Edges edges;

private:
    template <class Header>
    static void announce(const Message& message, const Block& block, Header& header, CData& sub_streams, SData& slots) {
        for (std::size_t k = 0; k < 12; ++k)
            set_bits(header, 8 * k, 8, std::to_integer<std::uint32_t>(message.bytes(block)[k]));
        sub_streams = static_cast<CData>(message.sub_streams(block));
        slots = static_cast<SData>(message.slots(block));
    }
    Clocked<EngineTop4> engine_;
};

std::vector<std::uint32_t> sums_of(const Message& message) {
    std::vector<std::uint32_t> sums;
    for (const Block& block : message.encoded.blocks)
        for (const auto& beat : test::slots_of(message, block))
            for (std::size_t l = 0; l < beat.symbols.size(); ++l)
                sums.push_back(static_cast<std::uint32_t>(beat.symbols[l]) + static_cast<std::uint32_t>(l));
    return sums;
}

TEST(RtlEngine, DecodesWhatItEncodes) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        const Message message(random, static_cast<std::uint32_t>(1 + random() % 2000), seed % 4 != 0);
        LedBack engine(message.tables);
        ASSERT_EQ(engine.pass(message), sums_of(message));
    }
}

/// The defaults of encode_latency and decode_latency (models/engine/engine_params.hpp). The header and the lengths of a
/// block of four lanes are less than 64 bytes: a beat begins with the first chunk, but is full, and valid, one or more
/// cycles later. The decoder's latency is that of a block whose last beat holds the end of one sub-stream alone.
TEST(RtlEngine, HasTheLatenciesOfTheModel) {
    std::size_t blocks = 0, exact = 0;
    for (std::uint64_t seed = 0; seed < 80; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        const Message message(random, 256, true);
        const Block& block = message.encoded.blocks[0];
        if (block.mode == BlockMode::raw || block.work.stalls > 0) continue;
        LedBack engine(message.tables);
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

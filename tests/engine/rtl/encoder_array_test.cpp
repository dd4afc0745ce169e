// The encoder array against the codec of the model: the bytes of whole blocks, and cycles. Seeds are printed.
#include <gtest/gtest.h>

#include "EncoderArray16x1.h"
#include "EncoderArray4x1.h"
#include "EncoderArray4x4.h"
#include "EncoderArray8x2.h"
#include "models/codec/kinds/codecs.hpp"
#include "models/codec/message/block_header.hpp"
#include "models/codec/message/inline_table.hpp"
#include "tests/engine/rtl/lane_bench.hpp"

namespace oscar::encoder_array_test {
namespace {

template <class ArrayModule, std::uint32_t lanes_, std::uint32_t streams_, std::uint32_t classes_>
struct Variant {
    using Module = ArrayModule;
    static constexpr std::uint32_t lanes = lanes_, streams = streams_, classes = classes_;
    static constexpr Layout layout = Layout::magnitude;
};
using Variants = ::testing::Types<Variant<EncoderArray4x1, 4, 1, 1>, Variant<EncoderArray8x2, 8, 2, 3>,
                                  Variant<EncoderArray4x4, 4, 4, 2>, Variant<EncoderArray16x1, 16, 1, 1>>;

/// A message with its tables, as the model encodes it.
template <class V>
struct Message {
    explicit Message(std::mt19937_64& random, std::size_t values) {
        framing = {V::lanes, static_cast<std::uint32_t>(16 + random() % 100),
                   static_cast<std::uint32_t>(1 + random() % 16), 1, V::streams};
        tables = test::random_tables<V>(random);
        context.width = tables.front().width;
        context.epoch = static_cast<std::uint8_t>(random());
        context.timestep = Timestep{static_cast<std::uint32_t>(random() % 1000)};
        for (std::size_t i = 0; i < values; ++i) {
            classes.push_back(static_cast<std::uint8_t>(random() % V::classes));
            symbols.push_back(test::random_symbol(random, tables[classes.back()], true));
        }
        for (const Table& table : tables) by_class.push_back(&table);
        codec = make_codec(AscParams{}, framing);
        encoded = codec->encode(symbols, context, V::classes > 1 ? Tables(by_class, classes) : Tables(by_class[0]));
    }
    Framing framing;
    Context context;
    std::vector<Table> tables;
    std::vector<const Table*> by_class;
    std::vector<Symbol> symbols;
    std::vector<std::uint8_t> classes;
    std::unique_ptr<Codec> codec;
    Encoded encoded;
};

template <class V>
class Bench {
public:
    explicit Bench(std::uint64_t seed, std::uint32_t stalls) : random_(seed), stalls_(stalls) {
        array_->rst = 1;
        array_->out_ready = 1;
        array_.tick();
        array_->rst = 0;
    }
    void load(std::span<const Table> tables) { test::load(*array_.operator->(), tables); }

    /// Puts a block in, beat by beat.
    void put(const Message<V>& message, const Block& block) {
        const std::uint32_t sub_streams = message.framing.sub_streams_for(block.values);
        describe(message, block, sub_streams);
        for (std::uint32_t at = 0, round = 0; at < block.values; ++round) {
            const std::uint32_t first = round * V::lanes % (V::lanes * ((sub_streams + V::lanes - 1) / V::lanes));
            const std::uint32_t count = std::min({V::lanes, sub_streams - first, block.values - at});
            array_->in_valid = 1;
            array_->in_first = at == 0;
            array_->in_last = at + count == block.values;
            set_bits(array_->in_lanes, 0, V::lanes, (1u << count) - 1);
            for (std::uint32_t i = 0; i < count; ++i) {
                const std::size_t value = block.first_value + at + i;
                set_bits(array_->in_symbols, 32 * i, 32, static_cast<std::uint32_t>(message.symbols[value]));
                constexpr std::uint32_t bits = V::classes > 2 ? 2 : 1;
                set_bits(array_->in_classes, bits * i, bits, message.classes[value]);
            }
            if (stalls_ > 0)
                for (array_->in_valid = 0; random_() % 100 < stalls_;) tick();
            array_->in_valid = 1;
            for (array_.settle(); !array_->in_ready; array_.settle()) tick();
            last_taken_at = array_.cycles() + 1;
            if (at == 0) first_taken_at = array_.cycles() + 1;
            tick();
            array_->in_valid = 0;
            at += count;
        }
    }
    void tick() {
        array_->out_ready = random_() % 100 >= stalls_;
        array_.settle();
        if (array_->out_valid && array_->out_ready) take();
        array_.tick();
        if (array_->out_begins) begins_at = array_.cycles();
    }
    void wait_for(std::size_t blocks) {
        for (int limit = 0; out.size() < blocks; ++limit) {
            ASSERT_LT(limit, 100'000) << "nothing comes out";
            tick();
        }
    }
    std::vector<std::vector<std::byte>> out;
    std::uint64_t first_taken_at = 0, last_taken_at = 0, begins_at = 0;   ///< edges

private:
    void take() {
        for (std::size_t i = 0; i < array_->out_bytes; ++i)
            block_.push_back(static_cast<std::byte>(bits(array_->out_data, 504 - 8 * i, 8)));
        if (!array_->out_last) return;
        out.push_back(std::exchange(block_, {}));
    }
    void describe(const Message<V>& message, const Block& block, std::uint32_t sub_streams) {
        const std::byte* bytes = message.encoded.bytes.data() + block.offset;
        set_bits(array_->in_sub_streams, 0, 8, sub_streams);
        for (std::size_t i = 0; i < 12; ++i)
            set_bits(array_->in_header, 88 - 8 * i, 8, std::to_integer<std::uint32_t>(bytes[i]));
        array_->in_prefix_bytes = 0;
        const std::uint64_t longest =
            std::uint64_t{(block.values + sub_streams - 1) / sub_streams} * message.context.width;
        array_->in_length_bits = static_cast<CData>(std::bit_width(longest - 1));
    }
    Clocked<typename V::Module> array_;
    std::mt19937_64 random_;
    std::uint32_t stalls_;
    std::vector<std::byte> block_;
};

template <class V>
class AnEncoderArray : public ::testing::Test {};
TYPED_TEST_SUITE(AnEncoderArray, Variants);

TYPED_TEST(AnEncoderArray, WritesTheBlocksOfTheModelWhateverStalls) {
    std::size_t checked = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        const Message<TypeParam> message(random, 1 + random() % 3000);
        Bench<TypeParam> bench(seed, seed % 3 == 0 ? 0 : 30);
        bench.load(message.tables);
        std::vector<std::vector<std::byte>> expected;
        for (const Block& block : message.encoded.blocks) {
            if (block.mode != BlockMode::coded) continue;   // raw ones do not pass the lanes
            bench.put(message, block);
            const auto bytes = std::span(message.encoded.bytes).subspan(block.offset, block.bytes);
            expected.emplace_back(bytes.begin(), bytes.end());
        }
        ASSERT_NO_FATAL_FAILURE(bench.wait_for(expected.size()));
        ASSERT_EQ(bench.out, expected);
        checked += expected.size();
    }
    EXPECT_GT(checked, 100u);
}

/// STREAMS cycles of finishes, one of the queue, STREAMS + 2 of the lane, one for the flags of complete streams and one
/// for the sum of their sizes. A beat is taken in each cycle.
TYPED_TEST(AnEncoderArray, HasCodedABlockAConstantNumberOfCyclesAfterItsLastSymbols) {
    std::mt19937_64 random(7);
    int checked = 0;
    for (int i = 0; i < 30; ++i) {
        const Message<TypeParam> message(random, 500 + random() % 1000);
        for (const Block& block : message.encoded.blocks) {
            const std::uint32_t sub_streams = message.framing.sub_streams_for(block.values);
            if (block.mode != BlockMode::coded || block.work.stalls > 0 ||
                sub_streams < TypeParam::lanes * TypeParam::streams)
                continue;
            Bench<TypeParam> bench(1, 0);
            bench.load(message.tables);
            bench.put(message, block);
            ASSERT_NO_FATAL_FAILURE(bench.wait_for(1));
            const std::uint64_t latency = bench.begins_at - bench.last_taken_at, streams = TypeParam::streams;
            EXPECT_GE(latency, 2 * streams + 5);
            EXPECT_LT(latency, 2 * streams + 5 + streams) << "finishes wait for their turn in the rotation";
            if (block.values % sub_streams == 0) {
                EXPECT_EQ(latency, 2 * streams + 5);
            }
            EXPECT_EQ(bench.last_taken_at - bench.first_taken_at + 1,
                      (block.values / sub_streams) * streams +
                          (block.values % sub_streams + TypeParam::lanes - 1) / TypeParam::lanes);
            ++checked;
        }
    }
    EXPECT_GT(checked, 10);
}

}   // namespace
}   // namespace oscar::encoder_array_test

// Messages in lines of data and flag: how many bytes they have, that they are read back, and that damage shows.
#include "models/codec/message/line_codec.hpp"

#include <gtest/gtest.h>

#include <random>

#include "models/codec/kinds/codecs.hpp"

namespace oscar::line_codec_test {
namespace {

constexpr LineFormat ll{4, 4}, ll128{120, 8};

std::unique_ptr<Codec> in_lines(const CodecChoice& choice, LineFormat format) {
    return make_line_codec(make_codec(choice, Framing{}), format);
}

std::vector<Symbol> random_symbols(std::size_t count, std::uint32_t width) {
    std::mt19937_64 random(count);
    std::vector<Symbol> symbols(count);
    for (Symbol& symbol : symbols)
        symbol = width == 32 ? static_cast<Symbol>(random()) : static_cast<std::int16_t>(random() | 1);
    return symbols;
}

TEST(LineCodec, SendsFourBytesOfFlagWithFourOfDataOrEightWith120) {
    const auto size = [](std::size_t values, LineFormat format) {
        return in_lines(Fp32Params{}, format)->encode(random_symbols(values, 32), {}, {}).bytes.size();
    };
    EXPECT_EQ(size(1000, ll), 8000u);     // of 4000 bytes of data
    EXPECT_EQ(size(960, ll128), 4096u);   // 3840 / 120 lines of 128
    EXPECT_EQ(size(961, ll128), 4224u);   // and one more, of which 4 bytes are data
    EXPECT_EQ(size(0, ll128), 0u);
    EXPECT_EQ(in_lines(Bf16Params{}, ll128)->bound(960, 16).count, 2048u);
    EXPECT_EQ(in_lines(Bf16Params{}, ll)->bound(3, 16).count, 16u);   // 6 bytes are two lines
    EXPECT_EQ(in_lines(Fp8Params{}, ll)->bound(9, 8).count, 24u);     // 9 bytes are three
}

TEST(LineCodec, FlagsEachLineWithTheIterationAndPadsTheLast) {
    const auto bytes = in_lines(Fp32Params{}, ll)->encode(std::vector<Symbol>{0x01020304, 5}, {.epoch = 6}, {}).bytes;
    const std::vector<std::uint8_t> expected{4, 3, 2, 1, 7, 7, 7, 7, 5, 0, 0, 0, 7, 7, 7, 7};
    ASSERT_EQ(bytes.size(), expected.size());
    for (std::size_t i = 0; i < bytes.size(); ++i) EXPECT_EQ(std::to_integer<std::uint8_t>(bytes[i]), expected[i]);
    const auto last = in_lines(Fp32Params{}, ll128)->encode(std::vector<Symbol>{1}, {.epoch = 255}, {}).bytes;
    EXPECT_EQ(last[119], std::byte{0});
    EXPECT_EQ(last[120], std::byte{1});   // 255 mod 255, plus 1
}

TEST(LineCodec, ReadsBackWhatItSentInTheSameBlocks) {
    for (const auto& [choice, width] :
         {std::pair{CodecChoice(Fp32Params{}), 32u}, std::pair{CodecChoice(Bf16Params{}), 16u}})
        for (const LineFormat format : {ll, ll128})
            for (const std::size_t count : {0u, 1u, 29u, 30u, 31u, 959u, 960u, 961u, 5000u}) {
                SCOPED_TRACE(::testing::Message() << width << " bits, " << format.data << ", " << count);
                const auto codec = in_lines(choice, format);
                const Context context{.width = width, .epoch = 3};
                const auto symbols = random_symbols(count, width);
                const Encoded sent = codec->encode(symbols, context, {});
                std::vector<Symbol> out(count);
                EXPECT_EQ(codec->decode(sent.bytes, context, {}, out), sent.blocks);
                EXPECT_EQ(out, symbols);
                EXPECT_EQ(codec->sized_blocks(symbols, context, {}), sent.blocks);
                EXPECT_EQ(codec->blocks_in(sent.bytes, count, context, {}), sent.blocks);
                EXPECT_EQ(sent.size(), sent.bytes.size());
                EXPECT_EQ(codec->bound(count, width).count, sent.bytes.size());
            }
}

TEST(LineCodec, CutsBlocksAtWholeLines) {
    const Encoded sent = in_lines(Fp32Params{}, ll128)->encode(random_symbols(2000, 32), {}, {});
    ASSERT_EQ(sent.blocks.size(), 3u);
    for (const Block& block : sent.blocks) {
        EXPECT_EQ(block.offset % 128, 0u);
        EXPECT_EQ(block.bytes, block.values == 960 ? 4096u : 384u);   // 80 values are 320 bytes, three lines
    }
    EXPECT_EQ(in_lines(Bf16Params{}, ll128)->sized_blocks(random_symbols(1921, 16), {.width = 16}, {})[0].values,
              1920u);
    EXPECT_EQ(in_lines(Fp32Params{}, ll)->sized_blocks(random_symbols(513, 32), {}, {})[0].values,
              512u);   // 8 bytes each
    EXPECT_EQ(in_lines(Fp32Params{}, ll128)->blocks_in(std::span(sent.bytes).first(8191), 2000, {}, {}).size(), 1u);
}

TEST(LineCodec, RefusesAWrongFlagPaddingOrLength) {
    const auto codec = in_lines(Fp32Params{}, ll128);
    const auto bytes = codec->encode(random_symbols(31, 32), {}, {}).bytes;   // the second line has one value
    std::vector<Symbol> out(31);
    const auto damaged = [&](std::size_t at) {
        auto other = bytes;
        other[at] ^= std::byte{0x10};
        return other;
    };
    for (const std::size_t flag : {120u, 127u, 248u, 255u})
        EXPECT_THROW(codec->decode(damaged(flag), {}, {}, out), CorruptStream) << flag;
    EXPECT_THROW(codec->decode(damaged(132), {}, {}, out), CorruptStream);      // the first byte of padding
    EXPECT_NO_THROW(codec->decode(damaged(131), {}, {}, out));                  // the last one of the value
    EXPECT_THROW(codec->decode(bytes, {.epoch = 1}, {}, out), CorruptStream);   // a buffer that was not written anew
    EXPECT_THROW(codec->decode(std::span(bytes).first(128), {}, {}, out), CorruptStream);
    EXPECT_THROW(codec->decode(std::span(bytes).first(255), {}, {}, out), CorruptStream);
}

TEST(LineCodec, IsOfConstantRateAndAddedByNobodyWhoDoesNotReadIt) {
    EXPECT_TRUE(in_lines(Fp32Params{}, ll)->constant_rate());
    EXPECT_FALSE(in_lines(Fp32Params{}, ll)->adds_coded());
    EXPECT_FALSE(in_lines(Bf16Params{}, ll)->uses_engine());
}

}   // namespace
}   // namespace oscar::line_codec_test

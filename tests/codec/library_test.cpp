// Codecs of libraries: which bytes they are given, and that what comes back is checked.
#include "models/codec/kinds/library.hpp"

#include <gmock/gmock.h>
#include <lz4.h>
#include <lz4hc.h>
#include <zstd.h>

#include "models/codec/kinds/codecs.hpp"
#include "models/codec/message/block_header.hpp"
#include "tests/codec/support.hpp"

namespace oscar::library_test {
namespace {

using ::testing::HasSubstr;

const std::vector<CodecChoice> libraries{ZstdParams{}, Lz4Params{}, BytePlaneParams{}};

/// 600 symbols in which each library finds something: 0, 1, -1, 256 over and over.
std::vector<Symbol> repetitive() {
    std::vector<Symbol> symbols;
    for (int i = 0; i < 150; ++i) symbols.insert(symbols.end(), {0, 1, -1, 256});
    return symbols;
}

Encoded encoded_by(const CodecChoice& choice, std::uint32_t width) {
    return make_codec(choice, Framing{})->encode(repetitive(), Context{.width = width}, nullptr);
}

std::span<const std::byte> payload_of(const Encoded& encoded) {
    return std::span(encoded.bytes).subspan(block_header_bytes);
}

std::vector<std::byte> unpacked_zstd(std::span<const std::byte> bytes) {
    std::vector<std::byte> out(1 << 16);
    out.resize(ZSTD_decompress(out.data(), out.size(), bytes.data(), bytes.size()));
    return out;
}

TEST(Zstd, SeesTheWholeBytesOfASymbolTogether) {
    const Encoded encoded = encoded_by(ZstdParams{}, 11);
    const auto bytes = unpacked_zstd(payload_of(encoded));
    EXPECT_EQ(bytes.size(), 600u * 2);
    EXPECT_EQ(hex(std::span(bytes).first(8)), "00 00 01 00 ff ff 00 01");
    EXPECT_EQ(encoded.blocks.at(0).work, (CodingCost{.values = 600, .width = 11}));
}

TEST(Lz4, SeesTheWholeBytesOfASymbolTogether) {
    const Encoded encoded = encoded_by(Lz4Params{}, 17);
    const auto payload = payload_of(encoded);
    std::vector<char> bytes(600 * 3);
    EXPECT_EQ(LZ4_decompress_safe(reinterpret_cast<const char*>(payload.data()), bytes.data(),
                                  static_cast<int>(payload.size()), 600 * 3),
              600 * 3);
    EXPECT_EQ(hex(std::as_bytes(std::span(bytes).first(12))), "00 00 00 01 00 00 ff ff ff 00 01 00");
}

TEST(BytePlane, SeesTheLowestBytesOfAllSymbolsFirst) {
    const auto bytes = unpacked_zstd(payload_of(encoded_by(BytePlaneParams{}, 11)));
    EXPECT_EQ(bytes.size(), 600u * 2);
    EXPECT_EQ(hex(std::span(bytes).first(4)), "00 01 ff 00");
    EXPECT_EQ(hex(std::span(bytes).subspan(600, 4)), "00 00 ff 01");
}

TEST(LibraryCodecs, BypassTheEngineAndHoldNoTables) {
    for (const CodecChoice& choice : libraries) {
        const auto codec = make_codec(choice, Framing{});
        EXPECT_FALSE(codec->uses_engine()) << choice.name();
        EXPECT_FALSE(codec->constant_rate()) << choice.name();
        EXPECT_EQ(codec->table_source(), TableSource::none) << choice.name();
        EXPECT_EQ(codec->cost(0, 11, nullptr), 256u) << choice.name();
        EXPECT_EQ(codec->cost(-5, 11, nullptr), 7u * 256) << choice.name();   // a sign, and 5 is 101 behind 00
    }
}

TEST(LibraryCodecs, SendNoiseRaw) {
    const auto symbols = make_symbols("uniform", 5000, 8, 1);
    for (const CodecChoice& choice : libraries) {
        const auto bytes = make_codec(choice, Framing{})->encode(symbols, Context{.width = 8}, nullptr).bytes;
        EXPECT_EQ(bytes[0], std::byte{0}) << choice.name();
        EXPECT_EQ(bytes.size(), block_header_bytes + 5000) << choice.name();
    }
}

TEST(LibraryCodecs, SpendMoreEffortAtHigherLevels) {
    const auto symbols = make_symbols("geometric", 60'000, 8, 2);
    const auto size = [&](const CodecChoice& choice) {
        return make_codec(choice, Framing{})->encode(symbols, Context{.width = 8}, nullptr).bytes.size();
    };
    EXPECT_LT(size(ZstdParams{19}), size(ZstdParams{1}));
    EXPECT_LT(size(Lz4Params{12}), size(Lz4Params{1}));
    EXPECT_LT(size(BytePlaneParams{19}), size(BytePlaneParams{1}));
}

/// What liblz4 makes of symbols of 8 bits by its fast search, or by its high-compression search at `level`.
std::vector<std::byte> lz4_of(std::span<const Symbol> symbols, std::optional<int> level) {
    const std::vector<char> bytes(symbols.begin(), symbols.end());
    const auto size = static_cast<int>(bytes.size());
    std::vector<char> out(static_cast<std::size_t>(LZ4_compressBound(size)));
    const auto room = static_cast<int>(out.size());
    const int used = level ? LZ4_compress_HC(bytes.data(), out.data(), size, room, *level)
                           : LZ4_compress_default(bytes.data(), out.data(), size, room);
    const auto written = std::as_bytes(std::span(out).first(static_cast<std::size_t>(used)));
    return {written.begin(), written.end()};
}

TEST(Lz4, SearchesFastBelowLevel3AndAtItsLevelFromThereOn) {
    const auto symbols = make_symbols("geometric", 20'000, 8, 3);
    const auto payload = [&](std::uint32_t level) {
        const auto bytes = make_codec(Lz4Params{level}, Framing{})->encode(symbols, Context{.width = 8}, nullptr).bytes;
        return std::vector(bytes.begin() + block_header_bytes, bytes.end());   // one block
    };
    EXPECT_EQ(payload(1), lz4_of(symbols, {}));
    EXPECT_EQ(payload(2), lz4_of(symbols, {}));
    for (const int level : {3, 4, 9, 12}) EXPECT_EQ(payload(static_cast<std::uint32_t>(level)), lz4_of(symbols, level));
    EXPECT_NE(payload(2), payload(3));
    EXPECT_NE(payload(3), payload(4));
}

TEST(LibraryCodecs, RefuseBytesThatAreNotExactlyTheSymbols) {
    for (const CodecChoice& choice : libraries) {
        SCOPED_TRACE(choice.name());
        const auto codec = make_codec(choice, Framing{});
        const Context context{.width = 11};
        Encoded encoded = encoded_by(choice, 11);
        EXPECT_EQ(corruption(*codec, encoded.bytes, context, nullptr, 600), "");
        // The same bytes said to be 601 symbols, or 599: more than they unpack to, and less.
        for (const std::uint8_t values : {std::uint8_t{601 - 512}, std::uint8_t{599 - 512}}) {
            auto other = encoded.bytes;
            const auto low = std::ranges::find(other, std::byte{600 - 512}) - other.begin();   // 600 is 0x0258
            ASSERT_EQ(other[static_cast<std::size_t>(low) + 1], std::byte{2});
            other[static_cast<std::size_t>(low)] = std::byte{values};
            EXPECT_THAT(corruption(*codec, other, context, nullptr, 512u + values), HasSubstr("not the symbols'"));
        }
        EXPECT_THAT(corruption(*codec, encoded.bytes, Context{.width = 9}, nullptr, 600),
                    HasSubstr("out of range"));   // 256 has 10 bits with its sign
    }
}

}   // namespace
}   // namespace oscar::library_test

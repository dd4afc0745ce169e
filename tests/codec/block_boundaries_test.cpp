// What a receiver can tell of a message's blocks when a part of its bytes has come.
#include <gmock/gmock.h>

#include <random>

#include "models/codec/message/block_header.hpp"
#include "models/codec/message/block_message.hpp"
#include "tests/codec/every_codec.hpp"
#include "tests/codec/split_support.hpp"

namespace oscar::block_boundaries_test {
namespace {

using ::testing::HasSubstr;

/// All of a block but its work.
struct Boundary {
    std::uint32_t first_value, values;
    std::uint64_t offset, bytes;
    BlockMode mode;
    std::uint16_t check;
    friend bool operator==(const Boundary&, const Boundary&) = default;
};
std::vector<Boundary> boundaries(std::span<const Block> blocks) {
    std::vector<Boundary> result;
    for (const Block& b : blocks) result.push_back({b.first_value, b.values, b.offset, b.bytes, b.mode, b.check});
    return result;
}

/// Of any beginning of the message, those are found that end in it.
void expect_found_in_every_beginning(const Codec& codec, const Encoded& message, std::size_t symbols,
                                     const Context& context, const Tables& tables) {
    for (std::size_t size = 0; size <= message.bytes.size(); ++size) {
        std::vector<Block> whole = message.blocks;
        std::erase_if(whole, [&](const Block& block) { return block.offset + block.bytes > size; });
        const auto found = codec.blocks_in(std::span(message.bytes).first(size), symbols, context, tables);
        ASSERT_EQ(boundaries(found), boundaries(whole)) << size << " of " << message.bytes.size() << " bytes";
    }
}

TEST(BlockBoundaries, AreFoundInEveryBeginningOfAMessageOfEveryCodec) {
    const Framing framing{.lanes = 4, .lane_values = 16, .min_lane_values = 4};
    for (const Named& named : all_codecs()) {
        SCOPED_TRACE(named.name);
        const auto codec = make_codec(named.choice, framing);
        for (const std::size_t size : {0u, 1u, 64u, 65u, 300u})
            for (const char* distribution : {"geometric", "uniform"}) {
                const Context context{.width = 9, .epoch = 7, .timestep = Timestep{3}, .chunk = ChunkId{2}};
                const auto symbols = make_symbols(distribution, size, 9, size);
                const Encoded message = codec->encode(symbols, context, {});
                expect_found_in_every_beginning(*codec, message, size, context, {});
            }
    }
}

TEST(BlockBoundaries, AreFoundInEveryBeginningOfAMessageWithClasses) {
    test::for_each_split_codec([](const Codec& codec, const test::SplitCase& tested) {
        const test::Message message(codec, 200, 9, 5);
        const Context context{.width = 9};
        const Tables tables = message.view_for(tested.takes_classes);
        const Encoded encoded = codec.encode(message.symbols, context, tables);
        expect_found_in_every_beginning(codec, encoded, 200, context, tables);
    });
}

TEST(BlockBoundaries, AreNotLookedForBehindAClassThatItsBlocksDoNotFill) {
    const Framing framing{.lanes = 4, .lane_values = 16, .min_lane_values = 4};
    const auto codec = make_split_codec(PhysicalSplitParams{}, make_codec(AscParams{}, framing), framing, 2);
    const std::vector<std::uint8_t> of{0, 0, 1, 1};
    const Tables tables({}, of);
    const std::vector<Symbol> symbols{1, 2, 3, 4};
    const Context context{.width = 8};
    Encoded message = codec->encode(symbols, context, tables);
    ASSERT_EQ(boundaries(codec->blocks_in(message.bytes, 4, context, tables)), boundaries(message.blocks));
    ASSERT_EQ(message.blocks.size(), 2u);
    // The first class claims a byte of the second, whose length and header then begin one byte later.
    message.bytes[0] = static_cast<std::byte>(static_cast<unsigned>(message.bytes[0]) + 1);
    message.bytes.insert(message.bytes.begin() + static_cast<std::ptrdiff_t>(message.blocks[1].offset), std::byte{0});
    EXPECT_EQ(boundaries(codec->blocks_in(message.bytes, 4, context, tables)),
              boundaries(std::span(message.blocks).first(1)));
    std::vector<Symbol> out(4);
    EXPECT_THROW(codec->decode(message.bytes, context, tables, out), CorruptStream);
}

TEST(BlockBoundaries, AreNotTakenFromAHeaderOfAnotherMessage) {
    const Framing framing{.lanes = 4, .lane_values = 16, .min_lane_values = 4};
    const Context context{.width = 8, .epoch = 1, .timestep = Timestep{2}, .chunk = ChunkId{3}};
    const auto problem = [&](BlockHeader header) -> std::string {
        header.bytes = header.bytes == 0 ? block_header_bytes : header.bytes;
        std::vector<std::byte> bytes;
        append(bytes, header);
        try {
            find_blocks(bytes, 64, context, framing);
        } catch (const TableMismatch& error) {
            return std::string("mismatch, ") + error.what();
        } catch (const CorruptStream& error) {
            return error.what();
        }
        return "";
    };
    const BlockHeader sound = make_header(context, 64);
    const auto with = [&](auto member, auto value) {
        BlockHeader header = sound;
        header.*member = value;
        return problem(header);
    };
    EXPECT_EQ(problem(sound), "");
    EXPECT_THAT(with(&BlockHeader::mode, BlockMode{3}), HasSubstr("block 0: mode does not exist: 3"));
    EXPECT_THAT(with(&BlockHeader::epoch, std::uint8_t{2}), HasSubstr("mismatch, block 0: epoch is not the decoder's"));
    EXPECT_THAT(with(&BlockHeader::timestep, std::uint16_t{3}),
                HasSubstr("timestep is not the decoder's: 3, expected 2"));
    EXPECT_THAT(with(&BlockHeader::chunk, std::uint16_t{1}), HasSubstr("chunk is not the decoder's"));
    EXPECT_THAT(with(&BlockHeader::values, 63u), HasSubstr("value count is not the decoder's"));
    EXPECT_THAT(with(&BlockHeader::bytes, 15u), HasSubstr("total bytes are less than the header: 15"));
}

}   // namespace
}   // namespace oscar::block_boundaries_test

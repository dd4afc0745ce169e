// With which packets which blocks are complete.
#include "models/nic/wire/message_shape.hpp"

#include <gmock/gmock.h>

#include <random>

namespace oscar::message_shape_test {
namespace {

using namespace literals;
using ::testing::ElementsAre;

/// A message of blocks of these many bytes; the same number of bytes is the same cost.
Encoded message_of(const std::vector<std::uint64_t>& sizes) {
    Encoded message;
    std::uint64_t offset = 0;
    std::uint32_t first = 0;
    for (const std::uint64_t size : sizes) {
        const auto values = static_cast<std::uint32_t>(size);
        message.blocks.push_back({first, values, offset, size, {.values = size}});
        offset += size;
        first += values;
    }
    return message;
}

TEST(MessageShape, OfEqualBlocksInWholePacketsIsOneBatchAndTheRest) {
    const Encoded message = message_of({10, 10, 10, 10, 10, 10, 7});
    const MessageShape shape = shape_of(message, 20_B);
    EXPECT_EQ(shape.packets, 4u);
    ASSERT_EQ(shape.batches.size(), 2u);
    EXPECT_EQ(shape.batches[0].packets, 3u);
    EXPECT_EQ(shape.batches[0].blocks, 2u);
    EXPECT_EQ(shape.batches[1].packet, 3u);
    EXPECT_EQ(shape.batches[1].block, &message.blocks.back());
    EXPECT_EQ(shape.runs.size(), 2u);
    EXPECT_THAT(shape.complete, ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(shape.ends, ElementsAre(0, 3));
}

TEST(MessageShape, OfBlocksOfSeveralPacketsStridesOverThem) {
    const MessageShape shape = shape_of(message_of({40, 40, 40}), 20_B);
    ASSERT_EQ(shape.batches.size(), 1u);
    EXPECT_EQ(shape.batches[0].packet, 1u);
    EXPECT_EQ(shape.batches[0].stride, 2u);
    EXPECT_EQ(shape.batches[0].packets, 3u);
    EXPECT_THAT(shape.complete, ElementsAre(0, 1, 3, 5));
}

TEST(MessageShape, OfAnEmptyMessageIsAPacketWithoutBlocks) {
    const MessageShape shape = shape_of({}, 20_B);
    EXPECT_EQ(shape.packets, 1u);
    EXPECT_TRUE(shape.batches.empty());
    EXPECT_THAT(shape.complete, ElementsAre(0));
    EXPECT_THAT(shape.ends, ElementsAre(0));
}

TEST(MessageShape, HasEachBlockOnceWithThePacketOfItsLastByte) {
    std::mt19937_64 random(7);
    for (int round = 0; round < 2000; ++round) {
        std::vector<std::uint64_t> sizes;
        const std::uint64_t usual = 1 + random() % 50;
        for (std::uint64_t left = 1 + random() % 40; left > 0; --left)
            sizes.push_back(random() % 5 == 0 ? 1 + random() % 50 : usual);
        const Encoded message = message_of(sizes);
        const Bytes packet{1 + random() % 60};
        const MessageShape shape = shape_of(message, packet);
        std::vector<std::pair<std::uint64_t, std::uint32_t>> expected, found;   // packet, values
        for (const Block& block : message.blocks)
            expected.emplace_back((block.offset + block.bytes - 1) / packet.count, block.values);
        for (const BlockBatches& batch : shape.batches)
            for (std::uint32_t p = 0; p < batch.packets; ++p)
                found.insert(found.end(), batch.blocks, {batch.packet + p * batch.stride, batch.block->values});
        ASSERT_EQ(found, expected);
        std::vector<std::uint32_t> in_runs;
        for (const BlockRun& run : shape.runs) in_runs.insert(in_runs.end(), run.count, run.block->values);
        ASSERT_EQ(in_runs.size(), message.blocks.size());
        for (std::size_t i = 0; i < in_runs.size(); ++i) ASSERT_EQ(in_runs[i], message.blocks[i].values);
    }
}

TEST(MessageShapes, AreMadeOnceOfAMessageThatManyStepsShareAndAnewOfAnother) {
    MessageShapes shapes(20_B);
    const auto shared = [](std::vector<std::uint64_t> sizes) {
        Encoded message = message_of(sizes);
        message.values.emplace();
        return std::make_shared<const Encoded>(std::move(message));
    };
    const auto one = shared({10, 10}), other = shared({30});
    EXPECT_EQ(shapes.of(one), shapes.of(one));
    EXPECT_NE(shapes.of(one), shapes.of(other));
    EXPECT_EQ(shapes.of(other)->packets, 2u);
    const auto with_bytes = std::make_shared<const Encoded>(message_of({10}));
    EXPECT_NE(shapes.of(with_bytes), shapes.of(with_bytes));   // such a message is of one step, and is not held
    EXPECT_EQ(with_bytes.use_count(), 1);
}

TEST(MessageShape, KeepsTwoBlocksOfOnePacketApartThatDifferentTablesCoded) {
    Encoded message = message_of({10, 10});
    message.blocks[0].check = 1;
    message.blocks[1].check = 2;
    const MessageShape shape = shape_of(message, 20_B);
    ASSERT_EQ(shape.batches.size(), 2u);
    EXPECT_EQ(shape.batches[0].block, &message.blocks[0]);
    EXPECT_EQ(shape.batches[1].block, &message.blocks[1]);
    EXPECT_TRUE(shape.batches[1].continues) << "both are complete with packet 0";
    EXPECT_EQ(shape.runs.size(), 2u);
}

TEST(MessageShape, BeginsAPieceOfWorkWithEachPacketAlsoBehindABlockThatWentOnInItsOwn) {
    // Blocks of 12 and 8 B end in packet 0, one of 8 B in packet 1 and one of 20 B in packet 2.
    const MessageShape shape = shape_of(message_of({12, 8, 8, 20}), 20_B);
    std::vector<bool> continues;
    for (const BlockBatches& batch : shape.batches) continues.push_back(batch.continues);
    EXPECT_THAT(continues, ElementsAre(false, true, false, false));
}

}   // namespace
}   // namespace oscar::message_shape_test

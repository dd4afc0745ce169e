#include "models/codec/message/zero_runs.hpp"

#include <gmock/gmock.h>

#include "tests/codec/support.hpp"

namespace oscar::zero_runs_test {
namespace {

using ::testing::ElementsAre;

std::vector<std::byte> runs_of(std::span<const Symbol> symbols, std::uint32_t lanes = 1) {
    std::vector<std::byte> bytes;
    append_zero_runs(bytes, symbols, lanes);
    return bytes;
}

TEST(ZeroRuns, CostTwoBitsPerGroupOfZerosEightForOneExceptionAndABitmapForMore) {
    std::vector<Symbol> symbols(64 * 3 + 2);
    EXPECT_EQ(hex(runs_of(symbols)), "00");   // four tags 00
    symbols[64 + 5] = -3;                     // 00, 01 000101, 00, 00 and padding
    EXPECT_EQ(hex(runs_of(symbols)), "11 40");
    symbols[192] = symbols[193] = 1;   // the last group of two symbols: 10 11
    EXPECT_EQ(hex(runs_of(symbols)), "11 4b");
}

TEST(ZeroRuns, ComeBackWithEqualWork) {
    std::mt19937_64 random(1);
    for (const std::size_t size : {0u, 1u, 63u, 64u, 65u, 1000u})
        for (const std::uint64_t rarity : {1u, 2u, 30u, 500u})
            for (const std::uint32_t lanes : {1u, 7u, 64u}) {
                SCOPED_TRACE(::testing::Message() << size << " symbols, one in " << rarity << ", lanes " << lanes);
                std::vector<Symbol> symbols(size);
                std::vector<std::uint32_t> exceptions;
                for (std::uint32_t i = 0; i < size; ++i)
                    if (random() % rarity == 0) {
                        symbols[i] = -1 - static_cast<Symbol>(i);
                        exceptions.push_back(i);
                    }
                std::vector<std::byte> bytes;
                const CodingCost work = append_zero_runs(bytes, symbols, lanes);
                const ZeroRuns runs = read_zero_runs(bytes, size, lanes);
                EXPECT_EQ(runs.exceptions, exceptions);
                EXPECT_EQ(runs.work, work);
                EXPECT_EQ(work.values, size - exceptions.size());
                EXPECT_EQ(work.sub_stream_slots, ((size + 63) / 64 + lanes - 1) / lanes);
            }
}

std::string error_of(std::vector<std::byte> bytes, std::size_t symbols) {
    try {
        read_zero_runs(bytes, symbols, 1);
    } catch (const CorruptStream& error) {
        return error.what();
    }
    return "";
}

TEST(ZeroRuns, RefuseWhatNoEncoderWrites) {
    using std::byte;
    EXPECT_EQ(error_of({byte{0xC0}}, 10), "zero runs: a tag that does not exist");
    EXPECT_EQ(error_of({byte{0x4A}}, 10), "zero runs: an exception lies after its group");   // position 10 of 10
    EXPECT_EQ(error_of({byte{0x49}}, 10), "");
    EXPECT_EQ(error_of({byte{0x90}, byte{0}}, 10), "zero runs: a bitmap of fewer than two exceptions");
    EXPECT_EQ(error_of({byte{0x00}, byte{0}}, 10), "zero runs: the stream does not end where it should");
    EXPECT_EQ(error_of({}, 10), "zero runs: the stream does not end where it should");
    EXPECT_EQ(error_of({byte{0x01}}, 10), "zero runs: the padding of the last byte is not zero");
}

}   // namespace
}   // namespace oscar::zero_runs_test

#include "models/codec/entropy/arithmetic_coder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "models/core/hash.hpp"
#include "tests/codec/support.hpp"

namespace oscar::arithmetic_coder_test {
namespace {

/// The coder as Witten, Neal and Cleary wrote it, one bit at a time: what the fast one must equal.
class PlainEncoder {
public:
    /// Returns the bits that came out.
    std::size_t encode(std::uint32_t below, std::uint32_t above) {
        const std::size_t before = bits.size();
        const std::uint32_t range = high_ - low_ + 1;
        high_ = low_ + (range * above >> 10) - 1;
        low_ = low_ + (range * below >> 10);
        while (true) {
            if (high_ < 0x8000) emit(false), widen(0);
            else if (low_ >= 0x8000) emit(true), widen(0x8000);
            else if (low_ >= 0x4000 && high_ < 0xC000) ++underflow_, widen(0x4000);
            else return bits.size() - before;
        }
    }
    void finish() {
        ++underflow_;
        emit(low_ >= 0x4000);
    }
    std::vector<bool> bits;

private:
    void emit(bool bit) {
        bits.push_back(bit);
        for (; underflow_ > 0; --underflow_) bits.push_back(!bit);
    }
    void widen(std::uint32_t base) {
        low_ = 2 * (low_ - base);
        high_ = 2 * (high_ - base) + 1;
    }
    std::uint32_t low_ = 0, high_ = 0xFFFF;
    std::size_t underflow_ = 0;
};

std::vector<bool> as_bits(std::span<const std::byte> bytes, std::uint64_t size) {
    BitReader reader(bytes);
    std::vector<bool> bits(size);
    for (auto&& bit : bits) bit = reader.get(1) != 0;
    return bits;
}

/// Cumulative counts of 16 random rows, each at least one, of a given total. Some are flat, some have one giant.
Cumulative random_counts(std::mt19937_64& random, std::uint32_t total) {
    std::array<double, table_rows> weights{};
    const double skew = 1 + static_cast<double>(random() % 12);
    for (double& weight : weights) weight = std::pow(static_cast<double>(random() % 1000 + 1) / 1000.0, skew);
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    Cumulative cumulative{};
    for (std::size_t row = 0; row < table_rows; ++row)
        cumulative[row + 1] = static_cast<std::uint16_t>(
            cumulative[row] + 1 + std::floor(weights[row] / sum * static_cast<double>(total - table_rows)));
    cumulative.back() = static_cast<std::uint16_t>(total);
    return cumulative;
}

std::uint32_t row_of(const Cumulative& cumulative, std::uint32_t count) {
    std::uint32_t row = 0;
    while (cumulative[row + 1] <= count) ++row;
    return row;
}

std::vector<std::uint32_t> random_rows(std::mt19937_64& random, const Cumulative& cumulative, std::size_t size) {
    std::vector<std::uint32_t> rows(size);
    for (auto& row : rows) row = row_of(cumulative, static_cast<std::uint32_t>(random() % cumulative.back()));
    return rows;
}

struct Stream {
    std::vector<std::byte> bytes;
    std::uint64_t bits = 0;
    std::vector<std::uint32_t> emitted;   // per row
};

Stream encode_rows(std::span<const std::uint32_t> rows, const Cumulative& cumulative) {
    Stream stream;
    ArithmeticEncoder encoder{BitWriter(stream.bytes)};
    for (const std::uint32_t row : rows) stream.emitted.push_back(encoder.encode(cumulative[row], cumulative[row + 1]));
    stream.bits = encoder.finish();
    return stream;
}

void expect_decodes_to(const Stream& stream, const Cumulative& cumulative, std::span<const std::uint32_t> rows) {
    ArithmeticDecoder decoder(stream.bytes);
    const RowBounds bounds(cumulative);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto [row, emitted_bits] = decoder.decode(bounds);
        ASSERT_EQ(row, rows[i]) << "at " << i;
        ASSERT_EQ(emitted_bits, stream.emitted[i]) << "at " << i;
    }
    EXPECT_EQ(decoder.stream_bits(), stream.bits);
}

// Golden vectors of docs/codecs.md.

struct Golden {
    Cumulative cumulative;
    std::array<std::uint32_t, table_rows> offset_bits;

    struct Streams {
        std::vector<std::uint32_t> rows, offsets;
        Stream symbols;
        std::vector<std::byte> offset_bytes;
        std::uint64_t offset_length;
    };

    Streams run(std::size_t size) const {
        Streams result;
        BitWriter writer(result.offset_bytes);
        std::uint64_t x = 1;
        const auto step = [&x] { return x = x * 6364136223846793005ULL + 1442695040888963407ULL; };
        for (std::size_t i = 0; i < size; ++i) {
            const auto count = static_cast<std::uint32_t>((step() >> 54) % cumulative.back());
            const std::uint32_t row = row_of(cumulative, count);
            const std::uint64_t top = step();
            const std::uint32_t bits = offset_bits[row];
            result.rows.push_back(row);
            result.offsets.push_back(bits == 0 ? 0 : static_cast<std::uint32_t>(top >> (64 - bits)));
            writer.put(result.offsets.back(), bits);
        }
        result.offset_length = writer.bits();
        writer.finish();
        result.symbols = encode_rows(result.rows, cumulative);
        return result;
    }
};

const Golden golden_a{
    {0, 0x1EB, 0x229, 0x238, 0x23A, 0x23A, 0x23A, 0x23A, 0x23A, 0x23A, 0x23A, 0x23A, 0x23A, 0x23A, 0x23C, 0x276, 0x3FF},
    {2, 2, 3, 6, 4, 4, 4, 4, 4, 4, 4, 4, 4, 6, 3, 2}};
const Golden golden_b{{0, 700, 820, 900, 955, 985, 1002, 1011, 1015, 1016, 1017, 1018, 1019, 1020, 1021, 1022, 1024},
                      {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}};

TEST(GoldenVectorA, HasTheBytesOfTheModelForItsFirst24Values) {
    const auto streams = golden_a.run(24);
    EXPECT_EQ(streams.symbols.bits, 49u);
    EXPECT_EQ(hex(streams.symbols.bytes), "72 84 a3 46 14 ae 00");
    EXPECT_EQ(streams.offset_length, 52u);
    EXPECT_EQ(hex(streams.offset_bytes), "98 13 47 31 d0 32 a0");
    expect_decodes_to(streams.symbols, golden_a.cumulative, streams.rows);
}

TEST(GoldenVectorA, HasTheHashesOfTheModelFor100000Values) {
    const auto streams = golden_a.run(100'000);
    EXPECT_EQ(streams.symbols.bits, 164'777u);
    EXPECT_EQ(fnv1a(streams.symbols.bytes), 0x66f8a4a81db70a18u);
    EXPECT_EQ(streams.offset_length, 208'806u);
    EXPECT_EQ(fnv1a(streams.offset_bytes), 0x43ca9877d12f6d04u);
    expect_decodes_to(streams.symbols, golden_a.cumulative, streams.rows);
}

TEST(GoldenVectorB, HasTheBytesOfTheModelForItsFirst24Values) {
    const auto streams = golden_b.run(24);
    EXPECT_EQ(streams.symbols.bits, 42u);
    EXPECT_EQ(hex(streams.symbols.bytes), "5a 06 64 25 bf 40");
    EXPECT_EQ(streams.offset_length, 19u);
    EXPECT_EQ(hex(streams.offset_bytes), "97 c2 c0");
    const std::vector<std::uint32_t> rows{0, 0, 1, 0, 2, 1, 1, 0, 0, 0, 2, 0, 0, 0, 5};
    const std::vector<std::uint32_t> offsets{0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 3, 0, 0, 0, 28};
    EXPECT_TRUE(std::equal(rows.begin(), rows.end(), streams.rows.begin()));
    EXPECT_TRUE(std::equal(offsets.begin(), offsets.end(), streams.offsets.begin()));
    expect_decodes_to(streams.symbols, golden_b.cumulative, streams.rows);
}

TEST(GoldenVectorB, HasTheHashesOfTheModelFor100000Values) {
    const auto streams = golden_b.run(100'000);
    EXPECT_EQ(streams.symbols.bits, 167'662u);
    EXPECT_EQ(fnv1a(streams.symbols.bytes), 0xf6ab5ef919dcc4b3u);
    EXPECT_EQ(streams.offset_length, 81'796u);
    EXPECT_EQ(fnv1a(streams.offset_bytes), 0xdd4f37455eaa01bdu);
    expect_decodes_to(streams.symbols, golden_b.cumulative, streams.rows);
}

// Laws.

TEST(ArithmeticCoder, EqualsTheBitSerialCoderAndDecodesForRandomTablesOfTotal1023And1024) {
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        const Cumulative cumulative = random_counts(random, seed % 2 != 0 ? 1023 : 1024);
        const auto rows = random_rows(random, cumulative, 500);
        const Stream stream = encode_rows(rows, cumulative);
        PlainEncoder plain;
        for (std::size_t i = 0; i < rows.size(); ++i)
            ASSERT_EQ(plain.encode(cumulative[rows[i]], cumulative[rows[i] + 1]), stream.emitted[i]);
        plain.finish();
        ASSERT_EQ(as_bits(stream.bytes, stream.bits), plain.bits);
        expect_decodes_to(stream, cumulative, rows);
    }
}

TEST(ArithmeticCoder, SpendsWithinTwoBitsAndATenthOfAPerMilleOfTheIdeal) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        const Cumulative cumulative = random_counts(random, 1024);
        const auto rows = random_rows(random, cumulative, 20'000);
        double ideal = 0;   // sum of -log2(p)
        for (const std::uint32_t row : rows) ideal += 10 - std::log2(cumulative[row + 1] - cumulative[row]);
        const auto bits = static_cast<double>(encode_rows(rows, cumulative).bits);
        EXPECT_LE(bits, ideal * 1.0001 + 2);
        EXPECT_GE(bits, ideal * 0.9999);
    }
}

TEST(ArithmeticCoder, CodesTheLikeliestOf16LiveRowsForTheFloorOfTheModel) {
    Cumulative cumulative{};   // 1009 of 1024, and 15 rows of one: -log2(1009/1024) = 0.0213 bit
    for (std::uint16_t row = 1; row <= table_rows; ++row) cumulative[row] = static_cast<std::uint16_t>(1008 + row);
    const std::vector<std::uint32_t> rows(100'000, 0);
    EXPECT_NEAR(static_cast<double>(encode_rows(rows, cumulative).bits) / 100'000, 0.0213, 0.0001);
}

TEST(ArithmeticCoder, DecodesEachRowAtEachEdgeOfTheTable) {
    for (const std::uint16_t total : {std::uint16_t{1023}, std::uint16_t{1024}}) {
        Cumulative cumulative{};
        for (std::uint16_t row = 1; row < table_rows; ++row) cumulative[row] = row;   // 15 rows of one, then the rest
        cumulative.back() = total;
        std::vector<std::uint32_t> rows;
        for (std::uint32_t i = 0; i < 2000; ++i) rows.push_back(i % 3 == 0 ? 15 : i % 16);
        expect_decodes_to(encode_rows(rows, cumulative), cumulative, rows);
    }
}

TEST(ArithmeticCoder, EmitsNothingForAnEmptyStreamButTheTwoBitsThatEndIt) {
    const Stream stream = encode_rows({}, golden_b.cumulative);
    EXPECT_EQ(stream.bits, 2u);
    EXPECT_EQ(hex(stream.bytes), "40");   // 01
}

// A row of 2 counts around the middle settles nothing: the interval straddles 1/2, so underflow grows by 9 bits a
// symbol.
Cumulative middle_row_of_two() {
    Cumulative cumulative{};
    std::fill(cumulative.begin() + 1, cumulative.end(), std::uint16_t{1024});
    cumulative[1] = 511;
    cumulative[2] = 513;
    return cumulative;
}

TEST(ArithmeticCoder, HoldsUnderflowHoweverLongAndReleasesItAtOnce) {
    const Cumulative cumulative = middle_row_of_two();
    std::vector<std::uint32_t> rows(30, 1);
    rows.push_back(0);
    const Stream stream = encode_rows(rows, cumulative);
    for (std::size_t i = 0; i < 30; ++i) EXPECT_EQ(stream.emitted[i], 0u);
    EXPECT_GT(stream.emitted[30], 200u);   // 30 * log2(1024/2) = 270 bits, less what rounding takes
    PlainEncoder plain;
    for (const std::uint32_t row : rows) plain.encode(cumulative[row], cumulative[row + 1]);
    plain.finish();
    EXPECT_EQ(as_bits(stream.bytes, stream.bits), plain.bits);
    expect_decodes_to(stream, cumulative, rows);
}

TEST(PackerStalls, AreTheCyclesBeyondTheFirstAt16BitsEach) {
    EXPECT_EQ(packer_stalls(0), 0u);
    EXPECT_EQ(packer_stalls(16), 0u);   // ceil(16/16) - 1
    EXPECT_EQ(packer_stalls(17), 1u);   // ceil(17/16) - 1
    EXPECT_EQ(packer_stalls(32), 1u);
    EXPECT_EQ(packer_stalls(33), 2u);
}

TEST(ArithmeticDecoder, RefusesACodeInThePartThatATotalOf1023LeavesUnused) {
    const std::vector<std::byte> ones(8, std::byte{0xFF});   // code 0xFFFF >= (0x10000 * 1023) >> 10
    ArithmeticDecoder decoder(ones);
    EXPECT_THROW(decoder.decode(RowBounds(golden_a.cumulative)), CorruptStream);
}

TEST(ArithmeticDecoder, NoticesThatAStreamWasCutByItsLength) {
    const std::vector<std::uint32_t> rows(100, 3);
    Stream stream = encode_rows(rows, golden_b.cumulative);
    stream.bytes.resize(stream.bytes.size() / 2);
    ArithmeticDecoder decoder(stream.bytes);
    for (std::size_t i = 0; i < rows.size(); ++i) decoder.decode(RowBounds(golden_b.cumulative));
    EXPECT_NE(decoder.stream_bits(), stream.bits);
}

}   // namespace
}   // namespace oscar::arithmetic_coder_test

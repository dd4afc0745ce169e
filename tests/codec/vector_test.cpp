// The operations on vectors against their scalar meaning, element by element.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <random>
#include <string>

#include "models/codec/bits/instruction_set.hpp"
#include "tests/codec/vector_set.hpp"

namespace oscar::vector_test {
namespace {

constexpr std::size_t widest = 16;
using Elements = std::array<std::uint32_t, widest>;

class Vectors : public ::testing::TestWithParam<InstructionSet> {
protected:
    void SetUp() override {
        if (!available(GetParam())) GTEST_SKIP() << "this host has no " << name_of(GetParam());
        set_ = GetParam() == InstructionSet::avx512 ? test::avx512_vectors() : test::avx2_vectors();
    }
    test::VectorSet set_{};
};
INSTANTIATE_TEST_SUITE_P(Wide, Vectors, ::testing::Values(InstructionSet::avx2, InstructionSet::avx512),
                         [](const auto& set) { return std::string(name_of(set.param)); });

/// Edges of 32 bits, numbers of every length, and shifts on both sides of 32.
std::uint32_t draw(std::mt19937_64& random) {
    constexpr std::array<std::uint32_t, 12> edges{
        0, 1, 2, 31, 32, 33, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xC0000000, 0xFFFFFFFE, 0xFFFFFFFF};
    if (random() % 3 == 0) return edges[random() % edges.size()];
    return static_cast<std::uint32_t>(random()) >> random() % 32;
}

TEST_P(Vectors, ComputeWhatTheirElementsWould) {
    std::mt19937_64 random(1);
    for (int trial = 0; trial < 3000; ++trial) {
        Elements a{}, b{}, out{};
        for (std::size_t i = 0; i < widest; ++i) a[i] = draw(random), b[i] = draw(random);
        for (const test::Operation& operation : set_.operations) {
            operation.vector(a.data(), b.data(), out.data());
            for (std::size_t i = 0; i < set_.lanes_per_register; ++i)
                ASSERT_EQ(out[i], operation.scalar(a[i], b[i])) << a[i] << " " << operation.name << " " << b[i];
        }
    }
}

TEST_P(Vectors, CountTheZerosBeforeEachPowerOfTwoAndItsNeighbours) {
    // Rounding to a float would carry 2^k - 1 to 2^k from 25 bits on.
    const auto zeros = [&](std::uint32_t a) {
        Elements in{}, out{};
        in.fill(a);
        for (const test::Operation& operation : set_.operations)
            if (operation.name == std::string("leading_zeros")) operation.vector(in.data(), in.data(), out.data());
        return out[0];
    };
    for (std::uint32_t k = 0; k < 32; ++k) {
        EXPECT_EQ(zeros(1u << k), 31 - k);
        EXPECT_EQ(zeros((1u << k) - 1), 32 - k);
        EXPECT_EQ(zeros(1u << k | 1u << k >> 1), 31 - k);
    }
}

TEST_P(Vectors, DivideByARangeToTheQuotientOrOneLess) {
    // All ranges of the coder, 2^14 + 1 .. 2^16, and of each the numerators around multiples, where rounding matters.
    std::mt19937_64 random(2);
    Elements numerator{}, denominator{}, quotient{};
    for (std::uint32_t range = 0x4001; range <= 0x10000; ++range) {
        for (std::size_t i = 0; i < widest; ++i) {
            const auto multiple = static_cast<std::uint32_t>(random() % 1024) * range;
            const std::uint32_t moved = multiple + static_cast<std::uint32_t>(random() % 3) - 1;
            numerator[i] = std::min(std::max(moved, 1023u), (range << 10) - 1);
            denominator[i] = range;
        }
        set_.rough_quotient(numerator.data(), denominator.data(), quotient.data());
        for (std::size_t i = 0; i < set_.lanes_per_register; ++i) {
            const std::uint32_t exact = numerator[i] / range;
            ASSERT_LE(quotient[i], exact) << numerator[i] << " / " << range;
            ASSERT_GE(quotient[i] + 1, exact) << numerator[i] << " / " << range;
        }
    }
}

TEST_P(Vectors, LookUpRowsAndWordsAndBytes) {
    std::mt19937_64 random(3);
    Elements table{}, index{}, out{};
    for (std::uint32_t& word : table) word = static_cast<std::uint32_t>(random());
    for (int trial = 0; trial < 200; ++trial) {
        for (std::uint32_t& i : index) i = static_cast<std::uint32_t>(random() % widest);
        set_.look_ups.at(table.data(), index.data(), out.data());
        for (std::size_t i = 0; i < set_.lanes_per_register; ++i) ASSERT_EQ(out[i], table[index[i]]);
        set_.look_ups.gather(table.data(), index.data(), out.data());
        for (std::size_t i = 0; i < set_.lanes_per_register; ++i) ASSERT_EQ(out[i], table[index[i]]);
        for (std::uint32_t& i : index) i = static_cast<std::uint32_t>(random() % (4 * widest - 3));
        set_.look_ups.gather_at_bytes(table.data(), index.data(), out.data());
        for (std::size_t i = 0; i < set_.lanes_per_register; ++i) {
            std::uint32_t word = 0;
            std::memcpy(&word, reinterpret_cast<const std::byte*>(table.data()) + index[i], sizeof word);
            ASSERT_EQ(out[i], word);
        }
    }
}

TEST_P(Vectors, TouchOnlyTheElementsOfAMask) {
    Elements given{};
    std::iota(given.begin(), given.end(), 100u);
    EXPECT_EQ(set_.masked.bits(0), 0u);
    for (std::size_t size = 1; size <= set_.lanes_per_register + 3; ++size) {
        const std::size_t active = std::min(size, set_.lanes_per_register);
        EXPECT_EQ(set_.masked.bits(size), (1u << active) - 1);
        // Arrays of just the elements that may be read: sanitizers and guard pages see the others.
        const std::vector<std::int32_t> words(active, 7);
        const std::vector<std::uint8_t> bytes(active, 9);
        Elements loaded{}, widened{};
        set_.masked.load(size, words.data(), loaded.data());
        set_.masked.load_bytes(size, bytes.data(), widened.data());
        std::vector<std::int32_t> stored(widest, -1);
        set_.masked.store(size, stored.data(), given.data());
        std::vector<std::uint32_t> scattered(2 * widest, 1);
        Elements index{};
        for (std::uint32_t i = 0; i < widest; ++i) index[i] = 30 - 2 * i;   // backwards, every second
        set_.masked.scatter(size, scattered.data(), index.data(), given.data());
        for (std::size_t i = 0; i < set_.lanes_per_register; ++i) {
            EXPECT_EQ(loaded[i], i < active ? 7u : 0u);
            EXPECT_EQ(widened[i], i < active ? 9u : 0u);
            EXPECT_EQ(stored[i], i < active ? static_cast<std::int32_t>(given[i]) : -1);
            EXPECT_EQ(scattered[index[i]], i < active ? given[i] : 1u);
            EXPECT_EQ(scattered[index[i] + 1], 1u);
        }
    }
}

TEST(InstructionSets, AreAllNamedAndThePortableOneIsEverywhere) {
    EXPECT_TRUE(available(InstructionSet::portable));
    EXPECT_TRUE(available(best_instruction_set()));
    EXPECT_EQ(name_of(InstructionSet::portable), "portable");
    EXPECT_EQ(name_of(InstructionSet::avx512), "avx512");
    EXPECT_EQ(best_instruction_set() == InstructionSet::avx512, available(InstructionSet::avx512));
}

}   // namespace
}   // namespace oscar::vector_test

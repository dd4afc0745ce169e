#include "models/core/spans.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "models/core/random.hpp"

namespace oscar::spans_test {
namespace {

using namespace literals;
using ::testing::ElementsAre;

TEST(Spans, AreWhatWasAppendedInAnyOrder) {
    Spans spans{{5_ns, 9_ns}, {4_ns, 6_ns}, {6_ns, 7_ns}, {6_ns, 6_ns}};
    EXPECT_THAT(spans, ElementsAre(Span{5_ns, 9_ns}, Span{4_ns, 6_ns}, Span{6_ns, 7_ns}, Span{6_ns, 6_ns}));
    EXPECT_EQ(spans.front(), (Span{5_ns, 9_ns}));
    EXPECT_EQ(spans[1], (Span{4_ns, 6_ns}));
    EXPECT_EQ(spans.back(), (Span{6_ns, 6_ns}));
    EXPECT_FALSE(std::ranges::is_sorted(spans, {}, &Span::begin));
    spans.clear();
    EXPECT_TRUE(spans.empty());
    EXPECT_EQ(spans.begin(), spans.end());
}

TEST(Spans, OfEqualLengthAtEqualDistancesTakeNoMoreBytesThanOne) {
    Spans spans;
    for (std::int64_t i = 0; i < 100'000; ++i) spans.push_back({i * 86_us, i * 86_us + 84_us});
    EXPECT_LE(spans.bytes(), 16u);
    EXPECT_EQ(spans.size(), 100'000u);
    EXPECT_EQ(spans[77'777], (Span{77'777 * 86_us, 77'777 * 86_us + 84_us}));
    for (std::int64_t i = 0; i < 1'000; ++i)   // of microseconds, which differ: 4 bytes each of distance and length
        spans.push_back({i * 90_us + Time{i * i}, i * 90_us + Time{i * i} + 84_us + Time{i}});
    EXPECT_LE(spans.bytes(), 1'000u * 10);
}

TEST(Spans, AreTheSameSpansEarlier) {
    Spans spans{{5_ns, 9_ns}, {12_ns, 13_ns}};
    Spans earlier = spans.earlier(5_ns);
    EXPECT_THAT(earlier, ElementsAre(Span{0_ns, 4_ns}, Span{7_ns, 8_ns}));
    EXPECT_EQ(earlier, (Spans{{0_ns, 4_ns}, {7_ns, 8_ns}}));
    earlier.push_back({9_ns, 10_ns});
    EXPECT_EQ(earlier.back(), (Span{9_ns, 10_ns}));
    EXPECT_NE(earlier, spans);
}

TEST(Spans, AreWhatAVectorHolds) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        Spans spans;
        std::vector<Span> expected;
        for (std::uint64_t i = 0; i < 50; ++i) {
            const Time begin{static_cast<std::int64_t>(random_at(seed, 2 * i) >> (1 + seed % 62))};
            expected.push_back({begin, begin + Time{static_cast<std::int64_t>(random_at(seed, 2 * i + 1) % 3)}});
            spans.push_back(expected.back());
        }
        ASSERT_EQ(spans, expected) << seed;
        EXPECT_EQ(spans.all(), expected);
        EXPECT_EQ(Spans(expected), spans);
    }
}

}   // namespace
}   // namespace oscar::spans_test

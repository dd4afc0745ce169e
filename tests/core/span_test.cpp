#include "models/core/span.hpp"
#include "models/core/merged_spans.hpp"

#include <gtest/gtest.h>

#include "models/core/random.hpp"
#include "models/core/units.hpp"

namespace oscar::span_test {
namespace {

using namespace literals;

TEST(SpanLog, JoinsSpansThatTouchAndKeepsThoseThatDoNot) {
    SpanLog log;
    EXPECT_TRUE(log.all().empty());
    for (const Span span : {Span{1_ns, 2_ns}, {2_ns, 5_ns}, {3_ns, 4_ns}, {6_ns, 7_ns}, {7_ns, 9_ns}}) log.append(span);
    EXPECT_EQ(log.all(), (std::vector<Span>{{1_ns, 5_ns}, {6_ns, 9_ns}}));
    log.clear();
    EXPECT_TRUE(log.all().empty());
    log.append({7_ns, 8_ns});
    EXPECT_EQ(log.all(), (std::vector<Span>{{7_ns, 8_ns}}));
}

TEST(SpanLog, LeavesOneThatBeginsBeforeTheLastAlone) {
    SpanLog log;
    for (const Span span : {Span{5_ns, 9_ns}, {4_ns, 6_ns}, {6_ns, 7_ns}}) log.append(span);
    EXPECT_EQ(log.all(), (std::vector<Span>{{5_ns, 9_ns}, {4_ns, 7_ns}}));
}

TEST(SpanLog, IsWhatAppendingToAVectorGives) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        SpanLog log;
        std::vector<Span> spans;
        Time at;
        for (std::uint64_t i = 0; i < 20; ++i) {
            at += Time{static_cast<std::int64_t>(random_at(seed, 2 * i) % 4)};
            const Span span{at, at + Time{static_cast<std::int64_t>(random_at(seed, 2 * i + 1) % 4)}};
            log.append(span);
            append(spans, span);
        }
        EXPECT_EQ(log.all(), spans) << seed;
    }
}

TEST(MergedSpans, CoverWhatTheSpansCover) {
    const std::vector<Span> spans{{5_ns, 6_ns}, {0_ns, 2_ns}, {1_ns, 3_ns}, {4_ns, 4_ns}, {3_ns, 4_ns}};
    EXPECT_EQ(merged(spans), (std::vector<Span>{{0_ns, 4_ns}, {5_ns, 6_ns}}));
    EXPECT_TRUE(merged({{1_ns, 1_ns}}).empty());
}

}   // namespace
}   // namespace oscar::span_test

// Two runs of one job that differ in nothing that was observed, but for the counters of flow control.
#pragma once

#include <gtest/gtest.h>

#include <tuple>

#include "models/job/job.hpp"

namespace oscar::test {

/// Transport is not compared: jobs that take the same time with and without flow control differ in its counters.
inline void expect_same(const Outcome& a, const Outcome& b) {
    EXPECT_EQ(a.finish, b.finish);
    EXPECT_EQ(a.path, b.path);
    EXPECT_EQ(a.records, b.records);
    EXPECT_EQ(a.wire_bytes, b.wire_bytes);
    EXPECT_EQ(a.resent.messages, b.resent.messages);
    EXPECT_EQ(a.resent.bytes, b.resent.bytes);
    EXPECT_EQ(a.faults, b.faults);
    for (std::size_t i = 0; i < a.steps.size(); ++i) {
        const StepTimes &x = a.steps[i], &y = b.steps[i];
        ASSERT_EQ(std::tie(x.issued, x.sent, x.arrived, x.ready, x.stored, x.path),
                  std::tie(y.issued, y.sent, y.arrived, y.ready, y.stored, y.path))
            << "step " << i;
    }
    for (std::size_t r = 0; r < a.ranks.size(); ++r) {
        const RankUse &x = a.ranks[r], &y = b.ranks[r];
        EXPECT_EQ(std::tie(x.encoder, x.decoder, x.wire, x.finish, x.path, x.last, x.dma_bytes, x.added_values),
                  std::tie(y.encoder, y.decoder, y.wire, y.finish, y.path, y.last, y.dma_bytes, y.added_values))
            << "rank " << r;
    }
    ASSERT_EQ(a.background.has_value(), b.background.has_value());
    if (a.background) {
        const BackgroundUse &x = *a.background, &y = *b.background;
        EXPECT_EQ(std::tie(x.offered_messages, x.offered_bytes, x.delivered_bytes, x.needed, x.duration),
                  std::tie(y.offered_messages, y.offered_bytes, y.delivered_bytes, y.needed, y.duration));
        EXPECT_EQ(x.completions, y.completions);
        EXPECT_EQ(x.busy, y.busy);
    }
    for (const EdgeId e : a.links.indices()) {
        const LinkUse &x = a.links[e], &y = b.links[e];
        EXPECT_EQ(std::tie(x.name, x.busy, x.packets, x.wire_bytes, x.flits),
                  std::tie(y.name, y.busy, y.packets, y.wire_bytes, y.flits))
            << x.name;
    }
}

}   // namespace oscar::test

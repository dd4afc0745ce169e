// One collective on the same ranks of a machine, dealt in two ways.
#pragma once

#include <gtest/gtest.h>

#include <tuple>

#include "models/job/job.hpp"

namespace oscar::test {

/// Every step takes the same times, and what rank r of the collective does is the same, be it `names_a[r]` or
/// `names_b[r]` of the machine.
inline void expect_same_but_for_names(const Outcome& a, const std::vector<Rank>& names_a, const Outcome& b,
                                      const std::vector<Rank>& names_b) {
    EXPECT_EQ(a.finish, b.finish);
    EXPECT_EQ(a.path, b.path);
    for (std::size_t i = 0; i < a.steps.size(); ++i) {
        const StepTimes &x = a.steps[i], &y = b.steps[i];
        ASSERT_EQ(std::tie(x.issued, x.sent, x.arrived, x.ready, x.path),
                  std::tie(y.issued, y.sent, y.arrived, y.ready, y.path))
            << "step " << i;
    }
    for (std::size_t r = 0; r < names_a.size(); ++r) {
        const RankUse &x = a.ranks[names_a[r].value], &y = b.ranks[names_b[r].value];
        EXPECT_EQ(std::tie(x.encoder, x.decoder, x.wire, x.finish, x.path),
                  std::tie(y.encoder, y.decoder, y.wire, y.finish, y.path))
            << "rank " << r << " of the collective";
    }
}

}   // namespace oscar::test

#include "sim/run/iteration/progress.hpp"

#include <gmock/gmock.h>

#include "tests/run/laboratory.hpp"

namespace oscar::progress_test {
namespace {

TEST(ShareOf, RisesWithEachMessageThatHasCome) {
    std::vector<double> shares;
    const ShareDone progress = [&](double share) { shares.push_back(share); };
    const std::function<void()> received = share_of(4, progress);
    for (int message = 0; message < 4; ++message) received();
    EXPECT_THAT(shares, ::testing::ElementsAre(0.25, 0.5, 0.75, 1));
}

/// The progress of an experiment while it runs.
std::vector<double> shares_of(std::string_view yaml) {
    std::vector<double> shares;
    test::Laboratory(yaml).run([&](const std::string&, double done) { shares.push_back(done); });
    return shares;
}

TEST(ProgressOfAnExperiment, RisesWithEachMessageFromNothingToTheWhole) {
    // Iterations 0 (warm-up) to 2 of the capture by two methods; a ring of 4 ranks has 24 messages, and each of the 6
    // runs is announced when it begins, as are four parts of the preparation.
    const std::vector<double> shares = shares_of("ranks: 4\nmethods: [fp32, asc]\n");
    EXPECT_EQ(shares.size(), 4U + 6 + 2 * 2 * 24);
    EXPECT_TRUE(std::ranges::is_sorted(shares));
    EXPECT_DOUBLE_EQ(shares.front(), 0);
    EXPECT_DOUBLE_EQ(shares.back(), 1);
}

}   // namespace
}   // namespace oscar::progress_test

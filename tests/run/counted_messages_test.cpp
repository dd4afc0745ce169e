#include "sim/run/counted_messages.hpp"

#include <gmock/gmock.h>

#include "models/collective/algorithms/ring.hpp"
#include "models/collective/endpoint/synthetic_message_source.hpp"
#include "tests/run/laboratory.hpp"

namespace oscar::counted_messages_test {
namespace {

TEST(CountedMessages, TellOfEachMessageThatHasCome) {
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const Plan plan(make_schedule(RingParams{}, 2), ElementType::float32, 32);
    const ChunkLayout layout = make_layout(EqualParams{}, 100, {2, 1}, {});
    SyntheticMessageSource messages(plan, *codec, layout);
    std::vector<double> shares;
    const ShareDone progress = [&](double share) { shares.push_back(share); };
    CountedMessages counted(messages, plan.schedule.steps.size(), progress);
    for (StepId step; step.value < plan.schedule.steps.size(); ++step.value) {
        EXPECT_EQ(counted.values(step), messages.values(step));
        counted.receive(step, counted.send(step));
    }
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
    // runs is announced when it begins.
    const std::vector<double> shares = shares_of("ranks: 4\nmethods: [fp32, asc]\n");
    EXPECT_EQ(shares.size(), 6U + 2 * 2 * 24);
    EXPECT_TRUE(std::ranges::is_sorted(shares));
    EXPECT_DOUBLE_EQ(shares.front(), 0);
    EXPECT_DOUBLE_EQ(shares.back(), 1);
}

}   // namespace
}   // namespace oscar::counted_messages_test

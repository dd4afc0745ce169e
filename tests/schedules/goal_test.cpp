// Schedules of GOAL: which messages they are, what these wait for, and what is said of files that are wrong.
#include "sim/schedules/goal.hpp"

#include <gmock/gmock.h>

#include <random>

#include "models/collective/schedule/find_problem.hpp"
#include "models/predict/log_gop.hpp"
#include "sim/config/error.hpp"
#include "tests/schedules/goal_text.hpp"

namespace oscar::goal_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Schedule schedule_from(const std::string& text) {
    GoalSchedule goal = read_goal(text);
    return make_schedule(FlowsParams{{Issue::dependency, 1}, std::move(goal.flows), std::move(goal.computations)},
                         goal.ranks);
}

std::string error_of(const std::string& text) {
    try {
        read_goal(text);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

/// 22,000 ns is what LogGOPSim prints of its dissemination_16.goal (its README).
TEST(Goal, OfADisseminationTakesTheRoundsAndThePublishedTime) {
    const Schedule schedule = schedule_from(test::dissemination_text(16));
    EXPECT_EQ(schedule.steps.size(), 16u * 4);
    EXPECT_EQ(schedule.timesteps(), 4u);
    EXPECT_EQ(find_problem(Operation::transfers, schedule), std::nullopt);
    LogGopParams params;
    params.latency = Time{2'500'000};
    params.overhead = Time{1'500'000};
    params.gap_per_byte = Time{};
    EXPECT_EQ(log_gop_time(params, schedule, Bytes{0}).ps, 22'000'000);
}

/// A send waits for the receive that it requires, through a calculation that takes no time and another send.
TEST(Goal, WaitsAreThoseForMessages) {
    const GoalSchedule goal = read_goal(R"(num_ranks 3   # three
rank 0 {
a: send 10b to 1 tag 5 cpu 0
}
rank 1 {
in: recv 10b from 0 tag 5
c: calc 0
one: send 4b to 2 tag 1 nic 1   // at once
two: send 4b to 2 tag 2
c requires in
one requires c
two irequires one
}
rank 2 {
y: recv 4b from 1 tag 2
x: recv 4b from 1 tag 1
}
)");
    EXPECT_EQ(goal.ranks, 3u);
    EXPECT_THAT(goal.flows, ElementsAre(FlowSpec{0, 1, Bytes{12}, {}, {}}, FlowSpec{1, 2, Bytes{4}, {}, {0}},
                                        FlowSpec{1, 2, Bytes{4}, {}, {0}}));
    EXPECT_TRUE(goal.computations.empty());
}

/// The receivers stand in another order in the file than the sends to them.
TEST(Goal, SendsOfARankGoInTheOrderOfTheFile) {
    std::string text = "num_ranks 6\n";
    for (const std::uint32_t rank : {0u, 1u, 3u, 5u}) {
        text += fmt::format("rank {} {{\n", rank);
        if (rank == 1) text += "a: send 15528b to 3\nb: send 26188b to 0\nc: send 18524b to 5\n}\n";
        else text += fmt::format("r: recv {}b from 1\n}}\n", rank == 3 ? 15528 : rank == 0 ? 26188 : 18524);
    }
    std::vector<std::uint32_t> receivers;
    for (const FlowSpec& flow : read_goal(text).flows) receivers.push_back(flow.to);
    EXPECT_THAT(receivers, ElementsAre(3, 0, 5));
}

/// A relay that may begin when its receive has: with the first message, not behind it.
TEST(Goal, IRequiresAsksForTheStartAlone) {
    const auto relay = [](const std::string& word) {
        return read_goal(
                   "num_ranks 3\nrank 0 {\na: send 4b to 1\n}\nrank 1 {\nin: recv 4b from 0\nout: send 4b to 2\nout " +
                   word + " in\n}\nrank 2 {\nb: recv 4b from 1\n}\n")
            .flows.at(1);
    };
    EXPECT_THAT(relay("requires").after, ElementsAre(0));
    EXPECT_THAT(relay("irequires").after, ElementsAre());
}

/// A send that asks for the start of the receive of its own answer waits for nothing.
TEST(Goal, TheStartOfAReceiveDoesNotWaitForItsMessage) {
    const GoalSchedule goal = read_goal(
        "num_ranks 2\nrank 0 {\nask: send 4b to 1\nanswer: recv 8b from 1\nask irequires answer\n}\nrank 1 {\nin: recv "
        "4b from 0\nout: send 8b to 0\nout requires in\n}\n");
    EXPECT_THAT(goal.flows, ElementsAre(FlowSpec{0, 1, Bytes{4}, {}, {}}, FlowSpec{1, 0, Bytes{8}, {}, {0}}));
}

/// The second send waits for the receive and for 10 us of processor 1 after it; the first for neither.
TEST(Goal, CalculationsTakeTheirNanosecondsBetweenMessages) {
    const GoalSchedule goal = read_goal(
        "num_ranks 2\nrank 0 {\na: send 4b to 1\nb: recv 8b from 1\n}\nrank 1 {\nin: recv 4b from 0\nc: calc 10000 cpu "
        "1\nout: send 8b to 0\nc requires in\nout requires c\n}\n");
    EXPECT_THAT(goal.flows, ElementsAre(FlowSpec{0, 1, Bytes{4}, {}, {}, {}}, FlowSpec{1, 0, Bytes{8}, {}, {}, {0}}));
    EXPECT_THAT(goal.computations, ElementsAre(ComputationSpec{1, 1, Time{10'000'000}, {0}, {}}));
    EXPECT_EQ(schedule_from("num_ranks 2\nrank 0 {\na: send 4b to 1\n}\nrank 1 {\nc: calc 5\nin: recv 4b from 0\n}\n")
                  .timesteps(),
              1u);
}

/// Where each operation requires the one before, waits do not grow with the file.
TEST(Goal, LongChainsOfAllOperationsAreGathered) {
    constexpr std::uint32_t rounds = 400;
    std::string first = "num_ranks 2\nrank 0 {\n", second = "rank 1 {\n";
    for (std::uint32_t i = 0; i < rounds; ++i) {
        first += fmt::format("s{}: send 4b to 1\nr{}: recv 4b from 1\nr{} requires s{}\n", i, i, i, i);
        second += fmt::format("r{}: recv 4b from 0\ns{}: send 4b to 0\ns{} requires r{}\n", i, i, i, i);
        if (i > 0) first += fmt::format("s{} requires r{}\n", i, i - 1);
    }
    const GoalSchedule goal = read_goal(first + "}\n" + second + "}\n");
    for (const FlowSpec& flow : goal.flows) ASSERT_LE(flow.after.size() + flow.computed.size(), 16u);
    EXPECT_EQ(schedule_from(first + "}\n" + second + "}\n").timesteps(), 2 * rounds);
    const FlowsParams flat = without_computations({{}, goal.flows, goal.computations});
    EXPECT_EQ(make_schedule(flat, 2).timesteps(), 2 * rounds);
}

TEST(Goal, CommentsOfCAreLeftOutAlsoOverLines) {
    const GoalSchedule goal = read_goal(
        "/* two\n ranks */ num_ranks 2 // two\nrank 0 {\na: send 4b /* to 7 */ to 1\n}\nrank 1 { # /* no end\nb: recv "
        "4b "
        "from 0\n/* c: send 4b to 0 */\n}\n");
    EXPECT_THAT(goal.flows, ElementsAre(FlowSpec{0, 1, Bytes{4}, {}, {}}));
    EXPECT_EQ(error_of("num_ranks 2\n/* rank\n"), "line 2: a comment begins with /* and has no end; write */");
    EXPECT_THAT(error_of("/*\n*/ ranks 4\n"), HasSubstr("line 2: 'ranks'"));
}

/// As MPI has it: sends of a pair in their order, each to the first receive that takes it.
TEST(Goal, AReceiveOfAnyTagTakesTheFirstThatIsLeft) {
    const GoalSchedule goal = read_goal(
        "num_ranks 2\nrank 0 {\na: send 4b to 1 tag 1\nb: send 8b to 1 tag 2\nc: send 12b to 1 tag 1\n}\nrank 1 {\nx: "
        "recv 8b "
        "from 0 tag 2\ny: recv 4b from 0 tag any\nz: recv 12b from 0 tag -1\n}\n");
    EXPECT_EQ(goal.flows.size(), 3u);
    EXPECT_THAT(error_of("num_ranks 2\nrank 0 {\na: send 4b to 1 tag 1\n}\nrank 1 {\nb: recv 4b from any tag 1\n}\n"),
                HasSubstr("line 6: takes a message of any source, a wildcard"));
}

/// The values of a message are counted in 32 bits: 5 GiB are possible, however many of them there are, and 16 are not.
TEST(Goal, AMessageMayHaveLessThanSixteenGigabytesAndAllMessagesAnyNumber) {
    const auto text = [](std::uint32_t count, std::uint64_t bytes) {
        std::string first = "num_ranks 2\nrank 0 {\n", second = "rank 1 {\n";
        for (std::uint32_t i = 0; i < count; ++i) {
            first += fmt::format("s{}: send {}b to 1\n", i, bytes);
            second += fmt::format("r{}: recv {}b from 0\n", i, bytes);
        }
        return first + "}\n" + second + "}\n";
    };
    EXPECT_EQ(read_goal(text(4, 5'368'709'120)).flows.at(3).bytes, Bytes{5'368'709'120});
    EXPECT_EQ(read_goal(text(1, 17'179'869'180)).flows.at(0).bytes, Bytes{17'179'869'180});
    EXPECT_THAT(error_of(text(1, 17'179'869'181)), HasSubstr("line 3: a message has 16 GiB or more"));
}

TEST(Goal, MessagesOfOneTagAreTakenInTheOrderOfTheFile) {
    const GoalSchedule goal = read_goal(
        "num_ranks 2\nrank 1 {\nr: recv 4b from 0\ns: recv 8b from 0\nt: send 4b to "
        "0\nt requires s\n}\nrank 0 {\na: send 4b to 1\nb: send 8b to 1\nc: recv 4b from "
        "1\n}\n");
    ASSERT_EQ(goal.flows.size(), 3u);
    for (const FlowSpec& flow : goal.flows)
        if (flow.from == 1) {
            ASSERT_EQ(flow.after.size(), 1u);
            EXPECT_EQ(goal.flows[flow.after[0]].bytes, Bytes{8});
        }
}

TEST(Goal, ChainsAsLongAsAFileAreRead) {
    constexpr std::uint32_t rounds = 20'000;
    std::string first = "num_ranks 2\nrank 0 {\n", second = "rank 1 {\n";
    for (std::uint32_t i = 0; i < rounds; ++i) {
        first += fmt::format("s{}: send 4b to 1\nr{}: recv 4b from 1\n", i, i);
        second += fmt::format("r{}: recv 4b from 0\ns{}: send 4b to 0\ns{} requires r{}\n", i, i, i, i);
        if (i > 0) first += fmt::format("s{} requires r{}\n", i, i - 1);
    }
    EXPECT_EQ(schedule_from(first + "}\n" + second + "}\n").timesteps(), 2 * rounds);
}

struct Wrong {
    std::string text, words;
};
class OfAWrongFile : public ::testing::TestWithParam<Wrong> {};
TEST_P(OfAWrongFile, TheLineAndTheRemedyAreTold) {
    const std::string error = error_of(GetParam().text);
    EXPECT_THAT(error, HasSubstr(GetParam().words)) << error;
}
const std::string two = "num_ranks 2\nrank 0 {\n";
INSTANTIATE_TEST_SUITE_P(
    Goal, OfAWrongFile,
    ::testing::Values(
        Wrong{"", "there is no num_ranks; write it like num_ranks 16"},
        Wrong{"ranks 4\n", "line 1: 'ranks' where the number of ranks is to stand"},
        Wrong{"num_ranks 1\n", "line 1: num_ranks is 1; there must be two at least"},
        Wrong{"num_ranks many\n", "line 1: num_ranks is 'many'; write a whole number from 0 to 4096"},
        Wrong{"num_ranks 2\n\nl1: send 8b to 1\n", "line 3: 'l1:' outside of a rank; write rank 0 {"},
        Wrong{"num_ranks 2\nrank 2 {\n}\n", "line 2: rank is '2'; write a whole number from 0 to 1"},
        Wrong{two + "}\nrank 0 {\n}\n", "line 4: rank 0 stands twice"}, Wrong{two, "rank 0 has no end; write }"},
        Wrong{two + "a: put 8b to 1\n}\n", "line 3: 'put' is no operation; write send, recv or calc"},
        Wrong{two + "a: send 8b at 1\n}\n", "line 3: write it like send 8b to 1"},
        Wrong{two + "a: send 8x to 1\n}\n",
              "line 3: size is '8x'; write a whole number from 0 to 17179869184, like 8b"},
        Wrong{two + "a: send 8b to 0\n}\n", "line 3: rank 0 sends to itself"},
        Wrong{two + "a: send 8b to 1 flag 3\n}\n", "line 3: 'flag' is neither tag nor cpu nor nic"},
        Wrong{two + "a: send 8b to 1 tag\n}\n", "line 3: has no tag"},
        Wrong{two + "a: calc soon\n}\n", "line 3: calc is 'soon'; write a whole number from 0 to"},
        Wrong{two + "a: send 8b to 1\na requires a\n}\nrank 1 {\nb: recv 8b from 0\n}\n",
              "line 3: waits for line 3, which waits for it"},
        Wrong{two + "a: calc 0\na: calc 0\n}\n", "line 4: there is an operation 'a' at rank 0 already"},
        Wrong{two + "a: calc 0\na requires b\n}\n", "line 4: there is no operation 'b' at rank 0"},
        Wrong{two + "a: calc 0\na needs a\n}\n", "line 4: 'a' is neither an operation"},
        Wrong{two + "a: send 8b to 1\n}\nrank 1 {\n}\n", "line 3: rank 1 has no receive for this message"},
        Wrong{two + "a: recv 8b from 1\n}\n", "line 3: rank 1 sends no such message to rank 0"},
        Wrong{two + "a: send 8b to 1\n}\nrank 1 {\nb: recv 4b from 0\n}\n",
              "line 6: 4 bytes are received of the 8 that line 3 sends"},
        Wrong{two + "a: send 8b to 1\nb: recv 8b from 1\na requires b\n}\nrank 1 {\na: recv 8b from 0\nb: send 8b to "
                    "0\nb requires a\n}\n",
              "which waits for it; leave one out"},
        Wrong{two + "}\n", "there is no message"}));

/// Whatever is changed, the file is read, or refused in a line.
TEST(Goal, RandomChangesAreReadOrRefused) {
    std::mt19937_64 random(7);
    const std::string text = test::dissemination_text(4);
    const std::string letters = "0123456789 \nlb:{}requistagncd";
    std::size_t read = 0;
    for (int i = 0; i < 3000; ++i) {
        std::string changed = text;
        for (std::uint64_t k = 0; k < 1 + random() % 3; ++k)
            changed[random() % changed.size()] = letters[random() % letters.size()];
        const std::string error = error_of(changed);
        read += error.empty();
        EXPECT_EQ(error.find('\n'), std::string::npos);
        if (error.empty()) {
            EXPECT_NO_THROW(schedule_from(changed));
        }
    }
    EXPECT_GT(read, 0u);
    EXPECT_LT(read, 3000u);
}

}   // namespace
}   // namespace oscar::goal_test

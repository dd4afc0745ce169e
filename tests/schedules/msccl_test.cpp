// Algorithms of MSCCL: what they send, and what is said of those that are wrong.
#include <gmock/gmock.h>

#include <random>

#include "models/collective/algorithms/all_reduce/ring.hpp"
#include "sim/config/error.hpp"
#include "sim/schedules/msccl_steps.hpp"
#include "tests/schedules/msccl_program.hpp"

namespace oscar::msccl_test {
namespace {

using ::testing::HasSubstr;

MscclSchedule read(const std::string& text) { return schedule_of(read_msccl(text)); }

/// Performs what it says, or make_schedule throws.
Schedule schedule_from(const std::string& text, std::uint32_t ranks) {
    ListedScheduleParams params;
    MscclSchedule listed = read(text);
    params.operation = listed.operation;
    params.steps = std::move(listed.steps);
    params.sums = std::move(listed.sums);
    return make_schedule(params, ranks);
}

std::string error_of(const std::string& text) {
    try {
        read(text);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

/// `text` with the first `what` after the first `after` replaced.
std::string with(std::string text, const std::string& after, const std::string& what, const std::string& by) {
    const std::size_t at = text.find(what, text.find(after));
    EXPECT_NE(at, std::string::npos) << what;
    return text.replace(at, what.size(), by);
}

TEST(Msccl, ARingTakesTheStepsOfARing) {
    for (const std::uint32_t ranks : {2u, 3u, 8u}) {
        const Schedule schedule = schedule_from(test::ring_text(ranks), ranks),
                       own = make_schedule(RingParams{}, ranks);
        EXPECT_EQ(schedule.steps.size(), own.steps.size()) << ranks;
        EXPECT_EQ(schedule.timesteps(), own.timesteps()) << ranks;
        EXPECT_EQ(schedule.chunks, ranks);
    }
}

/// As published: two steps, whatever the number of GPUs (Cowan et al., MSCCLang, section 2).
TEST(Msccl, SumsThatAreMadeOfScratchAreMadeOnArrival) {
    for (const std::uint32_t ranks : {2u, 4u, 8u}) {
        const Schedule schedule = schedule_from(test::all_pairs_text(ranks), ranks);
        EXPECT_EQ(schedule.timesteps(), 2u) << ranks;
        EXPECT_EQ(schedule.steps.size(), 2u * ranks * (ranks - 1));
    }
}

TEST(Msccl, AnAllGatherByRecursiveDoublingTakesLogarithmicallyManySteps) {
    const MscclSchedule listed = read(test::doubling_text(8));
    EXPECT_EQ(listed.operation, Operation::all_gather);
    const Schedule schedule = schedule_from(test::doubling_text(8), 8);
    EXPECT_EQ(schedule.timesteps(), 3u);
    EXPECT_EQ(schedule.steps.size(), 8u * 7);   // a message for each chunk that a GPU gets
}

TEST(Msccl, AnAllToAllMayRelayByScratch) {
    const Schedule schedule = schedule_from(test::relayed_text(), 4);
    EXPECT_EQ(schedule.timesteps(), 2u);
    EXPECT_EQ(schedule.steps.size(), 4u * (3 + 1));   // one of three blocks goes by another GPU
}

/// The smallest that changes a place after it was sent: both send, then both add. Each message is what its sender began
/// with, though the place has changed when the list goes on.
TEST(Msccl, AMessageCarriesWhatStoodInItsPlaceWhenItWasSent) {
    std::vector<std::vector<test::BlockText>> gpus;
    for (const int peer : {1, 0}) {
        test::BlockText block(peer, peer);
        block.step("s", "i0", "s0").step("r", "i0", "s0").step("re", "s0", "i0");
        gpus.push_back({block});
    }
    const MscclSchedule listed = read(test::algorithm_text("allreduce", 1, gpus));
    EXPECT_EQ(listed.steps, (std::vector<ListedStep>{{0, 1, 0, Op::reduce}, {1, 0, 0, Op::reduce}}));
    EXPECT_EQ(listed.sums.carried, (std::vector<ListedSum>{{true, {}}, {true, {}}}));
    EXPECT_EQ(listed.sums.results, (std::vector<ListedSum>{{true, {1}}, {true, {0}}}));
    const Schedule schedule = schedule_from(test::algorithm_text("allreduce", 1, gpus), 2);
    EXPECT_EQ(schedule.timesteps(), 1u);
    EXPECT_TRUE(schedule.scratch.has_value());
}

TEST(Msccl, OneShotSendsAllToAllInOneTimestep) {
    for (std::uint32_t gpus = 2; gpus <= 8; ++gpus) {
        const Schedule schedule = schedule_from(test::program_text(gpus, 1, test::one_shot(gpus, 0, 0)), gpus);
        EXPECT_EQ(schedule.steps.size(), gpus * (gpus - 1)) << gpus;
        EXPECT_EQ(schedule.timesteps(), 1u) << gpus;
    }
}

TEST(Msccl, SumsMayBeMadeInScratch) {
    for (std::uint32_t gpus = 2; gpus <= 8; ++gpus) {
        const Schedule schedule = schedule_from(test::program_text(gpus, 1, test::by_root(gpus, 0, 0, gpus - 1)), gpus);
        EXPECT_EQ(schedule.steps.size(), 2 * (gpus - 1)) << gpus;
        EXPECT_EQ(schedule.timesteps(), 2u) << gpus;
    }
}

/// What comes by is handed on as it came, and not with what was added to it.
TEST(Msccl, WhatIsAddedMayBeHandedOnWithoutTheSum) {
    for (std::uint32_t gpus = 2; gpus <= 8; ++gpus) {
        const Schedule schedule = schedule_from(test::program_text(gpus, 1, test::round_a_ring(gpus, 0, 0)), gpus);
        EXPECT_EQ(schedule.steps.size(), gpus * (gpus - 1)) << gpus;
        EXPECT_EQ(schedule.timesteps(), gpus - 1) << gpus;
    }
}

/// Up and down two levels.
TEST(Msccl, IslandsAddInsideAndThenBetween) {
    for (const std::uint32_t gpus : {4u, 6u, 8u}) {
        const Schedule schedule = schedule_from(test::program_text(gpus, 1, test::in_islands(gpus, 0)), gpus);
        EXPECT_EQ(schedule.steps.size(), 2 * (gpus - 1)) << gpus;
        EXPECT_EQ(schedule.timesteps(), 4u) << gpus;
    }
}

/// Output and input are two buffers: the input is still there when the output has been changed.
TEST(Msccl, OutOfPlaceTheInputStaysAsItWas) {
    std::vector<std::vector<test::BlockText>> gpus;
    for (const int peer : {1, 0}) {
        test::BlockText block(peer, peer);
        if (peer == 1) block.step("s", "i0", "o0").step("rrc", "i0", "o0");
        else block.step("rrc", "i0", "o0").step("s", "i0", "o0");   // after the output has its sum
        gpus.push_back({block});
    }
    const std::string in_place = test::algorithm_text("allreduce", 1, gpus);
    EXPECT_THAT([&] { schedule_from(in_place, 2); },
                ::testing::ThrowsMessage<std::invalid_argument>(HasSubstr("adds a contribution a second time")));
    EXPECT_EQ(schedule_from(with(in_place, "", "inplace=\"1\"", "inplace=\"0\""), 2).timesteps(), 1u);
}

/// As compilers write it: two waits before a step take a nop, whose offsets say nothing.
TEST(Msccl, ANopWaitsAndMovesNothing) {
    const std::string text = test::all_pairs_text(4);
    const std::string nop =
        "<step s=\"0\" type=\"nop\" srcbuf=\"i\" srcoff=\"-1\" dstbuf=\"o\" dstoff=\"-1\" cnt=\"0\" depid=\"-1\" "
        "deps=\"-1\" hasdep=\"0\"/>";
    const std::string extra = "    <tb id=\"4\" send=\"-1\" recv=\"-1\" chan=\"0\">" + nop + "</tb>\n  </gpu>";
    EXPECT_EQ(read(with(text, "", "  </gpu>", extra)).steps, read(text).steps);
    EXPECT_EQ(schedule_from(with(text, "", "  </gpu>", extra), 4).timesteps(), 2u);
    const std::string unused = with(text, "type=\"r\"", "srcoff=\"0\"", "srcoff=\"-1\"");   // a receive has no source
    EXPECT_EQ(read(unused).steps, read(text).steps);
}

/// The middle one of three places that are written: by two threadblocks, none of which waits for the other.
TEST(Msccl, TwoStepsOnOnePlaceThatNothingOrdersAreRefused) {
    const auto said = [](int waits_block, int waits_step) {
        test::BlockText first(1, 1), second(-1, -1), peer(0, 0);
        first.step("s", "i0", "s0").step("r", "i0", "s0");
        second.step("cpy", "i0", "s0", 1, waits_block, waits_step).step("re", "s0", "i0", 1, 0, 1);
        peer.step("r", "i0", "s0").step("s", "i0", "s0").step("re", "s0", "i0");
        return error_of(test::algorithm_text("allreduce", 1, {{first, second}, {peer}}));
    };
    EXPECT_THAT(said(-1, -1), HasSubstr("scratch, which tb "));
    EXPECT_THAT(said(-1, -1), HasSubstr("nothing says which comes first: write depid=\""));
    EXPECT_THAT(said(0, 1), HasSubstr("adds the GPU's own values a second time"));   // in an order, but not a sum
}

TEST(Msccl, WhatNobodyReceivesIsRefused) {
    const std::string ring = test::ring_text(2);
    EXPECT_THAT(error_of(with(ring, "<gpu id=\"1\"", "type=\"r\"", "type=\"nop\"")),
                HasSubstr("gpu 0, tb 0, step 1: gpu 1 never receives this message"));
}

/// Chunks that never move have no sum, also behind the last that does.
TEST(Msccl, AChunkThatNobodyMovesIsMissed) {
    EXPECT_THAT([&] { schedule_from(with(test::ring_text(3), "", "nchunksperloop=\"3\"", "nchunksperloop=\"4\""), 3); },
                ::testing::ThrowsMessage<std::invalid_argument>(HasSubstr("chunk 3 summed over 1 of 3 ranks")));
}

TEST(Msccl, WhatHasNoEffectIsNamed) {
    EXPECT_EQ(read_msccl(with(test::ring_text(2), "", "inplace", "minBytes=\"0\" maxBytes=\"65536\" inplace")).unused,
              "proto LL, minBytes 0, maxBytes 65536");
}

/// Every one is an AllReduce, or make_schedule throws.
TEST(Msccl, RandomProgramsOfACompilerArePerformed) {
    std::uint32_t with_scratch = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        const auto [gpus, text] = test::random_program(seed);
        ASSERT_EQ(error_of(text), "") << "seed " << seed;
        with_scratch += schedule_from(text, gpus).scratch.has_value();
    }
    EXPECT_GT(with_scratch, 75u);
    EXPECT_LT(with_scratch, 150u);
}

/// A wait that is left out is found: of any program that has one, whichever it is, or the program needs it not.
TEST(Msccl, ProgramsWithoutOneOfTheirWaitsAreRefusedOrTheSame) {
    std::uint32_t refused = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const auto [gpus, text] = test::random_program(seed);
        const std::size_t at = text.find("depid=\"", text.size() * (seed % 8) / 8);
        if (at == std::string::npos || text.substr(at, 9) == "depid=\"-1") continue;
        std::string without = text;
        without.replace(at, without.find("hasdep", at) - at, "depid=\"-1\" deps=\"-1\" ");
        const std::string said = error_of(without);
        refused += !said.empty();
        if (said.empty()) {
            EXPECT_NO_THROW(schedule_from(without, gpus)) << "seed " << seed;
        } else {
            EXPECT_THAT(said, HasSubstr("nothing says which comes first")) << "seed " << seed;
        }
    }
    EXPECT_GT(refused, 10u);
}

TEST(Msccl, WhatIsNoAlgorithmIsAnsweredByItsPlaceAndARemedy) {
    const std::string ring = test::ring_text(4);
    const std::vector<std::pair<std::string, std::string>> cases{
        {"", "has no element algo"},
        {"<algo", "line 1: is no XML"},
        {ring.substr(0, 300), "line "},
        {"<schedule/>", "has no element algo; an algorithm of MSCCL begins with <algo"},
        {with(ring, "", "coll=\"allreduce\"", "coll=\"custom\""), "coll is 'custom'; allreduce, allgather"},
        {with(ring, "", "ngpus=\"4\"", "ngpus=\"5\""), "ngpus is '5', but 4 elements gpu follow"},
        {with(ring, "", "nchunksperloop=\"4\" ", ""), "has no nchunksperloop; write nchunksperloop="},
        {with(ring, "<gpu id=\"1\"", "id=\"1\"", "id=\"7\""), "gpu 1: id is '7'; elements are numbered"},
        {with(ring, "<gpu id=\"2\"", "type=\"rrs\"", "type=\"rx\""),
         "gpu 2, tb 0, step 1: type is 'rx'; write one of s, r"},
        {with(ring, "<gpu id=\"2\"", "srcoff=\"2\"", "srcoff=\"two\""),
         "gpu 2, tb 0, step 0: srcoff is 'two'; write a whole"},
        {with(ring, "<gpu id=\"2\"", "srcbuf=\"i\"", "srcbuf=\"x\""), "srcbuf is 'x'; write i (input), o (output)"},
        {with(ring, "<gpu id=\"3\"", "send=\"0\"", "send=\"-1\""),
         "gpu 3, tb 0, step 0: sends, but its threadblock has send"},
        {with(ring, "<gpu id=\"3\"", "send=\"0\"", "send=\"3\""),
         "gpu 3, tb 0, step 0: sends to gpu 3, which is no other"},
        {with(ring, "<gpu id=\"1\"", "chan=\"0\"", "chan=\"1\""), "that nobody sends"},
        {with(ring, "<gpu id=\"0\"", "depid=\"-1\"", "depid=\"3\""), "waits for step -1 of tb 3, which is never done"},
        {with(ring, "<gpu id=\"1\"", "srcoff=\"0\"", "srcoff=\"9\""), "gpu 1, tb 0, step 1: buffer i has no chunk 9"},
        {with(ring, "<gpu id=\"1\"", "srcoff=\"0\"", "srcoff=\"2\""),
         "gpu 1, tb 0, step 1: adds chunk 0 of the result to chunk 2"},
        {with(ring, "<gpu id=\"1\"", "cnt=\"1\"", "cnt=\"2\""), "receives 1 chunks where 2 were sent; correct cnt"},
        {with(test::doubling_text(4), "", "nchunksperloop=\"4\"", "nchunksperloop=\"6\""),
         "nchunksperloop is '6'; of 4 GPUs"},
        {with(ring, "", "<gpu", "<cpu/><gpu"), "has an element cpu; only gpu belongs here"},
    };
    for (const auto& [text, words] : cases) {
        const std::string said = error_of(text);
        EXPECT_THAT(said, HasSubstr(words));
        EXPECT_EQ(said.find('\n'), std::string::npos) << said;
    }
}

/// A sum that lacks a contribution is found when the schedule is made.
TEST(Msccl, AnAlgorithmThatLosesAContributionIsNoAllReduce) {
    const std::string text = with(test::all_pairs_text(4), "<gpu id=\"0\"", "type=\"re\"", "type=\"nop\"");
    EXPECT_THAT([&] { schedule_from(text, 4); },
                ::testing::ThrowsMessage<std::invalid_argument>(HasSubstr("its steps do not perform all_reduce: ")));
}

TEST(Msccl, DeepNestingIsRefusedBeforeItIsParsed) {
    std::string deep;
    for (int i = 0; i < 200'000; ++i) deep += "<algo>";
    EXPECT_THAT(error_of(deep), HasSubstr("nested too deep"));
}

/// Whatever the bytes are, the answer is a schedule or one line.
TEST(Msccl, RandomChangesOfAFileAreReadOrAnswered) {
    std::mt19937_64 random(7);
    const std::vector<std::string> seeds{test::ring_text(3), test::all_pairs_text(3), test::doubling_text(4),
                                         test::relayed_text()};
    std::uint32_t answered = 0;
    for (int round = 0; round < 3000; ++round) {
        std::string text = seeds[random() % seeds.size()];
        for (std::uint64_t change = 0; change <= random() % 4; ++change) {
            const std::size_t at = random() % text.size();
            if (random() % 3 == 0) text.erase(at, 1 + random() % 30);
            else if (random() % 2 == 0) text.insert(at, text.substr(random() % text.size(), random() % 60));
            else text[at] = "0123456789-<>\"/ sriox&;\0"[random() % 24];
            if (text.empty()) text = "<";
        }
        const std::string said = error_of(text);
        answered += !said.empty();
        ASSERT_EQ(said.find('\n'), std::string::npos) << said;
    }
    EXPECT_GT(answered, 1000u);
}

}   // namespace
}   // namespace oscar::msccl_test

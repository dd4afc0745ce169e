// Algorithms of MSCCL: what they send, and what is said of those that are wrong.
#include <gmock/gmock.h>

#include <random>

#include "models/collective/algorithms/ring.hpp"
#include "sim/config/error.hpp"
#include "sim/schedules/msccl_steps.hpp"
#include "tests/schedules/msccl_text.hpp"

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

// Messages that kernels of the GPU code: a call at either end, coded bytes by DMA, and the same sums.
#include <gtest/gtest.h>

#include "tests/machine/same_outcome.hpp"
#include "tests/machine/support.hpp"

namespace oscar::coding_on_gpu_test {
namespace {

using test::Machine;
using test::MachineSpec;

/// Calls of so long, however many values they code.
CodingKernelParams calls_of(Time encode, Time decode) {
    constexpr std::uint32_t many = 1'000'000;
    const auto rate = [](Time call) { return CodingRate{many, 1000.0 * many / static_cast<double>(call.ps)}; };
    return {{rate(encode)}, {rate(decode)}};
}

MachineSpec with_calls(std::uint32_t ranks, const CodingKernelParams& calls) {
    MachineSpec spec;
    spec.ranks = ranks;
    spec.node.gpu.gradients = GradientForm::codes;
    spec.node.gpu.staging = Staging::gpu;
    spec.node.gpu.coding = calls;
    spec.node.engine.place = EnginePlace::gpu;
    return spec;
}

constexpr Time encode = 30_us, decode = 20_us;

/// A machine whose calls take next to nothing, and one whose encoding takes its time.
struct Pair {
    explicit Pair(std::uint32_t ranks)
        : free(with_calls(ranks, calls_of(1_ps, 1_ps)), "free" + std::to_string(ranks)),
          paying(with_calls(ranks, calls_of(encode, 1_ps)), "paying" + std::to_string(ranks)) {}
    Machine free, paying;
};

Outcome outcome_of(Machine& machine, const CodecChoice& choice, const Plan& plan, Issue issue) {
    const auto codec = make_codec(choice, Framing{});
    const std::uint32_t ranks = plan.schedule.ranks;
    return machine.run(plan, *codec, test::codes(ranks, plan.schedule.chunks * 1024, 8, 1), issue, {}).outcome;
}

Time total_of(const Outcome& outcome, std::vector<Span> RankUse::*busy, std::uint32_t rank) {
    return test::total(outcome.ranks[rank].*busy);
}

/// n - 1 messages that are added, and a sum, which is encoded once and handed on as it came. A call that takes a
/// picosecond rather than its time is that much shorter.
TEST(AGpuThatCodes, EncodesEachSumOfARingOnce) {
    std::vector<std::unique_ptr<Pair>> pairs;
    for (const std::uint32_t ranks : {2u, 3u, 5u}) pairs.push_back(std::make_unique<Pair>(ranks));
    for (const auto& pair : pairs)
        for (const Issue issue : {Issue::lock_step, Issue::dependency})
            for (const CodecChoice& choice : {CodecChoice(AscParams{}), CodecChoice(RansParams{})}) {
                const std::uint32_t ranks = pair->free.topology().ranks;
                SCOPED_TRACE(::testing::Message() << ranks << " ranks, " << choice.name());
                const Outcome slow = outcome_of(pair->paying, choice, test::int8_plan(ranks), issue);
                const Outcome fast = outcome_of(pair->free, choice, test::int8_plan(ranks), issue);
                EXPECT_EQ(slow.duration() - fast.duration(), std::int64_t{ranks} * (encode - 1_ps));
                for (std::uint32_t r = 0; r < ranks; ++r)
                    EXPECT_EQ(total_of(slow, &RankUse::encoder, r), std::int64_t{ranks} * encode);
            }
}

/// The sums that a rank is sent are decoded one after the other, the last when it is there: n - 1 messages that are
/// added wait for each other, and one more, or all of them.
TEST(AGpuThatCodes, DecodesEachMessageAndEndsWithTheLast) {
    constexpr std::uint32_t ranks = 4;
    Machine machine(with_calls(ranks, calls_of(1_ps, decode)), "decoding"),
        free(with_calls(ranks, calls_of(1_ps, 1_ps)), "quick");
    const Plan plan = test::int8_plan(ranks);
    const Outcome slow = outcome_of(machine, AscParams{}, plan, Issue::dependency);
    const Outcome fast = outcome_of(free, AscParams{}, plan, Issue::dependency);
    for (std::uint32_t r = 0; r < ranks; ++r)
        EXPECT_GE(total_of(slow, &RankUse::decoder, r), std::int64_t{2} * (ranks - 1) * decode);
    const Time longer = slow.duration() - fast.duration();
    EXPECT_GE(longer, std::int64_t{ranks} * (decode - 1_ps));
    EXPECT_LE(longer, std::int64_t{2} * (ranks - 1) * (decode - 1_ps));
}

/// Every message is read by DMA at its sender and written at its receiver, as it is on the wire.
TEST(AGpuThatCodes, HasDmaMoveCodedBytes) {
    Pair pair(4);
    const Plan plan = test::int8_plan(4);
    const Outcome outcome = outcome_of(pair.free, AscParams{}, plan, Issue::dependency);
    std::vector<std::uint64_t> moved(4);
    for (std::size_t i = 0; i < plan.schedule.steps.size(); ++i)
        for (const Rank rank : {plan.schedule.steps[i].from, plan.schedule.steps[i].to})
            moved[rank.value] += outcome.records[i].bytes;
    for (std::uint32_t r = 0; r < 4; ++r) EXPECT_EQ(outcome.ranks[r].dma_bytes, moved[r]);
}

/// Three parts leave a rank at once, and three come; its sum is encoded once and sent to three.
TEST(AGpuThatCodes, MakesOneCallAtATime) {
    Machine machine(with_calls(4, calls_of(encode, decode)), "both");
    const Plan plan(make_schedule(DirectParams{}, 4), ElementType::integer, 8);
    const Outcome outcome = outcome_of(machine, AscParams{}, plan, Issue::dependency);
    for (std::uint32_t r = 0; r < 4; ++r) {
        EXPECT_EQ(total_of(outcome, &RankUse::encoder, r), std::int64_t{4} * encode);
        EXPECT_GE(total_of(outcome, &RankUse::decoder, r), std::int64_t{6} * decode);
        for (const Span& coding : outcome.ranks[r].encoder)
            for (const Span& decoding : outcome.ranks[r].decoder)
                EXPECT_TRUE(coding.end <= decoding.begin || decoding.end <= coding.begin);
    }
}

TEST(AGpuThatCodes, MakesNoCallForUncodedValues) {
    Pair pair(3);
    for (const Issue issue : {Issue::lock_step, Issue::dependency}) {
        const Plan plan = test::int8_plan(3);
        EXPECT_EQ(outcome_of(pair.paying, FixedPointParams{}, plan, issue).duration(),
                  outcome_of(pair.free, FixedPointParams{}, plan, issue).duration());
    }
}

}   // namespace
}   // namespace oscar::coding_on_gpu_test

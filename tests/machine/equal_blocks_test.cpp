// What NICs take in many at a time takes the time of each block by itself, at all fidelities. Seeds are printed.
#include "models/codec/interface/forwarding_codec.hpp"
#include "models/codec/message/size_only_codec.hpp"
#include "models/collective/endpoint/synthetic_message_source.hpp"
#include "tests/machine/same_outcome.hpp"
#include "tests/machine/support.hpp"

namespace oscar::equal_blocks_test {
namespace {

using test::Machine;
using test::MachineSpec;
using test::RandomJob;

/// A codec whose blocks cost what they do and are not alike: what bypasses the lanes takes no time, so that it can tell
/// them apart.
class ToldApart final : public ForwardingCodec {
public:
    using ForwardingCodec::ForwardingCodec;
    std::vector<Block> sized_blocks(std::span<const Symbol> symbols, const Context& context,
                                    const Tables& tables) const override {
        std::vector<Block> blocks = inner().sized_blocks(symbols, context, tables);
        for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i].work.held_tables = i + 1;
        return blocks;
    }
};

class EqualBlocks : public ::testing::TestWithParam<std::uint64_t> {};

/// A random machine, in half of the cases with buffers that never hold up a packet, and one of three collectives: one
/// that adds what comes, one that begins with copies, one whose ranks receive from two others.
struct CollectiveJob {
    explicit CollectiveJob(std::uint64_t seed) : random(seed), plan(plan_of(seed)) {
        if (seed % 2 == 0) random.spec.network.link.buffer = 1_MiB;
        if (seed % 3 == 2) random.spec.topology = CableRingParams{};
    }
    Plan plan_of(std::uint64_t seed) const {
        const std::uint32_t ranks = random.spec.ranks;
        if (seed % 3 == 0) return {make_schedule(RingParams{}, ranks), ElementType::integer, random.bits};
        if (seed % 3 == 1)
            return {make_ring_all_gather(ranks), ElementType::integer, random.bits, Operation::all_gather};
        return {make_schedule(BidirectionalRingParams{}, ranks), ElementType::integer, random.bits};
    }
    RandomJob random;
    Plan plan;
    ChunkLayout layout = make_layout(EqualParams{}, 8 * random.elements, {plan.schedule.chunks, 1}, {});
};

TEST_P(EqualBlocks, TakeTheTimesOfEachByItself) {
    const CollectiveJob job(GetParam());
    SCOPED_TRACE(::testing::Message() << job.random);
    std::vector<std::unique_ptr<Machine>> machines;   // all of them before the kernel starts
    for (const auto& choice : choices(TimingFidelity{})) {
        MachineSpec spec = job.random.spec;
        spec.fidelity = choice.value;
        machines.push_back(std::make_unique<Machine>(spec, std::string(choice.text)));
    }
    const auto framing = job.random.spec.node.engine.framing();
    const auto outcome = [&](Machine& machine, const Codec& codec) {
        SyntheticMessageSource participants(job.plan, codec, job.layout);
        return machine.system().run({job.plan, participants, job.random.issue, job.random.start});
    };
    for_each_kind(codecs, [&]<class P>(const Kind<P>& kind) {
        const auto equal = make_codec(CodecChoice{P{}}, framing);
        if (!equal->constant_rate()) return;
        const ToldApart background(make_codec(CodecChoice{P{}}, framing));
        const Outcome each = outcome(*machines[1], background);
        for (const auto& machine : machines) {
            SCOPED_TRACE(::testing::Message() << kind.name << ", machine " << &machine - machines.data());
            test::expect_same(outcome(*machine, *equal), each);
            test::expect_same(outcome(*machine, background), each);
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Seed, EqualBlocks, ::testing::Range<std::uint64_t>(500, 580));

TEST(EqualBlocksOfAMessage, MayWaitForTheirOperandInPart) {
    MachineSpec spec;
    spec.ranks = 3;
    spec.network.link = {10_Gbps, 0_ps, 1_MiB};
    spec.network.packet = 1_KiB;
    spec.node.gpu = {100_Gbps, 3_us};   // a chunk of 32 KiB comes in 26 us, its operand in 5.6 us
    Machine by_packet(spec, "packet");
    spec.fidelity = TimingFidelity::message;
    Machine by_message(spec, "message");
    const Plan plan = test::fp32_plan(spec.ranks);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const ChunkLayout layout = make_layout(EqualParams{}, 3 * 8192, {spec.ranks, 1}, {});
    const auto outcome = [&](Machine& machine) {
        SyntheticMessageSource participants(plan, *codec, layout);
        return machine.system().run({plan, participants, Issue::dependency, {}});
    };
    test::expect_same(outcome(by_message), outcome(by_packet));
}

/// Events of a ring of fp32 at message fidelity, `elements` values at each of 8 ranks.
std::uint64_t events_of(std::uint32_t elements) {
    MachineSpec spec;
    spec.ranks = 8;
    spec.fidelity = TimingFidelity::message;
    Machine machine(spec);
    const Plan plan = test::fp32_plan(spec.ranks);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const ChunkLayout layout = make_layout(EqualParams{}, elements, {spec.ranks, 1}, {});
    SyntheticMessageSource participants(plan, *codec, layout);
    machine.system().run({plan, participants, Issue::dependency, {}});
    return machine.system().cost().events;
}

TEST(MessageFidelity, HasAsManyEventsWhateverTheSizeOfAMessageOfMoreThanOnePacket) {
    // 8 starts; of each of 112 messages its first and last packet, what depends on it, and its sender's timestep
    EXPECT_EQ(events_of(8 << 20), 8u + 112u * 4u);
}

}   // namespace
}   // namespace oscar::equal_blocks_test

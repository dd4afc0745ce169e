// Ranks that lost their tables, on the simulated machine: what is refused, sent again, and what it costs.
#include <gmock/gmock.h>

#include "tests/collective/resync_support.hpp"
#include "tests/machine/plain_engine.hpp"
#include "tests/machine/support.hpp"

namespace oscar::loss_test {
namespace {

using test::Machine;
using test::MachineSpec;
using test::Ring;

constexpr Resent none{};

Outcome run_on(Machine& machine, Ring& ring, Issue issue = Issue::lock_step) {
    LiveMessageSource participants(ring.plan(), ring.rank_states(), ring.codec());
    return machine.system().run({ring.plan(), participants, issue, {}});
}

/// The wire bytes of all steps.
std::uint64_t wire_bytes(const Outcome& outcome) {
    std::uint64_t sum = 0;
    for (const std::uint64_t bytes : outcome.wire_bytes) sum += bytes;
    return sum;
}

void expect_equal_digests(Ring& a, Ring& b) {
    for (std::size_t r = 0; r < a.rank_states().size(); ++r)
        EXPECT_EQ(a.rank_states()[r].tables().store().digest(), b.rank_states()[r].tables().store().digest())
            << "rank " << r;
}

TEST(Loss, LeavesSumsExactAndTablesEqualAndCostsTimeOnceOnly) {
    Machine machine(MachineSpec{});
    test::for_each_stepwise_codec([&](const Codec& codec, bool by_class) {
        for (const std::uint32_t lost : {1u, 4u, 11u, 15u}) {
            const Issue issue = lost % 2 == 0 ? Issue::dependency : Issue::lock_step;
            SCOPED_TRACE(::testing::Message() << "lost " << lost);
            Ring timed(codec, by_class, 4, 1, 900), untimed(codec, by_class, 4, 1, 900),
                whole(codec, by_class, 4, 1, 900);
            for (Ring* ring : {&timed, &untimed, &whole}) {
                ring->iterate(1);
                ring->iterate(2);
                if (ring != &whole) ring->lose(lost);
                ring->begin(3);
            }
            const Outcome outcome = run_on(machine, timed, issue), undisturbed = run_on(machine, whole, issue);
            const Reference reference = run_reference(untimed.plan().schedule, untimed.rank_states());
            EXPECT_EQ(outcome.records, reference.records);
            EXPECT_EQ(outcome.resent, reference.resent);
            EXPECT_EQ(undisturbed.resent, none);
            timed.expect_sum();
            timed.end();
            untimed.end();
            expect_equal_digests(timed, untimed);
            timed.expect_equal_tables();
            if (outcome.resent != none) {   // a rank that is not alone has nobody who refuses
                EXPECT_GT(outcome.duration(), undisturbed.duration());
                EXPECT_GT(wire_bytes(outcome), wire_bytes(undisturbed) + outcome.resent.bytes);
            } else {
                EXPECT_EQ(lost, 15u);
            }
            timed.begin(4);
            EXPECT_EQ(run_on(machine, timed, issue).resent, none);
            timed.expect_sum();
        }
    });
}

/// Ranks and cables of which test::readable() tells the times; packets of up to 96 B and a header of 10. ASC in blocks
/// of 64 values, which are coded in 16 cycles of 1 ns and 12 more, or for decode_interval 1, decoded in 16 and 18 more.
struct ReadableRing {
    explicit ReadableRing(std::uint32_t ranks, std::uint32_t chunk, std::uint32_t decode_interval = 1,
                          Time dma_latency = 70'300_ps)
        : ReadableRing(ranks, chunk, readable(ranks, decode_interval, dma_latency)) {}
    ReadableRing(std::uint32_t ranks, std::uint32_t chunk, MachineSpec on, const std::string& name = "machine")
        : spec(std::move(on)), machine(spec, name), ring(*codec, false, ranks, 1, ranks * chunk) {}
    MachineSpec spec;
    std::unique_ptr<Codec> codec = make_codec(AscParams{}, spec.node.engine.framing());
    test::PlainMachine machine;
    Ring ring;

    static MachineSpec readable(std::uint32_t ranks, std::uint32_t decode_interval, Time dma_latency) {
        MachineSpec spec = test::readable();
        spec.ranks = ranks;
        spec.network.header = 10_B;
        spec.network.packet = 96_B;
        spec.node.engine.lane_values = 16;
        spec.node.engine.min_lane_values = 1;
        spec.node.engine.decode_interval = decode_interval;
        spec.node.gpu.dma_latency = dma_latency;
        return spec;
    }
    /// Goes through an iteration of these values without the machine; some ranks lose their tables; and again on it.
    Outcome twice(const std::vector<std::vector<Symbol>>& values, std::uint32_t lost) {
        ring.begin(values, 2);
        ring.run();
        ring.end();
        ring.lose(lost);
        ring.begin(values, 4);
        const Outcome outcome = run_on(machine, ring);
        ring.expect_sum();
        return outcome;
    }
    /// The blocks of step 0, made by a copy of its sender, which has begun.
    std::vector<Block> blocks_of_first_message() const {
        RankState sender = ring.rank_states()[0];
        return sender.send(StepId{0})->blocks;
    }
};

std::vector<std::vector<Symbol>> ones(std::uint32_t ranks, std::uint32_t elements) {
    return std::vector(ranks, std::vector<Symbol>(elements, 1));
}
Time nanoseconds(std::uint64_t n) { return {static_cast<std::int64_t>(1000 * n)}; }
/// Of a packet with `bytes` of payload.
Time on_the_wire(std::uint64_t bytes) { return nanoseconds(bytes + 10); }

constexpr std::uint32_t rank1 = 1u << 1, rank2 = 1u << 2;
constexpr Time hop_latency = 100_ns + 10_ns;                 // cable and NIC
constexpr Time read64 = 64_ns + 71_ns;                       // by DMA, and on to an edge: the latency is 70.3 ns
constexpr Time first_out = read64 + 16_ns + 12_ns + 10_ns;   // encoded, and out of the NIC

TEST(Refusal, LeavesOneLatencyAfterTheBlockHasComeAndNoSooner) {
    ReadableRing pair(2, 64);
    const Outcome outcome = pair.twice(ones(2, 128), rank1);
    // Each rank sends one packet at once: rank 0 a coded block, rank 1, which has no table, the same and 20 B of one.
    const auto& wire = outcome.ranks[1].wire;
    ASSERT_GE(wire.size(), 2u);
    EXPECT_EQ(wire[0], (Span{first_out, first_out + on_the_wire(outcome.records[1].bytes)}));
    const Time leaves = first_out + on_the_wire(outcome.records[1].bytes - 20) + hop_latency + 10_ns;
    EXPECT_EQ(wire[1], (Span{leaves, leaves + on_the_wire(0)}));
    EXPECT_EQ(outcome.resent.messages, 2u);   // that sum, and the copy of the other chunk
}

TEST(Refusal, DoesNotWaitForTheRestOfTheMessage) {
    ReadableRing pair(2, 256);
    auto values = test::codes(2, 512, 8, 1);
    for (auto& rank : values) std::fill(rank.begin() + 256, rank.end(), 0);   // so that rank 1 soon has sent its part
    const Outcome outcome = pair.twice(values, rank1);
    pair.ring.begin(values, 4);
    const auto blocks = pair.blocks_of_first_message();   // as large as those before, made of the same symbols
    ASSERT_EQ(blocks.size(), 4u);
    ASSERT_LE(blocks[0].bytes, 96u);
    ASSERT_GT(blocks[0].bytes + blocks[1].bytes, 96u);
    // Packet 0 has all of block 0, but goes when block 1 is there too.
    const Time leaves = first_out + 64_ns + on_the_wire(96) + hop_latency + 10_ns;
    EXPECT_THAT(outcome.ranks[1].wire, ::testing::Contains(Span{leaves, leaves + on_the_wire(0)}));
    EXPECT_LT(leaves, first_out + 3 * 64_ns + on_the_wire(1) + hop_latency);   // before block 3 can be there
}

/// Per rank and chunk 64 values in which there is nothing to save, then 64 ones.
std::vector<std::vector<Symbol>> noise_and_ones() {
    std::vector<std::vector<Symbol>> values(2);
    test::Draws draw(1);
    for (auto& rank : values)
        for (std::uint32_t i = 0; i < 256; ++i)
            rank.push_back(i % 128 < 64 ? static_cast<Symbol>(draw.number(0, 254)) - 127 : 1);
    return values;
}

TEST(Refusal, IsNotForARawBlockButForTheFirstCodedOne) {
    ReadableRing pair(2, 128);
    const Outcome outcome = pair.twice(noise_and_ones(), rank1);
    pair.ring.begin(noise_and_ones(), 4);
    const auto blocks = pair.blocks_of_first_message();
    ASSERT_EQ(blocks.size(), 2u);
    EXPECT_EQ(blocks[0].mode, BlockMode::raw);   // 16 + 64 B
    EXPECT_EQ(blocks[1].mode, BlockMode::coded);
    // Both packets go when block 1 is there. Rank 1, which sends as many and more, is silent by then.
    const Time came = first_out + 64_ns + on_the_wire(96) + on_the_wire(80 + blocks[1].bytes - 96) + hop_latency;
    const auto& wire = outcome.ranks[1].wire;
    ASSERT_GE(wire.size(), 2u);
    EXPECT_EQ(wire[1], (Span{came + 10_ns, came + 10_ns + on_the_wire(0)}));
}

TEST(Refusal, IsAnsweredWithTheMessageReadAndEncodedOnceMore) {
    ReadableRing pair(2, 64);
    const Outcome outcome = pair.twice(ones(2, 128), rank1);
    const Time came = outcome.ranks[1].wire[1].end + hop_latency;
    const Time at = came + read64 + 16_ns + 12_ns + 10_ns;   // `came` is on an edge
    EXPECT_EQ(came.ps % 1000, 0);
    EXPECT_EQ(outcome.ranks[0].wire[1], (Span{at, at + on_the_wire(outcome.records[0].bytes)}));
    EXPECT_EQ(outcome.steps[0].sent, at + on_the_wire(outcome.records[0].bytes));
    EXPECT_EQ(outcome.steps[0].arrived, outcome.steps[0].sent + hop_latency);
    EXPECT_EQ(outcome.resent.bytes, outcome.records[0].bytes + outcome.records[2].bytes);   // what rank 0 sends
}

TEST(Refusal, OfWhatWasHandedOnIsAnsweredWhenItIsDecoded) {
    // Rank 0 owns a sum that rank 1 hands on as it came, before it has decoded it: 16 * 64 cycles. Rank 2 refuses.
    ReadableRing three(3, 64, 64);
    const Outcome outcome = three.twice(ones(3, 192), rank2);
    const auto& steps = three.ring.plan().schedule.steps;
    const std::uint32_t brought = 2 * 3;   // timestep 2, from rank 0 to rank 1
    ASSERT_EQ(steps[brought].from, Rank{0});
    ASSERT_EQ(steps[brought].timestep, Timestep{2});
    const Time edge = nanoseconds(static_cast<std::uint64_t>(outcome.steps[brought].arrived.ps + 999) / 1000);
    EXPECT_EQ(outcome.ranks[1].encoder.back().begin, edge + 1024_ns + 18_ns);
}

TEST(Refusal, LeavesTheOperandOfTheSumWhereItIs) {
    ReadableRing three(3, 64, 1, 10_us);
    const Outcome outcome = three.twice(ones(3, 192), rank2);
    const std::uint32_t refused = 3 + 1;   // timestep 1, from rank 1, which encodes its partial sum again at once
    ASSERT_EQ(three.ring.plan().schedule.steps[refused].to, Rank{2});
    const StepTimes& times = outcome.steps[refused];
    EXPECT_LT(times.arrived, times.issued + 10_us);
    EXPECT_EQ(times.ready, times.issued + 64_ns + 10_us + 16_ns + 18_ns);   // rank 2 began at the same time
}

TEST(Refusal, DoesNotComeWhereNothingIsLost) {
    ReadableRing pair(2, 64);
    const Outcome outcome = pair.twice(ones(2, 128), 0);
    EXPECT_EQ(outcome.resent, none);
    EXPECT_EQ(outcome.ranks[1].wire.size(), 2u);   // a sum and a copy
    EXPECT_EQ(outcome.wire_bytes[0], outcome.records[0].bytes + 10);
}

TEST(Refusal, CountsOnTheWireOfTheStepWithBothMessages) {
    ReadableRing pair(2, 64);
    const Outcome undisturbed = pair.twice(ones(2, 128), 0);
    pair.ring.end();
    pair.ring.lose(rank1);
    pair.ring.begin(ones(2, 128), 6);
    const Outcome outcome = run_on(pair.machine, pair.ring);
    EXPECT_EQ(outcome.records[0].bytes, undisturbed.records[0].bytes + 20);   // the table
    EXPECT_EQ(outcome.wire_bytes[0], undisturbed.wire_bytes[0] + 10 + outcome.records[0].bytes + 10);
}

TEST(Refusal, TakesItsOwnWayBackWhoseLatencyIsNoneOfTheMessages) {
    MachineSpec spec = ReadableRing::readable(2, 1, 70'300_ps);
    LinkOverride& back = spec.network.overrides.emplace_back();
    back.link = "rank1->rank0";
    back.propagation = 900_ns;   // 800 ns more: of the refusal, and of the copy behind the sum that was refused
    ReadableRing even(2, 64), uneven(2, 64, spec, "uneven");
    const CriticalPath path = even.twice(ones(2, 128), rank1).path;
    const CriticalPath longer = uneven.twice(ones(2, 128), rank1).path;
    EXPECT_EQ(longer.wire_ps, path.wire_ps);
    EXPECT_EQ(longer.latency_ps, path.latency_ps + 2 * 800'000);
}

/// A receiver that says of every message, come again or not, that it lacks its tables.
struct LacksAll : LiveMessageSource {
    using LiveMessageSource::LiveMessageSource;
    bool holds_tables_of(StepId, const Block&) const override { return false; }
};

TEST(Refusal, IsSentOnceAMessageWhateverTheReceiverLacksWhenItComesAgain) {
    ReadableRing pair(2, 64);
    pair.ring.begin(ones(2, 128), 2);
    LacksAll participants(pair.ring.plan(), pair.ring.rank_states(), pair.ring.codec());
    const Outcome outcome = pair.machine.system().run({pair.ring.plan(), participants, Issue::lock_step, {}});
    EXPECT_EQ(outcome.resent.messages, 4u);   // two sums and two copies
    pair.ring.expect_sum();
}

class RandomLoss : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomLoss, IsMadeGoodOnEveryMachineAsInTheReference) {
    test::RandomJob job(GetParam());
    SCOPED_TRACE(::testing::Message() << job);
    Machine machine(job.spec);
    std::vector<RankState> timed = test::make_endpoints(job.plan, *job.codec);
    for (std::uint8_t t = 0; t < 2; ++t) {
        test::begin(timed, test::codes(job.spec.ranks, job.elements, job.bits, t), job.plan, t, &job.layout);
        run_reference(job.plan.schedule, timed);
        for (RankState& rank_state : timed) rank_state.commit();
    }
    for (RankState& rank_state : timed)
        if (job.draw_.coin()) rank_state.tables().reset();
    std::vector<RankState> untimed = timed;
    for (auto* rank_states : {&timed, &untimed}) test::begin(*rank_states, job.values, job.plan, 2, &job.layout);
    const Reference reference = run_reference(job.plan.schedule, untimed);
    LiveMessageSource participants(job.plan, timed, *job.codec);
    const Outcome outcome = machine.system().run({job.plan, participants, job.issue, job.start});
    EXPECT_EQ(outcome.records, reference.records);
    EXPECT_EQ(outcome.resent, reference.resent);
    for (std::size_t r = 0; r < timed.size(); ++r) {
        EXPECT_TRUE(std::ranges::equal(timed[r].values().all(), exact_sum(job.values)));
        for (auto* rank_states : {&timed, &untimed}) (*rank_states)[r].commit();
        EXPECT_EQ(timed[r].tables().store().digest(), untimed[r].tables().store().digest());
    }
}

INSTANTIATE_TEST_SUITE_P(Seed, RandomLoss, ::testing::Range<std::uint64_t>(0, 40));

}   // namespace
}   // namespace oscar::loss_test

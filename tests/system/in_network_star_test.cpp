// The times of a star whose switch adds, to the picosecond: its links, its adders and its slots.
#include <gtest/gtest.h>

#include "models/collective/endpoint/synthetic_message_source.hpp"
#include "tests/system/in_network.hpp"

namespace oscar::in_network_star_test {
namespace {

using test::chunks;
using test::Machine;
using test::MachineSpec;
using test::ReadableStar;

Time first_bit(const Outcome& outcome, std::size_t step) {
    return outcome.steps[step].sent - ReadableStar::wire * 1_ns;
}

/// DMA of 64 values and NIC; all chunks one behind the other, each added while the next one comes; the last one's way
/// through switch and adders, and down; NIC and DMA of 64 values.
TEST(InNetworkOnAStar, TakesTheGradientOnceOverALinkAndTheWayOfTheLastChunk) {
    using S = ReadableStar;
    const S star(5);
    Machine machine(star.spec);
    const std::uint32_t count = 40;
    const std::int64_t up = S::dma + S::values + S::nic + count * S::wire + S::propagation + 37 + S::adding;
    const std::int64_t down = S::wire + S::propagation + S::nic + S::values + S::dma;
    EXPECT_EQ(star.run(machine, count).finish, (up + down) * 1_ns);
}

/// Chunks of 4096 values in packets of 16 KiB, which take 16384 ns on a link: each is added while the next one comes.
TEST(InNetworkOnAStar, AddsAChunkInAsManyCyclesAsItsValuesNeedHoweverManyAddersThereAre) {
    using S = ReadableStar;
    constexpr std::int64_t values = 4096, wire = 4 * values, count = 12;
    std::vector<std::unique_ptr<Machine>> machines;
    const std::vector<std::uint32_t> adders{32, 33, 48, 63, 64, 128, 4096, 65536};
    S star(3);
    star.spec.network.packet = Bytes{wire};
    star.spec.network.link.buffer = 1_MiB;
    for (const std::uint32_t n : adders) {
        star.spec.network.switches.aggregator.adders = n;
        machines.push_back(std::make_unique<Machine>(star.spec, "adders" + std::to_string(n)));
    }
    const auto codec = make_codec(Fp32Params{}, Framing{});
    for (std::size_t i = 0; i < adders.size(); ++i) {
        const auto run = machines[i]->run(star.plan(count), *codec, test::floats(3, count * values), Issue::dependency);
        const std::int64_t adding = (values + adders[i] - 1) / adders[i] + 16;
        const std::int64_t up = S::dma + values + S::nic + count * wire + S::propagation + 37 + adding;
        const std::int64_t down = wire + S::propagation + S::nic + values + S::dma;
        EXPECT_EQ(run.outcome.finish, (up + down) * 1_ns) << adders[i];
    }
}

/// Links of 3.6 Tbit/s bring a chunk of 65536 values in 582.542 ns: where its values take more cycles of 1 ns, the
/// adders decide; the limit of infinitely many is that of the links.
TEST(InNetworkOnAStar, IsAsFastAsItsAddersUntilTheLinksDecide) {
    MachineSpec spec;
    spec.topology = StarParams{};
    spec.node.gpu = {100'000_Gbps, 0_ps};
    spec.node.nic.latency = 0_ps;
    spec.network.link = {3600_Gbps, 0_ps, 64_MiB};
    spec.network.packet = 256_KiB;
    spec.network.header = 0_B;
    std::vector<std::unique_ptr<Machine>> machines;
    const std::vector<std::uint32_t> adders{32, 33, 48, 63, 64, 112, 113, 128, 4096, 65536};
    for (const std::uint32_t n : adders) {
        spec.network.switches = {.latency = 0_ps, .aggregator = {.adders = n, .slots = 4096}};
        machines.push_back(std::make_unique<Machine>(spec, "adders" + std::to_string(n)));
    }
    const Plan plan{make_schedule(chunks(64), spec.ranks), ElementType::float32, 32};
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const ChunkLayout layout = make_layout(EqualParams{}, 64 * 65'536, {plan.schedule.chunks, 1}, {});
    const std::int64_t wire = serialization(256_KiB, 3600_Gbps).ps, dma = serialization(256_KiB, 100'000_Gbps).ps;
    for (std::size_t i = 0; i < adders.size(); ++i) {
        SyntheticMessageSource participants(plan, *codec, layout);
        const Time finish = machines[i]->system().run({plan, participants, Issue::dependency, {}}).finish;
        const std::int64_t cycles = (65'536 + adders[i] - 1) / adders[i], adding = cycles * 1000;
        // The first chunk at the switch; the others behind it, at the pace of the adders or of the links; the last
        // down.
        const std::int64_t first = dma + wire, pipeline = 16'000, down = wire + dma;
        const std::int64_t all = first + 63 * std::max(wire, adding) + adding + pipeline + down;
        EXPECT_NEAR(static_cast<double>(finish.ps), static_cast<double>(all), 3000) << adders[i];   // edges, blocks
        if (adders[i] == 65'536) {
            EXPECT_NEAR(static_cast<double>(finish.ps), 37.9e6, 0.05e6);
        }
    }
}

/// A ring sends 2 (n-1)/n of the gradient over each link, the tree all of it once.
TEST(InNetworkOnAStar, CarriesHalfOfTheBytesOfARingInHalfOfItsTime) {
    const ReadableStar star(8);
    Machine machine(star.spec);
    const std::uint32_t count = 560;   // whole packets for each of 8 ranks
    const Outcome tree = star.run(machine, count);
    const Plan rings{make_schedule(RingParams{}, 8), ElementType::float32, 32};
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const Outcome ring = machine.run(rings, *codec, test::floats(8, count * star.values)).outcome;
    for (const EdgeId link : tree.links.indices()) {
        EXPECT_EQ(tree.links[link].wire_bytes, count * std::uint64_t{star.wire});
        EXPECT_EQ(ring.links[link].wire_bytes * 4, tree.links[link].wire_bytes * 7);
    }
    const auto ratio = static_cast<double>(ring.finish.ps) / static_cast<double>(tree.finish.ps);
    EXPECT_NEAR(ratio, 2 * 7.0 / 8, 0.1);   // 14 latencies against one way up and down
}

/// From a chunk's first bit on its way up until its rank knows that its slot is free: 256 ns on the link, 100 to the
/// switch, its latency, 20 to add, 256 for the sum to leave, 100 back. With a latency of 36 ns that is three times what
/// a chunk takes on the link: three slots never hold anybody back. A picosecond more, and the adders start at the next
/// edge of their clock: each chunk waits for the third one before it.
TEST(InNetworkOnAStar, SendsAChunkWhenASlotIsKnownToBeFreeAndNotBefore) {
    const ReadableStar enough(4, 3, 36_ns), late(4, 3, 36_ns + 1_ps), fewer(4, 2, 36_ns);
    Machine first(enough.spec, "enough"), second(late.spec, "late"), third(fewer.spec, "fewer");
    const std::uint32_t count = 7;
    const Outcome held_by_none = enough.run(first, count), held = late.run(second, count),
                  held_more = fewer.run(third, count);
    for (std::uint32_t step = 0; step < 4 * (count - 3); ++step) {   // 4 steps a chunk, one of each rank
        EXPECT_EQ(first_bit(held_by_none, step + 4) - first_bit(held_by_none, step), 256_ns) << step;
        EXPECT_EQ(first_bit(held, step + 3 * 4) - first_bit(held, step), 769_ns) << step;
        EXPECT_EQ(first_bit(held_more, step + 2 * 4) - first_bit(held_more, step), 768_ns) << step;
    }
}

/// The late ranks' chunks are not there, so that the others' would pile up.
TEST(InNetworkOnAStar, NeverHoldsMoreChunksThanItHasSlotsForThoughOneRankIsLate) {
    const ReadableStar star(3, 2);
    Machine machine(star.spec);
    const Plan plan = star.plan(12);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const Outcome outcome =
        machine.run(plan, *codec, test::floats(3, 12 * star.values), Issue::dependency, {0_ps, 5_us, 20_us}).outcome;
    std::vector<std::pair<Time, int>> changes;   // of chunks that have come, or whose sum has left
    for (std::uint32_t chunk = 0; chunk < 12; ++chunk) {
        Time came = Fabric::never, left;
        for (std::size_t i = 0; i < plan.schedule.steps.size(); ++i) {
            const Step& step = plan.schedule.steps[i];
            if (step.chunk.value != chunk) continue;
            if (step.op == Op::reduce) came = std::min(came, outcome.steps[i].arrived);
            else left = std::max(left, outcome.steps[i].sent);
        }
        changes.insert(changes.end(), {{came, 1}, {left, -1}});
    }
    std::ranges::sort(changes);
    int held = 0, most = 0;
    for (const auto& [at, change] : changes) most = std::max(most, held += change);
    EXPECT_EQ(most, 2);
}

}   // namespace
}   // namespace oscar::in_network_star_test

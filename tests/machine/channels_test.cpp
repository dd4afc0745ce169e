// Channels on random machines: sums, bytes and, at all fidelities, times. Seeds are printed.
#include "models/collective/endpoint/synthetic_message_source.hpp"
#include "tests/machine/same_outcome.hpp"
#include "tests/machine/support.hpp"

namespace oscar::channels_test {
namespace {

using test::Machine;
using test::MachineSpec;
using test::RandomJob;

/// An AllReduce in 2 to 5 channels on a random machine: its own topology, or islands of three.
struct ChannelJob {
    explicit ChannelJob(std::uint64_t seed) : random(seed) {
        if (seed % 2 == 0) random.spec.topology = IslandsParams{3, {3600_Gbps, 100_ns, {}}, seed % 4 == 0, 1};
    }
    /// Of ranks that may only have cables to their neighbours.
    Plan plan_of(std::uint64_t seed) const {
        if (seed % 3 == 0) return in_channels<BidirectionalRingParams>(seed);
        if (seed % 3 == 1 || random.spec.topology.name() == "ring") return in_channels<RingParams>(seed);
        return in_channels<DirectParams>(seed);
    }
    template <class P>
    Plan in_channels(std::uint64_t seed) const {
        P params;
        params.slices = random.slices;
        params.channels = static_cast<std::uint32_t>(2 + seed % 4);
        params.channel_order =
            random.spec.topology.name() == "hierarchical" ? ChannelOrder::rotated : ChannelOrder::same;
        return {make_schedule(Collective(params), random.spec.ranks, 3), ElementType::integer, random.bits};
    }
    ChunkLayout layout(const Plan& plan) const {
        return make_layout(EqualParams{}, random.elements, {plan.schedule.chunks / random.slices, random.slices}, {});
    }
    RandomJob random;
};

class ChannelsOfARandomMachine : public ::testing::TestWithParam<std::uint64_t> {
protected:
    const ChannelJob job{GetParam()};
    const Plan plan = job.plan_of(GetParam());
    const ChunkLayout layout = job.layout(plan);
    ::testing::ScopedTrace trace{__FILE__, __LINE__, ::testing::Message() << job.random};

    std::vector<std::unique_ptr<Machine>> machines() const {
        std::vector<std::unique_ptr<Machine>> all;
        for (const auto& choice : choices(TimingFidelity{})) {
            MachineSpec spec = job.random.spec;
            spec.fidelity = choice.value;
            all.push_back(std::make_unique<Machine>(spec, std::string(choice.text)));
        }
        return all;
    }
};

TEST_P(ChannelsOfARandomMachine, LeaveTheExactSumEverywhereAndTheSameTimesAtAllFidelities) {
    const auto all = machines();
    const auto sum = exact_sum(job.random.values);
    std::optional<Outcome> first;
    for (const auto& machine : all) {
        const auto run =
            machine->run(plan, *job.random.codec, job.random.values, job.random.issue, job.random.start, &layout);
        EXPECT_EQ(run.outcome.records, run.reference.records);
        for (const RankState& rank_state : run.timed) EXPECT_TRUE(std::ranges::equal(rank_state.values().all(), sum));
        if (!first) first = run.outcome;
        test::expect_same(run.outcome, *first);
    }
}

TEST_P(ChannelsOfARandomMachine, TakeTheSameTimesAtAllFidelitiesWithoutValues) {
    const auto all = machines();
    const auto codec = make_codec(FixedPointParams{}, job.random.spec.node.engine.framing());
    std::optional<Outcome> first;
    for (const auto& machine : all) {
        SyntheticMessageSource participants(plan, *codec, layout);
        const Outcome outcome = machine->system().run({plan, participants, job.random.issue, job.random.start});
        if (!first) first = outcome;
        test::expect_same(outcome, *first);
    }
}

INSTANTIATE_TEST_SUITE_P(Seed, ChannelsOfARandomMachine, ::testing::Range<std::uint64_t>(0, 36));

}   // namespace
}   // namespace oscar::channels_test

// The ring against its textbook forms, written out here from the sizes of its messages: reference/validation.md,
// section 1. c[i,k] are the bytes that rank i sends in timestep k, B the rate, L the time from the last bit sent to the
// end of the step, q the engine's share. The engine is as fast as parameters allow, so that q is some cycles of 100 ps.
#include <numeric>

#include "tests/machine/support.hpp"

namespace oscar::recursion_test {
namespace {

using test::Machine;
using test::MachineSpec;

struct RingForm {
    std::uint32_t ranks;
    Bandwidth rate;
    Time propagation, nic;
    std::uint64_t seed;
};
void PrintTo(const RingForm& c, std::ostream* out) {
    *out << c.ranks << " ranks, " << to_text(c.rate) << ", " << to_text(c.propagation) << ", NIC " << to_text(c.nic)
         << ", seed " << c.seed;
}

constexpr Time edge = 100_ps;   // of 10 GHz

/// Messages of one packet without header on a ring of cables, and everything else as fast as it can be.
MachineSpec bare(const RingForm& c) {
    MachineSpec spec;
    spec.ranks = c.ranks;
    spec.topology = CableRingParams{};
    spec.network.link = {c.rate, c.propagation, 1_GiB};
    spec.network.packet = 1_MiB;
    spec.network.header = 0_B;
    spec.node.gpu = {100'000_Gbps, 0_ps};
    spec.node.nic = {c.nic, 64, 10_GHz};
    spec.node.engine = {.lanes = 256,
                        .clock = 10_GHz,
                        .lane_values = 1024,
                        .min_lane_values = 4,
                        .encode_interval = 1,
                        .decode_interval = 1,
                        .finish_slots = 0,
                        .encode_latency = 0,
                        .decode_latency = 0,
                        .packers = 256,
                        .table_load = 0};
    return spec;
}

/// Sparse codes, another share of zeros for each rank and chunk, so that the sizes c[i,k] differ. With three ranks or
/// more, rank 0 sends much in timestep 0 and rank n-1, which does not depend on that, in timestep 1: the next rank
/// takes back what they add.
std::vector<std::vector<Symbol>> uneven_codes(const RingForm& c, std::uint32_t chunk) {
    auto values = test::codes(c.ranks, chunk * c.ranks, 8, c.seed);
    const auto dense = values;
    std::mt19937_64 random(c.seed);
    for (auto& rank : values)
        for (std::uint32_t begin = 0; begin < rank.size(); begin += chunk) {
            const std::uint64_t zeros = 70 + random() % 30;
            for (std::uint32_t e = begin; e < begin + chunk; ++e)
                if (random() % 100 < zeros) rank[e] = 0;
        }
    const auto give_and_take = [&](std::uint32_t rank, std::uint32_t index) {
        for (std::uint32_t e = index * chunk; e < (index + 1) * chunk; ++e)
            values[(rank + 1) % c.ranks][e] = -(values[rank][e] = dense[rank][e]);
    };
    if (c.ranks > 2) {
        give_and_take(0, 0);                       // chunk 0 begins at rank 0
        give_and_take(c.ranks - 1, c.ranks - 2);   // chunk n-2 has its second value from rank n-1
    }
    return values;
}

constexpr std::uint32_t chunk = 3000;

class CompressedRing : public ::testing::TestWithParam<RingForm> {
protected:
    const RingForm& c = GetParam();
    Machine machine{bare(c)};
    Plan plan = test::int8_plan(c.ranks);
    std::unique_ptr<Codec> codec = make_codec(AscParams{}, bare(c).node.engine.framing());
    std::vector<std::vector<Symbol>> values = uneven_codes(c, chunk);
    const Time L = c.propagation + 2 * c.nic;

    /// Time of step i by itself without engine: c/B + L.
    Time cost(const Reference& run, std::size_t i) const {
        return serialization(Bytes{run.records[i].bytes}, c.rate) + L;
    }
    /// What the engine and the DMA can add over all timesteps: in each, the encoder's and the decoder's cycles, at most
    /// twenty of packers, unpackers and adders (250 sub-streams and their lengths are two chunks a packer; an uncoded
    /// block takes ten to the adders), and an edge to wait for; at the ends the first read and the last write.
    Time engine_share(const Reference& run) const {
        std::uint64_t cycles = 0;
        for (const auto& message : run.messages)
            for (const Block& block : message->blocks) cycles = std::max(cycles, block.work.sub_stream_slots);
        const auto per_step = static_cast<std::int64_t>(2 * (cycles + 1) + 20);
        return plan.schedule.timesteps() * per_step * edge + 2 * serialization(Bytes{4 * chunk}, 100'000_Gbps);
    }
    /// t[i,k] = max(t[i,k-1], t[i-1,k-1]) + c/B + L: a rank's sends follow each other when the last has arrived; or, as
    /// here, `pipelined`, when it is on its way.
    Time recursion(const Reference& run, bool pipelined) const {
        std::vector<Time> done(run.records.size()), own(c.ranks);
        Time last;
        for (std::uint32_t i = 0; i < done.size(); ++i) {
            const Step& step = plan.schedule.steps[i];
            Time begin = own[step.from.value];
            for (const StepId before : plan.schedule.after(StepId{i})) begin = std::max(begin, done[before.value]);
            done[i] = begin + cost(run, i);
            own[step.from.value] = pipelined ? done[i] - L : done[i];
            last = std::max(last, done[i]);
        }
        return last;
    }
    /// Upper bound: sum over k of the dearest. Lower bound: of the ranks' sums over k, the largest.
    Time sum_of_rounds(const Reference& run) const {
        std::vector<Time> rounds(plan.schedule.timesteps());
        for (std::size_t i = 0; i < run.records.size(); ++i) {
            Time& round = rounds[plan.schedule.steps[i].timestep.value];
            round = std::max(round, cost(run, i));
        }
        return std::accumulate(rounds.begin(), rounds.end(), Time{});
    }
    Time largest_rank(const Reference& run) const {
        std::vector<Time> ranks(c.ranks);
        for (std::size_t i = 0; i < run.records.size(); ++i) ranks[plan.schedule.steps[i].from.value] += cost(run, i);
        return *std::ranges::max_element(ranks);
    }
};

TEST_P(CompressedRing, FollowsTheRecursionOfItsCodedSizesIfSendsPipeline) {
    const auto run = machine.run(plan, *codec, values, Issue::dependency);
    const Time form = recursion(run.reference, true), share = engine_share(run.reference);
    EXPECT_LE(share, Time{form.ps / 20});   // the comparison says something
    EXPECT_GE(run.outcome.duration(), form);
    EXPECT_LE(run.outcome.duration(), form + share);
    EXPECT_LE(run.outcome.duration(), recursion(run.reference, false) + share);
    if (L == 0_ps) {
        EXPECT_EQ(form, recursion(run.reference, false));
    }
}

TEST_P(CompressedRing, InLockStepTakesTheSumOfTheDearestSteps) {
    const auto run = machine.run(plan, *codec, values, Issue::lock_step);
    const Time form = sum_of_rounds(run.reference);
    EXPECT_GE(run.outcome.duration(), form);
    EXPECT_LE(run.outcome.duration(), form + engine_share(run.reference));
}

TEST_P(CompressedRing, HasItsRecursionBetweenTheBusiestRankAndLockStep) {
    const auto lock_step = machine.run(plan, *codec, values, Issue::lock_step);
    const auto dependency = machine.run(plan, *codec, values, Issue::dependency);
    const Reference& run = dependency.reference;
    EXPECT_LE(largest_rank(run), recursion(run, false));
    EXPECT_LE(recursion(run, false), sum_of_rounds(run));
    EXPECT_LE(recursion(run, true), recursion(run, false));
    if (c.ranks > 2) {
        EXPECT_LT(recursion(run, false), sum_of_rounds(run));   // sizes differ: lock-step waits
    }
    EXPECT_LE(dependency.outcome.duration(), lock_step.outcome.duration());
    if (L == 0_ps) {
        EXPECT_GE(dependency.outcome.duration(), largest_rank(run));
    }
}

TEST_P(CompressedRing, TakesAsLongWhenAllPositionsAreRotated) {
    auto rotated = values;
    const std::size_t elements = values.front().size();
    for (std::uint32_t r = 0; r < c.ranks; ++r)
        for (std::size_t e = 0; e < elements; ++e)
            rotated[(r + 1) % c.ranks][(e + chunk) % elements] = values[r][e];   // what r held of c, r+1 holds of c+1
    for (const Issue issue : {Issue::lock_step, Issue::dependency})
        EXPECT_EQ(machine.run(plan, *codec, values, issue).outcome.duration(),
                  machine.run(plan, *codec, rotated, issue).outcome.duration());
}

INSTANTIATE_TEST_SUITE_P(Over, CompressedRing,
                         ::testing::Values(RingForm{2, 10_Gbps, 0_ns, 0_ns, 1}, RingForm{3, 7_Gbps, 0_ns, 0_ns, 2},
                                           RingForm{8, 10_Gbps, 0_ns, 0_ns, 3}, RingForm{5, 10_Gbps, 400_ns, 50_ns, 4},
                                           RingForm{9, 3_Gbps, 700_ns, 0_ns, 5}, RingForm{4, 8_Gbps, 0_ns, 120_ns, 6}));

class PlainRing : public ::testing::TestWithParam<RingForm> {};

TEST_P(PlainRing, TakesAlphaAndBetaToThePicosecondWhereNothingIsRounded) {
    const RingForm& c = GetParam();
    MachineSpec spec = bare(c);
    spec.node.gpu = {80_Gbps, 300_ns};   // 10 B a ns
    Machine machine(spec);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const std::int64_t blocks = 10, n = c.ranks;   // chunks of 640 values, 2560 B
    const Time alpha = c.propagation + 2 * c.nic;
    const Time beta_share = serialization(2560_B, c.rate);   // S beta / n
    // In reduce-scatter, a chunk's 10 blocks of 64 values go through the adders one an edge, and the last is out an
    // edge on.
    const Time gamma = (blocks + 1) * edge;
    const Time dma = 2 * (300_ns + 256_ns);   // the first chunk is read, the last is written
    for (const Time t : {alpha, beta_share}) ASSERT_EQ(t.ps % edge.ps, 0);
    for (const Issue issue : {Issue::lock_step, Issue::dependency}) {
        const auto run = machine.run(test::fp32_plan(c.ranks), *codec, test::floats(c.ranks, 640 * c.ranks), issue);
        EXPECT_EQ(run.outcome.duration(), 2 * (n - 1) * (alpha + beta_share) + (n - 1) * gamma + dma);
    }
}

INSTANTIATE_TEST_SUITE_P(Over, PlainRing,
                         ::testing::Values(RingForm{2, 80_Gbps, 500_ns, 100_ns, 0}, RingForm{3, 8_Gbps, 0_ns, 0_ns, 0},
                                           RingForm{8, 40_Gbps, 1_us, 70_ns, 0},
                                           RingForm{17, 16_Gbps, 300_ns, 0_ns, 0}));

}   // namespace
}   // namespace oscar::recursion_test

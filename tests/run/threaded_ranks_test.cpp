// The work of ranks on several threads: the reference, the ranks of the simulated machine, and their commit.
#include <gmock/gmock.h>

#include "models/codec/message/split.hpp"
#include "models/collective/endpoint/replayed_message_source.hpp"
#include "sim/run/threads.hpp"
#include "tests/collective/support.hpp"

namespace oscar::threaded_ranks_test {
namespace {

constexpr std::uint32_t elements = 2403, classes = 4;

/// All that a run leaves.
struct Left {
    std::vector<MessageRecord> sent;
    std::vector<std::uint64_t> sources;
    double entropy = 0;
    std::vector<Symbol> values;           ///< of all ranks, reference and recorded
    std::vector<std::uint64_t> digests;   ///< of their tables
    std::vector<std::uint32_t> block_costs;
    friend bool operator==(const Left&, const Left&) = default;
};

/// Drives the ranks by the record, in the order of the schedule.
void follow(const Plan& plan, std::vector<RankState>& rank_states, const Codec& codec, const Reference& reference,
            const ParallelFor& parallel) {
    ReplayedMessageSource source(plan, rank_states, codec, reference);
    for (std::uint32_t i = 0; i < plan.schedule.steps.size(); ++i) source.receive(StepId{i}, source.send(StepId{i}));
    source.finish(parallel);
}

/// Three iterations of 4 ranks.
Left run(const Plan& plan, const Codec& codec, const ParallelFor& parallel) {
    std::vector<RankState> reference_ranks;
    for (std::uint32_t r = 0; r < 4; ++r) {
        reference_ranks.emplace_back(plan, codec, codec.uses_classes() ? classes : 1);
        reference_ranks.back().totals().count({64, 6});
    }
    std::vector<RankState> rank_states = reference_ranks;
    std::vector<std::uint8_t> class_of(elements);
    for (std::size_t i = 0; i < elements; ++i) class_of[i] = static_cast<std::uint8_t>(i * i % classes);
    const ChunkLayout layout = make_layout(RoundRobinParams{64}, elements, {4, plan.schedule.chunks / 4}, {});
    Left left;
    for (std::uint8_t t = 0; t < 3; ++t) {
        const auto values = test::codes(4, elements, 8, t);
        parallel(4, [&](std::size_t r) {
            for (auto* ranks : {&reference_ranks, &rank_states})
                (*ranks)[r].begin(values[r], layout, t, codec.uses_classes() ? class_of : std::vector<std::uint8_t>{});
        });
        StepEntropy entropy;
        const Reference reference =
            run_reference(plan.schedule, reference_ranks, &entropy, ReceiverWork::take_symbols, parallel);
        follow(plan, rank_states, codec, reference, parallel);
        left.entropy = entropy.bits();
        left.sent = reference.records;
        left.sources = reference.sources;
        std::vector<RankState*> all;
        for (auto* ranks : {&reference_ranks, &rank_states})
            for (RankState& rank_state : *ranks) all.push_back(&rank_state);
        commit_each(all, parallel);
    }
    for (const auto* ranks : {&reference_ranks, &rank_states})
        for (const RankState& rank_state : *ranks) {
            left.values.insert(left.values.end(), rank_state.values().all().begin(), rank_state.values().all().end());
            left.digests.push_back(rank_state.tables().store().digest());
            const auto costs = rank_state.totals().totals()->costs(elements);
            left.block_costs.insert(left.block_costs.end(), costs.begin(), costs.end());
        }
    return left;
}

void expect_equal_for_all_numbers_of_threads(const Collective& collective, const CodecChoice& choice,
                                             const SplitChoice& split) {
    const Plan plan(make_schedule(collective, 4), ElementType::integer, 8);
    const Framing framing{4, 64, 16};
    auto codec = make_codec(choice, framing);
    if (!codec->constant_rate()) codec = make_split_codec(split, std::move(codec), framing, classes);
    const Left alone = run(plan, *codec, serial_for);
    for (const std::uint32_t count : {1u, 2u, 3u, 8u}) {
        Threads threads(count);
        EXPECT_EQ(run(plan, *codec, threads.parallel_for()), alone) << count << " threads";
    }
}

TEST(RanksOnThreads, LeaveTheSameForEveryCodecAndCollective) {
    for_each_kind(codecs, [&]<class P>(const Kind<P>& kind) {
        if constexpr (!std::same_as<P, Fp32Params>)
            for (const Collective& collective :
                 {Collective{RingParams{Issue::lock_step, 2}}, Collective{DirectParams{}}}) {
                SCOPED_TRACE(kind.name);
                expect_equal_for_all_numbers_of_threads(collective, P{}, NoSplitParams{});
            }
    });
}

TEST(RanksOnThreads, LeaveTheSameWithClassesAndAdaptation) {
    for (const Update update : {Update::none, Update::block, Update::symbol})
        expect_equal_for_all_numbers_of_threads(RingParams{}, AscParams{.adapt = update}, ContextSplitParams{});
    expect_equal_for_all_numbers_of_threads(RingParams{}, RansParams{}, ContextSplitParams{});
}

}   // namespace
}   // namespace oscar::threaded_ranks_test

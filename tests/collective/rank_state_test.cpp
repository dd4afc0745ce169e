#include "models/collective/endpoint/rank_state.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/collective/support.hpp"

namespace oscar::rank_state_test {
namespace {

using test::codes;
using test::make_endpoints;

constexpr Framing small{4, 32, 8};   // several blocks in a message of a few hundred values

Plan ring_plan(std::uint32_t ranks, std::uint32_t bits = 8, std::uint32_t slices = 1) {
    return {make_schedule(RingParams{Issue::lock_step, slices}, ranks), ElementType::integer, bits};
}

template <class F>
void for_each_integer_codec(F&& f) {
    for_each_kind(codecs, [&]<class P>(const Kind<P>& kind) {
        if constexpr (!std::same_as<P, Fp32Params>) f(kind.name, *make_codec(P{}, small));
    });
    f("atalanta inline", *make_codec(AtalantaParams{AtalantaTable::sent_inline}, small));
}

void expect_all_hold(const std::vector<RankState>& rank_states, const std::vector<Symbol>& sum) {
    for (const RankState& rank_state : rank_states) EXPECT_TRUE(std::ranges::equal(rank_state.values().all(), sum));
}

TEST(RankStates, HoldTheExactSumWhateverTheCodecRanksSlicesBitsAndChunks) {
    for (const std::uint32_t ranks : {2u, 3u, 8u})
        for (const std::uint32_t slices : {1u, 3u})
            for (const std::uint32_t bits : {4u, 8u, 16u})
                for_each_integer_codec([&](std::string_view name, const Codec& codec) {
                    SCOPED_TRACE(::testing::Message()
                                 << name << " ranks " << ranks << " slices " << slices << " bits " << bits);
                    const Plan plan = ring_plan(ranks, bits, slices);
                    auto rank_states = make_endpoints(plan, codec);
                    for (std::uint8_t t = 0; t < 3; ++t) {
                        const auto values = codes(ranks, 601, bits, t + ranks);
                        const ChunkLayout dealt = make_layout(RoundRobinParams{16}, 601, {ranks, slices}, {});
                        test::begin(rank_states, values, plan, t, t == 1 ? &dealt : nullptr);
                        run_reference(plan.schedule, rank_states);
                        expect_all_hold(rank_states, exact_sum(values));
                        for (RankState& rank_state : rank_states) rank_state.commit();
                    }
                });
}

TEST(RankStates, HoldTheSameWhetherTheyDecodeOrTrust) {
    for_each_integer_codec([&](std::string_view name, const Codec& codec) {
        SCOPED_TRACE(name);
        const Plan plan = ring_plan(3);
        auto decoding = make_endpoints(plan, codec), trusting = decoding;
        for (std::uint8_t t = 0; t < 3; ++t) {
            const auto values = codes(3, 901, 8, t);   // several blocks, of which one may bring the table of all
            test::begin(decoding, values, plan, t);
            test::begin(trusting, values, plan, t);
            EXPECT_EQ(run_reference(plan.schedule, decoding).records,
                      run_reference(plan.schedule, trusting, nullptr, ReceiverWork::take_symbols).records);
            expect_all_hold(trusting, exact_sum(values));
            for (std::size_t r = 0; r < 3; ++r) {
                decoding[r].commit();
                trusting[r].commit();
                EXPECT_EQ(decoding[r].tables().store().digest(), trusting[r].tables().store().digest());
                EXPECT_EQ(decoding[r].tables().received_counts(), trusting[r].tables().received_counts());
            }
        }
    });
}

TEST(RankStates, LearnTheSameFromIterationsWithoutBytes) {
    for_each_integer_codec([&](std::string_view name, const Codec& codec) {
        SCOPED_TRACE(name);
        const Plan plan = ring_plan(3);
        auto sending = make_endpoints(plan, codec), learning = sending;
        for (auto* ranks : {&sending, &learning})
            for (RankState& rank_state : *ranks) rank_state.totals().count({64, 4});
        for (std::uint8_t t = 0; t < 3; ++t) {
            const auto values = codes(3, 960, 8, t);
            test::begin(sending, values, plan, t);
            test::begin(learning, values, plan, t);
            run_reference(plan.schedule, sending, nullptr, ReceiverWork::take_symbols);
            run_reference(plan.schedule, learning, nullptr, ReceiverWork::learn_only);
            expect_all_hold(learning, exact_sum(values));
            for (std::size_t r = 0; r < 3; ++r) {
                EXPECT_EQ(sending[r].tables().doubts(), learning[r].tables().doubts());
                EXPECT_EQ(sending[r].totals().totals(), learning[r].totals().totals());
                sending[r].commit();
                learning[r].commit();
                EXPECT_EQ(sending[r].tables().store().digest(), learning[r].tables().store().digest());
                EXPECT_EQ(sending[r].tables().received_counts(), learning[r].tables().received_counts());
            }
        }
    });
}

TEST(RankStates, MakeBytesToLearnFromOnlyWhereTheyTellWhichTablesTheEndsHold) {
    const Plan plan = ring_plan(3);
    const auto values = codes(3, 960, 8, 0);
    for (const bool stepwise : {true, false}) {
        const auto codec = stepwise ? make_codec(AscParams{}, small) : make_codec(FixedPointParams{}, small);
        auto ranks = make_endpoints(plan, *codec);
        for (std::uint8_t t = 0; t < 2; ++t) {
            test::begin(ranks, values, plan, t);
            const Reference run = run_reference(plan.schedule, ranks, nullptr, ReceiverWork::learn_only);
            EXPECT_EQ(run.records.front().bytes > 0, stepwise && t == 1) << int{t};
            for (RankState& rank_state : ranks) rank_state.commit();
        }
    }
}

TEST(RankStates, AddTheExtremesOfAllRanksWithoutOverflow) {
    for_each_integer_codec([](std::string_view name, const Codec& codec) {
        SCOPED_TRACE(name);
        const Plan plan = ring_plan(16, 16);
        for (const Symbol extreme : {32767, -32767}) {
            auto rank_states = make_endpoints(plan, codec);
            const std::vector<std::vector<Symbol>> values(16, std::vector<Symbol>(40, extreme));
            test::begin(rank_states, values, plan);
            run_reference(plan.schedule, rank_states);
            expect_all_hold(rank_states, std::vector<Symbol>(40, 16 * extreme));
        }
    });
}

TEST(RankStates, WorkWithFewerElementsThanRanks) {
    for_each_integer_codec([](std::string_view name, const Codec& codec) {
        SCOPED_TRACE(name);
        const Plan plan = ring_plan(8);
        auto rank_states = make_endpoints(plan, codec);
        const auto values = codes(8, 3, 8, 1);
        test::begin(rank_states, values, plan);
        run_reference(plan.schedule, rank_states);
        expect_all_hold(rank_states, exact_sum(values));
    });
}

TEST(RankStates, AddFp32InTheOrderOfTheRing) {
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const Plan plan(make_schedule(RingParams{}, 3), ElementType::float32, 32);
    auto rank_states = make_endpoints(plan, *codec);
    // Chunk 0 starts at rank 0: (2^24 + 1) + 1 loses both ones in fp32, 1 + 1 + 2^24 would not.
    const auto bits = [](float v) { return std::bit_cast<Symbol>(v); };
    test::begin(rank_states, {{bits(16777216.0f), 0, 0}, {bits(1.0f), 0, 0}, {bits(1.0f), 0, 0}}, plan);
    run_reference(plan.schedule, rank_states);
    for (const RankState& rank_state : rank_states)
        EXPECT_EQ(std::bit_cast<float>(rank_state.values().all()[0]), 16777216.0f);
}

TEST(RankStates, ForwardFinalSumsAsTheyCame) {
    const auto codec = make_codec(AscParams{}, small);
    const Plan plan = ring_plan(4);
    auto rank_states = make_endpoints(plan, *codec);
    test::begin(rank_states, codes(4, 400, 8, 7), plan);
    const Reference run = run_reference(plan.schedule, rank_states);
    for (std::uint32_t i = 0; i < run.records.size(); ++i) {
        const Step& step = plan.schedule.steps[i];
        EXPECT_EQ(run.forwarded[i], step.timestep.value > 3);   // all-gather but its first timestep
        if (run.forwarded[i]) {
            EXPECT_EQ(run.records[i].hash, run.records[plan.schedule.after(StepId{i}).front().value].hash);
        }
    }
}

TEST(RankStates, HaveTheSameTablesAtBothEndsOfEachLinkAfter20Iterations) {
    const auto codec = make_codec(AscParams{}, small);
    const Plan plan = ring_plan(4);
    auto rank_states = make_endpoints(plan, *codec);
    for (std::uint8_t t = 0; t < 20; ++t) {
        test::begin(rank_states, codes(4, 500, 8, 100 + t), plan, t);
        run_reference(plan.schedule, rank_states);
        for (RankState& rank_state : rank_states) rank_state.commit();
    }
    std::size_t private_tables = 0;
    for (std::uint32_t i = 0; i < plan.schedule.steps.size(); ++i) {
        const Step& step = plan.schedule.steps[i];
        const Table* sender = rank_states[step.from.value].tables().of(StepId{i});
        const Table* receiver = rank_states[step.to.value].tables().of(StepId{i});
        ASSERT_NE(sender, nullptr);
        ASSERT_NE(receiver, nullptr);
        EXPECT_EQ(*sender, *receiver);   // per-link on reduce-scatter, final-sum on all-gather
        private_tables += *sender != *rank_states[0].tables().of_final_sums();
    }
    EXPECT_GT(private_tables, 0u);   // the timesteps do have tables of their own
    for (const RankState& rank_state : rank_states)
        EXPECT_EQ(*rank_state.tables().of_final_sums(), *rank_states[0].tables().of_final_sums());
}

/// A codec whose sender peeks at what the receiver cannot know: a table of the symbols at hand.
class LocalStatistics : public Codec {
public:
    explicit LocalStatistics(const Codec& asc) : asc_(asc) {}
    Encoded encode(std::span<const Symbol> symbols, const Context& context, const Tables&) const override {
        Counts counts;
        asc_.learn(symbols, context.width, counts);
        const Table local = asc_.make_table(counts, context.width);
        return asc_.encode(symbols, context, &local);
    }
    std::vector<Block> decode(std::span<const std::byte> bytes, const Context& context, const Tables& table,
                              std::span<Symbol> out) const override {
        return asc_.decode(bytes, context, table, out);
    }
    Bytes bound(std::size_t symbols, std::uint32_t width) const override { return asc_.bound(symbols, width); }
    std::uint32_t cost(Symbol s, std::uint32_t width, const Table* table) const override {
        return asc_.cost(s, width, table);
    }
    TableSource table_source() const override { return TableSource::stepwise; }
    void learn(std::span<const Symbol> s, std::uint32_t width, Counts& counts) const override {
        asc_.learn(s, width, counts);
    }
    Table make_table(const Counts& counts, std::uint32_t width) const override {
        return asc_.make_table(counts, width);
    }

private:
    const Codec& asc_;
};

TEST(RankStates, DetectATableFromSenderLocalStatistics) {
    const auto asc = make_codec(AscParams{}, small);
    const LocalStatistics local(*asc);
    const Plan plan = ring_plan(4);
    auto receivers = make_endpoints(plan, *asc);
    test::begin(receivers, codes(4, 500, 8, 1), plan, 0);
    run_reference(plan.schedule, receivers);
    for (RankState& rank_state : receivers) rank_state.commit();   // now every key has a table: no inline bootstrap

    auto senders = make_endpoints(plan, local);
    const auto values = codes(4, 500, 8, 2);
    test::begin(receivers, values, plan, 1);
    test::begin(senders, values, plan, 1);
    const auto message = senders[0].send(StepId{0});
    EXPECT_THROW(receivers[1].receive(StepId{0}, test::bare(*message)), CorruptStream);
    // With the shared table the same step passes.
    EXPECT_NO_THROW(receivers[1].receive(StepId{0}, test::bare(*receivers[0].send(StepId{0}))));
}

TEST(RankStates, DetectAMessageOfAnotherIteration) {
    const auto codec = make_codec(AscParams{}, small);
    const Plan plan = ring_plan(2);
    auto now = make_endpoints(plan, *codec), before = make_endpoints(plan, *codec);
    test::begin(now, codes(2, 100, 8, 1), plan, 5);
    test::begin(before, codes(2, 100, 8, 1), plan, 4);
    EXPECT_THROW(now[1].receive(StepId{0}, test::bare(*before[0].send(StepId{0}))), CorruptStream);
}

TEST(RankStates, KeepTheirTablesWhenAnIterationIsRolledBackAndLoseThemWhenReset) {
    const auto codec = make_codec(AscParams{}, small);
    const Plan plan = ring_plan(3);
    auto rank_states = make_endpoints(plan, *codec);
    test::begin(rank_states, codes(3, 300, 8, 1), plan, 0);
    run_reference(plan.schedule, rank_states);
    for (RankState& rank_state : rank_states) rank_state.commit();
    const auto committed = rank_states[1].tables().store().digest();

    test::begin(rank_states, codes(3, 300, 8, 2), plan, 1);
    run_reference(plan.schedule, rank_states);
    for (RankState& rank_state : rank_states) rank_state.tables().rollback();
    EXPECT_EQ(rank_states[1].tables().store().digest(), committed);

    rank_states[1].tables().reset();
    EXPECT_EQ(rank_states[1].tables().of_final_sums(), nullptr);
}

TEST(Imbalance, IsTheSumOfLargestOverTheSumOfMeans) {
    const Schedule schedule = make_schedule(RingParams{}, 2);   // two timesteps of two messages
    EXPECT_DOUBLE_EQ(imbalance(schedule, SharedEntries<MessageRecord>{{1, 30, 0}, {1, 10, 0}, {1, 20, 0}, {1, 20, 0}}),
                     (30.0 + 20) / (20 + 20));
}

TEST(CommitEach, MakesTheTablesThatEachRankWouldMakeByItself) {
    for (const AscParams& params : {AscParams{}, AscParams{.table_source = StepSource::rescaled}}) {
        const Plan plan = ring_plan(4);
        const auto codec = make_codec(params, small);
        const auto values = codes(4, 803, 8, 5);
        std::vector<RankState> together, alone;
        for (std::uint32_t r = 0; r < 4; ++r) together.emplace_back(plan, *codec, 3);
        std::vector<std::uint8_t> classes(803);
        for (std::size_t i = 0; i < classes.size(); ++i) classes[i] = static_cast<std::uint8_t>(i % 7 % 3);
        const ChunkLayout layout = make_layout(EqualParams{}, 803, {4, 1}, {});
        for (std::size_t r = 0; r < 4; ++r) together[r].begin(values[r], layout, 0, classes);
        run_reference(plan.schedule, together);
        together[3].begin(values[3], layout, 0, classes);   // one that has other values than the first
        alone = together;
        std::vector<RankState*> each;
        for (RankState& rank_state : together) each.push_back(&rank_state);
        commit_each(each);
        for (std::size_t r = 0; r < 4; ++r) {
            alone[r].commit();
            EXPECT_EQ(together[r].tables().store().digest(), alone[r].tables().store().digest()) << "rank " << r;
        }
        EXPECT_NE(together[3].tables().store().digest(), together[0].tables().store().digest());
    }
}

TEST(RankStates, KnowTheSameIfValuesClassesTablesAndTotalsAreEqual) {
    const Plan plan = ring_plan(2);
    const auto codec = make_codec(AscParams{}, small);
    const auto values = codes(2, 400, 8, 6);
    auto ranks = make_endpoints(plan, *codec);
    test::begin(ranks, {values[0], values[0]}, plan);
    EXPECT_TRUE(equal_planner_inputs(ranks[0], ranks[1]));
    test::begin(ranks, values, plan);
    EXPECT_FALSE(equal_values(ranks[0], ranks[1]));

    run_reference(plan.schedule, ranks);
    EXPECT_TRUE(equal_planner_inputs(ranks[0], ranks[1]));
    ranks[0].commit();
    EXPECT_TRUE(equal_values(ranks[0], ranks[1]));
    EXPECT_FALSE(equal_planner_inputs(ranks[0], ranks[1]));   // only one has tables

    auto with_classes = ranks;
    const ChunkLayout layout = ranks[0].values().layout();
    with_classes[0].begin(values[0], layout, 1, std::vector<std::uint8_t>(400, 0));
    with_classes[1].begin(values[0], layout, 1, std::vector<std::uint8_t>(400, 1));
    EXPECT_FALSE(equal_values(with_classes[0], with_classes[1]));
}

TEST(RankStates, KnowTheSameWhateverTheirLinksHaveLearnt) {
    const Plan plan = ring_plan(4);
    const auto codec = make_codec(AscParams{}, small);
    auto ranks = make_endpoints(plan, *codec);
    test::begin(ranks, codes(4, 800, 8, 7), plan);
    run_reference(plan.schedule, ranks);
    for (RankState& rank_state : ranks) rank_state.commit();
    ASSERT_NE(ranks[0].tables().store().digest(), ranks[1].tables().store().digest());
    EXPECT_TRUE(equal_planner_inputs(ranks[0], ranks[1]));
}

TEST(RankStates, ShareWhatTheyHoldAfterACommitIfItIsTheSame) {
    const Plan plan = ring_plan(4);
    const auto codec = make_codec(AscParams{}, small);
    auto ranks = make_endpoints(plan, *codec);
    const auto values = codes(4, 800, 8, 8);
    test::begin(ranks, values, plan);
    run_reference(plan.schedule, ranks);
    const ChunkLayout layout = ranks[0].values().layout();
    ranks[2].begin(values[2], layout, 0);   // holds other values
    std::vector<RankState*> each;
    for (RankState& rank_state : ranks) each.push_back(&rank_state);
    ASSERT_NE(ranks[0].values().all().data(), ranks[1].values().all().data());
    commit_each(each);
    EXPECT_EQ(ranks[0].values().all().data(), ranks[1].values().all().data());
    EXPECT_NE(ranks[0].values().all().data(), ranks[2].values().all().data());
    EXPECT_TRUE(std::ranges::equal(ranks[2].values().all(), values[2]));

    test::begin(ranks, values, plan, 1);
    EXPECT_TRUE(std::ranges::equal(ranks[0].values().all(), values[0]));
    run_reference(plan.schedule, ranks);
    expect_all_hold(ranks, exact_sum(values));
}

TEST(RankStates, LearnFromKnownCountsOnlyIfTheirContentsAreEqual) {
    const Plan plan = ring_plan(2);
    const auto codec = make_codec(AscParams{}, small);
    const auto values = codes(2, 400, 8, 9);
    const auto digest_after = [&](const SharedCounts& candidate, const std::vector<Symbol>& symbols) {
        RankTables tables(plan, *codec, 1);
        tables.learn(StepId{0}, symbols, {}, candidate);
        tables.commit({});
        return tables.store().digest();
    };
    RankTables first(plan, *codec, 1);
    const SharedCounts counts = first.learn(StepId{0}, values[0], {});
    ASSERT_NE(counts, nullptr);
    EXPECT_EQ(digest_after(counts, values[0]), digest_after(nullptr, values[0]));
    EXPECT_EQ(digest_after(counts, values[1]), digest_after(nullptr, values[1]));
    ASSERT_NE(digest_after(nullptr, values[0]), digest_after(nullptr, values[1]));
    EXPECT_EQ(RankTables(first).learn(StepId{0}, values[0], {}, counts), counts);
}

}   // namespace
}   // namespace oscar::rank_state_test

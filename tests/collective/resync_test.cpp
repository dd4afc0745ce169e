// Ranks that lost their tables, or counted an iteration that others did not, are in step again after one iteration.
#include <functional>

#include "tests/collective/resync_support.hpp"

namespace oscar::resync_test {
namespace {

using test::for_each_stepwise_codec;
using test::Ring;

constexpr Resent none{};

/// In the iteration after `disturb`, sums are exact; after it, all tables are equal and nothing more is sent again.
void expect_one_iteration_to_suffice(Ring& ring, const std::function<void()>& disturb) {
    for (const std::uint64_t seed : {1u, 2u}) EXPECT_EQ(ring.iterate(seed), none);
    disturb();
    ring.iterate(4);
    ring.expect_equal_tables();
    for (const std::uint64_t seed : {5u, 6u, 7u}) EXPECT_EQ(ring.iterate(seed), none) << seed;
    ring.expect_equal_tables();
}

TEST(Resync, TakesOneIterationAfterAnyRanksLostTheirTables) {
    for_each_stepwise_codec([](const Codec& codec, bool by_class) {
        for (std::uint32_t lost = 0; lost < 16; ++lost) {
            const std::uint32_t slices = std::popcount(lost) % 2 == 0 ? 1 : 3;
            SCOPED_TRACE(::testing::Message() << "slices " << slices << ", lost " << lost);
            Ring ring(codec, by_class, 4, slices, 330);
            expect_one_iteration_to_suffice(ring, [&] { ring.lose(lost); });
        }
    });
}

TEST(Resync, IsTheSameForReceiversThatTrust) {
    for_each_stepwise_codec([](const Codec& codec, bool by_class) {
        for (const std::uint32_t lost : {0u, 1u, 6u}) {
            SCOPED_TRACE(::testing::Message() << "lost " << lost);
            Ring decoding(codec, by_class, 4, 1, 330), trusting(codec, by_class, 4, 1, 330);
            std::uint64_t resent = 0;
            for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
                std::vector<Reference> runs;
                for (Ring* ring : {&decoding, &trusting}) {
                    if (seed == 3) ring->lose(lost);
                    ring->begin(seed);
                    runs.push_back(
                        run_reference(ring->plan().schedule, ring->rank_states(), nullptr,
                                      ring == &trusting ? ReceiverWork::take_symbols : ReceiverWork::decode_bytes));
                    ring->expect_sum();
                    agree_on_tables(ring->rank_states());
                    ring->end();
                }
                EXPECT_EQ(runs[0].records, runs[1].records) << seed;
                EXPECT_EQ(runs[0].resent, runs[1].resent) << seed;
                for (std::size_t r = 0; r < 4; ++r)
                    EXPECT_EQ(decoding.rank_states()[r].tables().store().digest(),
                              trusting.rank_states()[r].tables().store().digest());
                resent += runs[1].resent.messages;
            }
            EXPECT_EQ(resent > 0, lost > 0);
        }
    });
}

TEST(Resync, TakesOneIterationAfterAnyRanksCommittedWhereOthersRolledBack) {
    for_each_stepwise_codec([](const Codec& codec, bool by_class) {
        for (std::uint32_t committing = 0; committing < 16; ++committing) {
            const std::uint32_t slices = std::popcount(committing) % 2 == 0 ? 1 : 3;
            SCOPED_TRACE(::testing::Message() << "slices " << slices << ", committing " << committing);
            Ring ring(codec, by_class, 4, slices, 330);
            expect_one_iteration_to_suffice(ring, [&] {
                ring.begin(3);
                EXPECT_EQ(ring.run(), none);
                ring.end(committing);
            });
        }
    });
}

TEST(Resync, TakesOneIterationForAnyNumberOfRanks) {
    const auto codec = make_codec(AscParams{}, Framing{4, 32, 8});
    for (const std::uint32_t ranks : {2u, 3u, 5u, 9u})
        for (std::uint32_t r = 0; r < ranks; ++r) {
            SCOPED_TRACE(::testing::Message() << ranks << " ranks, lost by " << r);
            Ring lost(*codec, false, ranks, 1, 80 * ranks);
            expect_one_iteration_to_suffice(lost, [&] { lost.lose(1u << r); });
        }
}

TEST(Resync, TakesOneIterationThoughSomeMessagesAreRawOrEmpty) {
    // A message that is not coded does not show whether the tables are the same: its key is reset at both ends.
    for_each_stepwise_codec([](const Codec& codec, bool by_class) {
        for (const std::uint32_t elements :
             {3u, 11u, 40u})   // 4 chunks: some have no value, or so few that they go raw
            for (const std::uint32_t lost : {1u, 6u, 13u}) {
                SCOPED_TRACE(::testing::Message() << elements << " elements, lost " << lost);
                Ring ring(codec, by_class, 4, 1, elements);
                expect_one_iteration_to_suffice(ring, [&] { ring.lose(lost); });
            }
    });
}

TEST(Resync, SendsOncePerLostTimestepOfTheReduceScatterAndOncePerChunkOfTheAllGather) {
    // Rank 2 of 4 has no tables. It decodes nothing that comes: 3 messages of the reduce-scatter, 3 of the all-gather.
    // What it sends brings a table, or is handed on with the one that it was sent; its own final sum has one.
    const auto codec = make_codec(AscParams{}, Framing{4, 32, 8});
    Ring ring(*codec, false, 4, 1, 2000);
    ring.iterate(1);
    ring.lose(1u << 2);
    EXPECT_EQ(ring.iterate(2).messages, 6u);
    EXPECT_EQ(ring.iterate(4).messages, 0u);
}

TEST(Resync, BringsATableInWhatIsSentAgain) {
    const auto codec = make_codec(AscParams{}, Framing{4, 512, 8});
    Ring ring(*codec, false, 2, 1, 2000);
    ring.iterate(1);
    ring.lose(1u << 1);
    ring.begin(2);
    const auto refused = ring.rank_states()[0].send(StepId{0});
    EXPECT_THROW(ring.rank_states()[1].receive(StepId{0}, test::bare(*refused)), TableMismatch);
    const auto again = ring.rank_states()[0].resend(StepId{0});
    EXPECT_EQ(refused->blocks[0].mode, BlockMode::coded);
    EXPECT_EQ(again->blocks[0].mode, BlockMode::coded_inline);
    EXPECT_NO_THROW(ring.rank_states()[1].receive(StepId{0}, test::bare(*again)));
}

TEST(Resync, LeavesAnEndpointThatRefusesAMessageAsItWas) {
    for_each_stepwise_codec([](const Codec& codec, bool by_class) {
        Ring ring(codec, by_class, 3, 1, 300);
        ring.iterate(1);
        ring.iterate(2);
        ring.begin(3);
        RankState &sender = ring.rank_states()[0], &receiver = ring.rank_states()[1];
        RankState twin = receiver;
        Ring others(codec, by_class, 3, 1, 300);   // whose history is another
        others.iterate(5);
        others.iterate(6);
        others.begin(3);
        const auto foreign = others.rank_states()[0].send(StepId{0});
        EXPECT_THROW(receiver.receive(StepId{0}, test::bare(*foreign)), TableMismatch);
        EXPECT_TRUE(std::ranges::equal(receiver.values().all(), twin.values().all()));
        const auto message = sender.send(StepId{0});
        receiver.receive(StepId{0}, test::bare(*message));
        twin.receive(StepId{0}, test::bare(*message));
        EXPECT_TRUE(std::ranges::equal(receiver.values().all(), twin.values().all()));
        receiver.commit();
        twin.commit();
        EXPECT_EQ(receiver.tables().store().digest(), twin.tables().store().digest());
    });
}

TEST(Resync, TellsFromAHeaderWhatReceiveWillRefuse) {
    for_each_stepwise_codec([](const Codec& codec, bool by_class) {
        Ring ring(codec, by_class, 4, 1, 330);
        ring.iterate(1);
        ring.iterate(2);
        ring.lose(1u << 2);
        ring.begin(4);
        auto& rank_states = ring.rank_states();
        for (std::uint32_t i = 0; i < ring.plan().schedule.steps.size(); ++i) {
            const Step& step = ring.plan().schedule.steps[i];
            RankState &sender = rank_states[step.from.value], &receiver = rank_states[step.to.value];
            auto message = sender.send(StepId{i});
            const auto names =
                std::ranges::find_if(message->blocks, [](const Block& b) { return b.mode != BlockMode::raw; });
            if (names != message->blocks.end() && !receiver.holds_tables_of(StepId{i}, *names)) {
                EXPECT_THROW(receiver.receive(StepId{i}, test::bare(*message)), TableMismatch);
                message = sender.resend(StepId{i});
                for (const Block& block : message->blocks)
                    EXPECT_TRUE(block.mode != BlockMode::coded_inline || receiver.holds_tables_of(StepId{i}, block));
            }
            EXPECT_NO_THROW(receiver.receive(StepId{i}, test::bare(*message)));
        }
        ring.expect_sum();
    });
}

/// Performs all steps that may be complete before step `held` is, and returns the others.
std::vector<std::uint32_t> run_all_but_what_follows(Ring& ring, std::uint32_t held) {
    const Schedule& schedule = ring.plan().schedule;
    const auto& steps = schedule.steps;
    std::vector<bool> follows(steps.size());
    follows[held] = true;
    std::vector<std::uint32_t> left;
    for (std::uint32_t i = 0; i < steps.size(); ++i) {
        for (const StepId before : schedule.after(StepId{i})) follows[i] = follows[i] || follows[before.value];
        if (follows[i]) {
            left.push_back(i);
            continue;
        }
        const auto message = ring.rank_states()[steps[i].from.value].send(StepId{i});
        ring.rank_states()[steps[i].to.value].receive(StepId{i}, test::bare(*message));
    }
    return left;
}

TEST(Resync, FindsWhatWasSentStillAtItsSenderHoweverFarOtherStepsHaveGone) {
    const auto codec = make_codec(AscParams{}, Framing{4, 32, 8});
    for (const std::uint32_t slices : {1u, 2u})
        for (std::uint32_t held = 0; held < 24 * slices; ++held) {
            SCOPED_TRACE(::testing::Message() << "slices " << slices << ", step " << held);
            Ring ring(*codec, false, 4, slices, 400);
            ring.begin(1);
            const Step& step = ring.plan().schedule.steps[held];
            const auto left = run_all_but_what_follows(ring, held);
            ring.rank_states()[step.from.value].send(StepId{held});   // is lost
            for (const std::uint32_t i : left) {
                const Step& next = ring.plan().schedule.steps[i];
                RankState& sender = ring.rank_states()[next.from.value];
                const auto message = i == held ? sender.resend(StepId{i}) : sender.send(StepId{i});
                ring.rank_states()[next.to.value].receive(StepId{i}, test::bare(*message));
            }
            ring.expect_sum();
        }
}

TEST(Resync, KeepsSumsExactWhenTablesAreLostBetweenAnyTwoSteps) {
    for_each_stepwise_codec([](const Codec& codec, bool by_class) {
        Ring ring(codec, by_class, 4, 2, 400);
        std::mt19937_64 random(1);
        for (std::uint64_t seed = 1; seed <= 12; ++seed) {
            ring.begin(seed);
            for (std::uint32_t i = 0; i < ring.plan().schedule.steps.size(); ++i) {
                if (random() % 8 == 0) ring.lose(1u << random() % 4);
                const Step& step = ring.plan().schedule.steps[i];
                RankState &sender = ring.rank_states()[step.from.value], &receiver = ring.rank_states()[step.to.value];
                const auto message = sender.send(StepId{i});
                try {
                    receiver.receive(StepId{i}, test::bare(*message));
                } catch (const TableMismatch&) {
                    receiver.receive(StepId{i}, test::bare(*sender.resend(StepId{i})));
                }
            }
            ring.expect_sum();
            ring.end(static_cast<std::uint32_t>(random()));
        }
        ring.iterate(20);
        ring.expect_equal_tables();
        EXPECT_EQ(ring.iterate(21), none);
    });
}

TEST(Resync, SendsATableWhereTheCommonOneWasLost) {
    for (const AtalantaTable source : {AtalantaTable::profiled, AtalantaTable::pooled}) {
        const auto codec = make_codec(AtalantaParams{source}, Framing{4, 32, 8});
        Ring ring(*codec, false, 4, 1, 2000);
        Counts counts;
        codec->learn(test::codes(1, 2000, 8, 9)[0], 10, counts);
        const Table table = codec->make_table(counts, 10);
        for (RankState& rank_state : ring.rank_states()) rank_state.tables().set_profile(table);
        ring.begin(1);
        ring.rank_states()[2].tables().reset();
        const Resent resent = ring.run();
        EXPECT_EQ(resent.messages, 6u);   // all that comes to it, as above
        ring.end();
        for (RankState& rank_state : ring.rank_states()) rank_state.tables().set_profile(table);
        EXPECT_EQ(ring.iterate(2), none);
    }
}

}   // namespace
}   // namespace oscar::resync_test

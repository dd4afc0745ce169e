// An iteration that is given up leaves nothing: its repetition sends the bytes that it would have sent.
#include "tests/collective/resync_support.hpp"

namespace oscar::abort_test {
namespace {

using test::Ring;

/// The first steps of the iteration that has begun, and its end by rollback.
void abort_after(Ring& ring, std::size_t steps) {
    Schedule part = ring.plan().schedule;
    part.steps.resize(steps);
    run_reference(part, ring.rank_states());
    ring.end(0);
}

TEST(Abort, LetsTheRepetitionSendWhatTheIterationWouldHaveSent) {
    test::for_each_stepwise_codec([](const Codec& codec, bool by_class) {
        Ring aborting(codec, by_class, 4, 2, 400), twin(codec, by_class, 4, 2, 400);
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
            for (const std::size_t steps : {0u, 1u, 9u, 30u, 48u}) {
                aborting.begin(seed);
                abort_after(aborting, steps);
            }
            for (Ring* ring : {&aborting, &twin}) ring->begin(seed);
            EXPECT_EQ(run_reference(aborting.plan().schedule, aborting.rank_states()).records,
                      run_reference(twin.plan().schedule, twin.rank_states()).records);
            for (Ring* ring : {&aborting, &twin}) ring->end();
            for (std::size_t r = 0; r < 4; ++r)
                EXPECT_EQ(aborting.rank_states()[r].tables().store().digest(),
                          twin.rank_states()[r].tables().store().digest());
        }
    });
}

TEST(Abort, ForgetsWhichKeysWereToBeginAnewSoThatTheRepetitionRefusesTheSame) {
    const auto codec = make_codec(AscParams{}, Framing{4, 32, 8});
    Ring aborting(*codec, false, 4, 1, 2000), twin(*codec, false, 4, 1, 2000);
    for (Ring* ring : {&aborting, &twin}) {
        ring->iterate(1);
        ring->lose(1u << 2);
    }
    aborting.begin(2);
    abort_after(aborting, 24);
    EXPECT_EQ(aborting.iterate(2), twin.iterate(2));
    aborting.expect_equal_tables();
    EXPECT_EQ(aborting.iterate(3), Resent{});
}

TEST(Abort, LeavesTheCountsForAPooledTableAsTheLastCommittedIterationMadeThem) {
    const auto codec = make_codec(AtalantaParams{AtalantaTable::pooled}, Framing{4, 32, 8});
    Ring ring(*codec, false, 4, 1, 400);
    ring.iterate(1);
    const RankState& rank = ring.rank_states()[1];
    const Counts committed = rank.tables().received_counts();
    ASSERT_FALSE(committed.empty());
    ring.begin(2);
    EXPECT_EQ(rank.tables().received_counts(), committed);
    abort_after(ring, 13);
    EXPECT_EQ(rank.tables().received_counts(), committed);
    ring.iterate(2);
    EXPECT_NE(rank.tables().received_counts(), committed);
    ring.lose(1u << 1);
    EXPECT_TRUE(rank.tables().received_counts().empty());
}

}   // namespace
}   // namespace oscar::abort_test

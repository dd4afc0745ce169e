#include "models/collective/endpoint/reference.hpp"

#include <gmock/gmock.h>

#include "tests/collective/support.hpp"

namespace oscar::reference_test {
namespace {

/// A loop that is as far from the order of the schedule as a loop can be.
void backwards(std::size_t count, const std::function<void(std::size_t)>& body) {
    for (std::size_t i = count; i > 0; --i) body(i - 1);
}

struct Finished {
    Reference reference;
    StepEntropy entropy;
    std::vector<RankState> rank_states;
};

/// Two iterations, of which the second has tables; the second is returned.
Finished run(const Plan& plan, const Codec& codec, const std::vector<std::vector<Symbol>>& values, ReceiverWork work,
             const ParallelFor& parallel) {
    Finished finished{{}, {}, test::make_endpoints(plan, codec)};
    for (std::uint8_t t = 0; t < 2; ++t) {
        finished.entropy = {};
        test::begin(finished.rank_states, values, plan, t);
        finished.reference = run_reference(plan.schedule, finished.rank_states, &finished.entropy, work, parallel);
        for (RankState& rank_state : finished.rank_states) rank_state.commit();
    }
    return finished;
}

void expect_equal(const Finished& a, const Finished& b) {
    EXPECT_EQ(a.reference.records, b.reference.records);
    EXPECT_EQ(a.reference.sources, b.reference.sources);
    EXPECT_EQ(a.reference.forwarded, b.reference.forwarded);
    EXPECT_EQ(a.reference.resent, b.reference.resent);
    EXPECT_EQ(a.entropy.bits(), b.entropy.bits());
    EXPECT_EQ(a.entropy.symbols(), b.entropy.symbols());
    for (std::size_t r = 0; r < a.rank_states.size(); ++r) {
        EXPECT_TRUE(std::ranges::equal(a.rank_states[r].values().all(), b.rank_states[r].values().all()))
            << "rank " << r;
        EXPECT_EQ(a.rank_states[r].tables().store().digest(), b.rank_states[r].tables().store().digest())
            << "rank " << r;
    }
}

TEST(Reference, IsTheSameInEveryOrderOfTheRanksOfATimestep) {
    for (const Collective& collective : {Collective{RingParams{}}, Collective{DirectParams{}},
                                         Collective{HalvingDoublingParams{}}, Collective{DoubleBinaryTreeParams{}}})
        for (const CodecChoice& kind : {CodecChoice{FixedPointParams{}}, CodecChoice{AscParams{}},
                                        CodecChoice{AacParams{}}, CodecChoice{RansParams{}}})
            for (const ReceiverWork work : {ReceiverWork::decode_bytes, ReceiverWork::take_symbols}) {
                const Plan plan(make_schedule(collective, 4), ElementType::integer, 8);
                const auto codec = make_codec(kind, Framing{4, 32, 8});
                const auto values = test::codes(4, 603, 8, 1);
                const Finished forwards = run(plan, *codec, values, work, serial_for);
                expect_equal(forwards, run(plan, *codec, values, work, backwards));
                EXPECT_TRUE(std::ranges::equal(forwards.rank_states.front().values().all(), exact_sum(values)));
            }
}

TEST(Reference, AddsFloatsInTheOrderOfTheScheduleWhateverTheOrderOfTheRanks) {
    std::vector<std::vector<Symbol>> values(4, std::vector<Symbol>(97));
    for (std::size_t r = 0; r < values.size(); ++r)
        for (std::size_t i = 0; i < values[r].size(); ++i)
            values[r][i] =
                word_of(ElementType::float32, static_cast<float>(1 + r) / static_cast<float>(3 + i * (r + 7)));
    for (const Collective& collective : {Collective{RingParams{}}, Collective{DirectParams{}}}) {
        const Plan plan(make_schedule(collective, 4), ElementType::float32, 32);
        const auto codec = make_codec(Fp32Params{}, Framing{});
        expect_equal(run(plan, *codec, values, ReceiverWork::take_symbols, serial_for),
                     run(plan, *codec, values, ReceiverWork::take_symbols, backwards));
    }
}

TEST(Reference, SendsAgainWhatAReceiverWithoutTheTablesRefusesInEveryOrder) {
    const Plan plan(make_schedule(RingParams{}, 3), ElementType::integer, 8);
    const auto codec = make_codec(AscParams{}, Framing{4, 32, 8});
    const auto values = test::codes(3, 900, 8, 2);
    std::vector<Reference> references;
    for (const ParallelFor& parallel : {ParallelFor(serial_for), ParallelFor(backwards)}) {
        auto rank_states = run(plan, *codec, values, ReceiverWork::take_symbols, parallel).rank_states;
        rank_states[1].tables().reset();
        test::begin(rank_states, values, plan, 2);
        references.push_back(run_reference(plan.schedule, rank_states, nullptr, ReceiverWork::take_symbols, parallel));
        for (const RankState& rank_state : rank_states)
            EXPECT_TRUE(std::ranges::equal(rank_state.values().all(), exact_sum(values)));
    }
    EXPECT_GT(references[0].resent.messages, 0u);
    EXPECT_EQ(references[0].resent, references[1].resent);
    EXPECT_EQ(references[0].records, references[1].records);
}

}   // namespace
}   // namespace oscar::reference_test

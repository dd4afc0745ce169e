#include "models/collective/endpoint/block_totals.hpp"

#include <gmock/gmock.h>

#include <numeric>

#include "models/partition/chunk_planner.hpp"
#include "tests/collective/support.hpp"

namespace oscar::block_totals_test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

const std::vector<Segment> whole{{0, 10}};   // two blocks of four elements and one of two

TEST(BlockTotals, AddUpByBlockToTheNearestUnitInLittleEndian) {
    BlockTotals totals({4, 8});   // units of a bit
    totals.begin(10);
    std::vector<std::uint32_t> costs(10, 100);
    totals.add_costs(whole, costs, 1);
    EXPECT_THAT(totals.units(), ElementsAre(2, 2, 1));   // 400, 400, 200 of 256
    totals.add_costs(std::vector<Segment>{{4, 10}}, std::vector<std::uint32_t>(6, 256), 100);
    EXPECT_THAT(totals.units(), ElementsAre(2, 402, 201));
    std::vector<std::byte> trailer;
    totals.append_trailer(whole, trailer);
    EXPECT_EQ(totals.trailer_bytes(whole), 6u);
    EXPECT_THAT(trailer,
                ElementsAre(std::byte{2}, std::byte{0}, std::byte{146}, std::byte{1}, std::byte{201}, std::byte{0}));
    EXPECT_THAT(totals.costs(10), ElementsAre(2, 0, 0, 0, 402, 0, 0, 0, 201, 0));
}

TEST(BlockTotals, AreAddedOrReplacedByWhatATrailerSaysOfAChunk) {
    BlockTotals totals({4, 0});
    totals.begin(10);
    totals.add_costs(whole, std::vector<std::uint32_t>(10, 1), 1);
    const std::vector<Segment> chunk{{8, 10}, {0, 4}};
    const std::vector<std::byte> trailer{std::byte{3}, std::byte{1}, std::byte{7}, std::byte{0}};
    totals.add(chunk, trailer);
    EXPECT_THAT(totals.units(), ElementsAre(4 + 7, 4, 2 + 259));
    totals.replace(chunk, trailer);
    EXPECT_THAT(totals.units(), ElementsAre(7, 4, 259));
}

TEST(BlockTotals, SaturateAndBeginAtZero) {
    BlockTotals totals({4, 0});
    totals.begin(10);
    totals.add_costs(whole, std::vector<std::uint32_t>(10, 0xFFFF), 1);
    EXPECT_THAT(totals.units(), Each(0xFFFF));
    totals.add(whole, std::vector<std::byte>(6, std::byte{1}));
    EXPECT_THAT(totals.units(), Each(0xFFFF));
    totals.begin(10);
    EXPECT_THAT(totals.units(), Each(0));
}

TEST(BlockUnit, IsTheFinestInWhichTheDearestBlockFits) {
    // 64 values of 32 bits in 14 messages: 28672 bits, which fit 16 bits in units of half a bit; 256 values in 2 bits.
    EXPECT_EQ(finest_unit(64, 14, 32), (BlockUnit{64, 7}));
    EXPECT_EQ(finest_unit(256, 14, 32), (BlockUnit{256, 9}));
    for (const std::uint32_t granularity : {1u, 64u, 65536u})
        for (const std::uint32_t messages : {2u, 14u, 510u}) {
            BlockTotals totals(finest_unit(granularity, messages, 40));
            totals.begin(granularity);
            const std::vector<std::uint32_t> dearest(granularity, 40 * 256);
            for (std::uint32_t m = 0; m < messages; ++m)
                totals.add_costs(std::vector<Segment>{{0, granularity}}, dearest, 1);
            EXPECT_LT(totals.units()[0], 0xFFFF);
            const bool finest = finest_unit(granularity, messages, 40).shift == 0;
            EXPECT_TRUE(finest || totals.units()[0] > 0xFFFF / 3);   // half the unit would not do, but for rounding
        }
}

TEST(BlockUnit, FillsSixteenBitsToTheLastUnit) {
    // One value of one bit is 256 units of 1/256 bit, and each of 255 messages may round up by one more: 255 * 257 =
    // 0xFFFF, which 16 bits hold.
    EXPECT_EQ(finest_unit(1, 255, 1), (BlockUnit{1, 0}));
    EXPECT_EQ(finest_unit(1, 256, 1), (BlockUnit{1, 1}));   // 256 * 257 = 0x10100
}

TEST(BlockTotals, HoldAllThatSixteenBitsHold) {
    BlockTotals totals({4, 0});
    totals.begin(4);
    const std::vector<Segment> block{{0, 4}};
    totals.add_costs(block, std::vector<std::uint32_t>{0xFFFE, 0, 0, 0}, 1);
    EXPECT_THAT(totals.units(), ElementsAre(0xFFFE));
    totals.add(block, std::vector<std::byte>{std::byte{1}, std::byte{0}});
    EXPECT_THAT(totals.units(), ElementsAre(0xFFFF));
    totals.add(block, std::vector<std::byte>{std::byte{1}, std::byte{0}});
    EXPECT_THAT(totals.units(), ElementsAre(0xFFFF));
}

/// Counts what every message costs by looking at its sender, in the units of the trailers.
class Observer {
public:
    Observer(BlockUnit unit, const Plan& plan, const Codec& codec) : unit_(unit), plan_(plan), codec_(codec) {}

    void look(StepId id, const RankState& sender) {
        const Step& step = plan_.schedule.steps[id.value];
        const std::uint32_t hops = plan_.final_sum(id) ? hops_of(step.chunk) : 1;
        if (plan_.final_sum(id) && !seen_.insert(step.chunk.value).second) return;   // handed on: counted with its hops
        std::vector<std::uint64_t> costs(units.size());
        const auto symbols = sender.values().layout().gather(step.chunk, sender.values().all());
        const Table own = table_of(symbols, plan_.width(id));
        const Table* table = sender.tables().of(id) != nullptr ? sender.tables().of(id) : &own;
        sender.values().layout().for_each(step.chunk, [&](std::uint32_t element, std::uint32_t position) {
            costs[element / unit_.granularity] += codec_.cost(symbols[position], plan_.width(id), table);
        });
        for (std::size_t b = 0; b < costs.size(); ++b)
            units[b] = static_cast<std::uint16_t>(units[b] + ((costs[b] * hops * 2 >> unit_.shift) + 1) / 2);
    }
    std::vector<std::uint16_t> units;

private:
    std::uint32_t hops_of(ChunkId chunk) const {
        std::uint32_t hops = 0;
        for (std::uint32_t i = 0; i < plan_.schedule.steps.size(); ++i)
            hops += plan_.final_sum(StepId{i}) && plan_.schedule.steps[i].chunk == chunk;
        return hops;
    }
    Table table_of(std::span<const Symbol> symbols, std::uint32_t width) const {
        Counts counts;
        codec_.learn(symbols, width, counts);
        return symbols.empty() ? Table{} : codec_.make_table(counts, width);
    }
    BlockUnit unit_;
    const Plan& plan_;
    const Codec& codec_;
    std::set<std::uint32_t> seen_;
};

/// One iteration, observed.
std::vector<std::uint16_t> run_observed(const Plan& plan, const Codec& codec, BlockUnit unit,
                                        std::vector<RankState>& rank_states) {
    Observer observer(unit, plan, codec);
    const auto elements = rank_states.front().values().all().size();
    observer.units.assign((elements + unit.granularity - 1) / unit.granularity, 0);
    for (std::uint32_t i = 0; i < plan.schedule.steps.size(); ++i) {
        const Step& step = plan.schedule.steps[i];
        observer.look(StepId{i}, rank_states[step.from.value]);
        rank_states[step.to.value].receive(StepId{i}, test::bare(*rank_states[step.from.value].send(StepId{i})));
    }
    return observer.units;
}

/// Blocks of 16 of 900 elements over four iterations: every rank knows after each what an observer of all messages
/// counted, and so all cut alike.
void expect_common_knowledge(const Plan& plan, const Codec& codec) {
    const std::uint32_t ranks = plan.schedule.ranks;
    const std::uint32_t participants = plan.schedule.participants(), chunks = plan.schedule.chunks;
    const BlockUnit unit = finest_unit(16, 2 * ranks, 32);
    auto rank_states = test::make_endpoints(plan, codec);
    for (RankState& rank_state : rank_states) rank_state.totals().count(unit);
    std::vector<ChunkPlanner> planners(participants, ChunkPlanner(MeasuredParams{16}, 900, {chunks, 1}));
    std::vector<std::uint32_t> known;
    for (std::uint8_t t = 0; t < 4; ++t) {
        const auto values = test::codes(ranks, 900, t % 2 == 0 ? 8 : 4, t);
        std::vector<ChunkLayout> layouts;
        for (std::uint32_t r = 0; r < participants; ++r) {
            const auto& totals = *rank_states[r].totals().totals();
            layouts.push_back(planners[r].next(t == 0 ? std::vector<std::uint32_t>{} : totals.costs(900)));
            EXPECT_EQ(layouts[r], layouts[0]) << "rank " << r;
        }
        const std::vector<Symbol> none(900);   // what an aggregator has
        for (std::uint32_t r = 0; r < participants; ++r)
            rank_states[r].begin(r < ranks ? values[r] : none, layouts[r], t);
        const auto observed = run_observed(plan, codec, unit, rank_states);
        for (RankState& rank_state : rank_states) {
            EXPECT_EQ(rank_state.totals().totals()->units(), observed);
            EXPECT_TRUE(std::ranges::equal(rank_state.values().all(), exact_sum(values)));
            rank_state.commit();
        }
        EXPECT_GT(std::accumulate(observed.begin(), observed.end(), 0u), 0u);
    }
}

TEST(BlockTotals, AreKnownToEveryRankAsAnObserverOfAllMessagesCountsThemInEveryAllReduce) {
    for_each_kind(collectives, []<class P>(const Kind<P>& kind) {
        if (P{}.operation != Operation::all_reduce) return;
        for (std::uint32_t ranks = 2; ranks <= 9; ++ranks)
            for (const std::uint32_t slices : {1u, 2u}) {
                SCOPED_TRACE(::testing::Message() << kind.name << ", " << ranks << " ranks, " << slices << " slices");
                P params;
                params.slices = slices;
                const Plan plan{make_schedule(params, ranks), ElementType::integer, 8};
                for (const CodecChoice& choice : {CodecChoice(AscParams{}), CodecChoice(RansParams{})})
                    expect_common_knowledge(plan, *make_codec(choice, Framing{4, 32, 8}));
            }
    });
}

}   // namespace
}   // namespace oscar::block_totals_test

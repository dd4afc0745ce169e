// What holds for every collective of the list: it is cheap enough at scale, and ranks that follow it hold what it
// promises, in any order that it leaves open.
#include "models/collective/algorithms/collectives.hpp"

#include <gmock/gmock.h>

#include <map>

#include "models/collective/schedule/find_problem.hpp"
#include "tests/collective/support.hpp"

namespace oscar::collectives_test {
namespace {

using ::testing::HasSubstr;

constexpr Framing small{4, 32, 8};

/// Calls f(name, params) for each kind and issue.
template <class F>
void for_each_collective(F&& f) {
    for_each_kind(collectives, [&]<class P>(const Kind<P>& kind) {
        for (const Issue issue : {Issue::lock_step, Issue::dependency}) {
            P params;
            params.issue = issue;
            f(std::string(kind.name) + " " + std::string(to_text(issue)), params);
        }
    });
}

/// A random one of the orders that the dependencies allow and, in lock-step, the timesteps.
std::vector<StepId> random_order(const Schedule& schedule, Issue issue, std::mt19937_64& random) {
    std::vector<bool> done(schedule.steps.size());
    std::vector<StepId> order, left;
    for (std::uint32_t i = 0; i < schedule.steps.size(); ++i) left.push_back(StepId{i});
    while (!left.empty()) {
        std::uint32_t now = 0xFFFFFFFF;
        for (const StepId id : left) now = std::min(now, schedule.steps[id.value].timestep.value);
        std::vector<std::size_t> free;
        for (std::size_t k = 0; k < left.size(); ++k)
            if ((issue == Issue::dependency || schedule.steps[left[k].value].timestep.value == now) &&
                std::ranges::all_of(schedule.after(left[k]), [&](StepId before) { return done[before.value]; }))
                free.push_back(k);
        const std::size_t chosen = free.at(random() % free.size());
        order.push_back(left[chosen]);
        done[left[chosen].value] = true;
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(chosen));
    }
    return order;
}

/// Performs the steps in an order; per step, what it sent.
std::vector<MessageRecord> run_in(const std::vector<StepId>& order, const Schedule& schedule,
                                  std::vector<RankState>& rank_states) {
    std::vector<MessageRecord> sent(order.size());
    for (const StepId id : order) {
        const Step& step = schedule.steps[id.value];
        const auto message = rank_states[step.from.value].send(id);
        sent[id.value] = record(0, message->bytes);
        rank_states[step.to.value].receive(id, test::bare(*message));
    }
    return sent;
}

void expect_promised(const Plan& plan, const std::vector<RankState>& rank_states,
                     const std::vector<std::vector<Symbol>>& values) {
    const auto sum = exact_sum(values);
    for (std::uint32_t r = 0; r < plan.schedule.ranks; ++r)
        for (std::uint32_t c = 0; c < plan.schedule.chunks; ++c) {
            const Postcondition kept = postcondition(plan.operation, plan.schedule.ranks, Rank{r}, ChunkId{c});
            if (kept.content == Postcondition::Content::anything) continue;
            const auto& expected = kept.content == Postcondition::Content::sum ? sum : values[kept.of.value];
            const ChunkLayout& layout = rank_states[r].values().layout();
            ASSERT_EQ(layout.gather(ChunkId{c}, rank_states[r].values().all()),
                      layout.gather(ChunkId{c}, std::span<const Symbol>(expected)))
                << "rank " << r << " chunk " << c;
        }
}

/// Two iterations, the second with tables, in the order of the schedule and in another.
void expect_same_in(const std::vector<StepId>& order, const Plan& plan, const Codec& codec, std::uint64_t seed) {
    auto rank_states = test::make_endpoints(plan, codec), shuffled = rank_states;
    for (std::uint8_t t = 0; t < 2; ++t) {
        const auto values = test::codes(plan.schedule.ranks, 97, 8, seed + t);
        test::begin(rank_states, values, plan, t);
        test::begin(shuffled, values, plan, t);
        const Reference reference = run_reference(plan.schedule, rank_states);
        const auto sent = run_in(order, plan.schedule, shuffled);
        EXPECT_EQ(reference.resent, Resent{});
        for (std::size_t i = 0; i < sent.size(); ++i)
            ASSERT_EQ(sent[i].hash, reference.records[i].hash) << "step " << i;
        if (plan.element_type == ElementType::integer) expect_promised(plan, rank_states, values);
        for (auto* ranks : {&rank_states, &shuffled}) {
            agree_on_tables(*ranks);
            for (RankState& rank_state : *ranks) rank_state.commit();
        }
        for (std::size_t r = 0; r < rank_states.size(); ++r) {
            EXPECT_TRUE(std::ranges::equal(rank_states[r].values().all(), shuffled[r].values().all()));
            EXPECT_EQ(rank_states[r].tables().store().digest(), shuffled[r].tables().store().digest());
        }
    }
}

TEST(Collectives, LeaveWhatTheyPromiseAndTheSameBytesInAnyOrderWithAnyCodec) {
    for_each_collective([]<class P>(const std::string& name, P params) {
        for (const std::uint32_t ranks : {2u, 3u, 4u, 5u, 7u, 8u}) {
            params.slices = ranks % 2 + 1;
            const Plan plan(make_schedule(params, ranks), ElementType::integer, 8, P{}.operation);
            std::mt19937_64 random(ranks);
            const auto order = random_order(plan.schedule, params.issue, random);
            for_each_kind(codecs, [&]<class C>(const Kind<C>& codec) {
                if constexpr (!std::same_as<C, Fp32Params> && !std::same_as<C, Bf16Params>) {
                    SCOPED_TRACE(name + ", " + std::to_string(ranks) + " ranks, " + std::string(codec.name));
                    expect_same_in(order, plan, *make_codec(C{}, small), ranks);
                }
            });
        }
    });
}

TEST(Collectives, LeaveTheSameByDeltaGatherInAnyOrderWithAnyCodec) {
    for_each_collective([]<class P>(const std::string& name, P params) {
        if (P{}.operation == Operation::all_reduce) {
            for (const std::uint32_t ranks : {2u, 3u, 4u, 6u, 7u}) {
                params.slices = ranks % 2 + 1;
                const Plan plan(make_schedule(params, ranks), ElementType::integer, 8, P{}.operation, true);
                ASSERT_TRUE(std::ranges::any_of(plan.delta_base, [](const auto& part) { return part.has_value(); }));
                std::mt19937_64 random(ranks);
                const auto order = random_order(plan.schedule, params.issue, random);
                for_each_kind(codecs, [&]<class C>(const Kind<C>& codec) {
                    if constexpr (!std::same_as<C, Fp32Params> && !std::same_as<C, Bf16Params>) {
                        SCOPED_TRACE(name + ", " + std::to_string(ranks) + " ranks, " + std::string(codec.name));
                        expect_same_in(order, plan, *make_codec(C{}, small), ranks);
                    }
                });
            }
        }
    });
}

/// Channels on one link share the tables of a timestep, as slices do.
TEST(Collectives, LeaveTheSameInChannelsInAnyOrderWithAnyCodec) {
    for_each_collective([]<class P>(const std::string& name, P params) {
        if constexpr (std::derived_from<P, ChannelledParams>) {
            for (const std::uint32_t ranks : {2u, 3u, 4u, 6u}) {
                params.slices = ranks % 2 + 1;
                params.channels = 2 + ranks % 3;
                params.channel_order = ChannelOrder::rotated;
                const Plan plan(make_schedule(Collective(params), ranks, 2), ElementType::integer, 8, P{}.operation);
                std::mt19937_64 random(ranks);
                const auto order = random_order(plan.schedule, params.issue, random);
                for_each_kind(codecs, [&]<class C>(const Kind<C>& codec) {
                    if constexpr (!std::same_as<C, Fp32Params> && !std::same_as<C, Bf16Params>) {
                        SCOPED_TRACE(name + ", " + std::to_string(ranks) + " ranks, " + std::string(codec.name));
                        expect_same_in(order, plan, *make_codec(C{}, small), ranks);
                    }
                });
            }
        }
    });
}

TEST(Collectives, AddFloatsInTheOrderOfTheScheduleInWhateverOrderTheyCome) {
    for_each_collective([]<class P>(const std::string& name, P params) {
        for (const std::uint32_t ranks : {3u, 6u, 8u}) {
            SCOPED_TRACE(name + ", " + std::to_string(ranks));
            const auto codec = make_codec(Fp32Params{}, small);
            const Plan plan(make_schedule(params, ranks), ElementType::float32, 32, P{}.operation);
            auto rank_states = test::make_endpoints(plan, *codec), shuffled = rank_states;
            std::mt19937_64 random(ranks);
            std::vector<std::vector<Symbol>> values(ranks, std::vector<Symbol>(64));
            for (auto& rank : values)
                for (Symbol& v : rank) v = std::bit_cast<Symbol>(static_cast<float>(random() % 1000) / 7.f);
            test::begin(rank_states, values, plan);
            test::begin(shuffled, values, plan);
            run_reference(plan.schedule, rank_states);
            run_in(random_order(plan.schedule, params.issue, random), plan.schedule, shuffled);
            for (std::uint32_t r = 0; r < ranks; ++r)
                EXPECT_TRUE(std::ranges::equal(rank_states[r].values().all(), shuffled[r].values().all())) << r;
        }
    });
}

TEST(Hierarchical, TakesTheIslandsOfTheMachineOrTheLargestDivisorThatKeepsWithinThem) {
    EXPECT_EQ(island_of({}, 16, 4), 4u);
    EXPECT_EQ(island_of({}, 144, 72), 72u);
    EXPECT_EQ(island_of({}, 12, 8), 4u);   // 6 would be on two islands of 8
    EXPECT_EQ(island_of({}, 15, 8), 1u);
    EXPECT_EQ(island_of({}, 24, 1), 8u);   // no islands: the largest up to 8
    EXPECT_EQ(island_of({}, 10, 1), 5u);
    EXPECT_EQ(island_of(HierarchicalParams{{}, 6}, 12, 4), 6u);
    for (const std::uint32_t island : {2u, 4u, 16u})   // of m islands there are 2 + 2 (m - 1) timesteps
        EXPECT_EQ(make_schedule(Collective{HierarchicalParams{}}, 16, island).timesteps(), 2 + 2 * (16 / island - 1));
}

TEST(Collectives, RefuseGridsAndIslandsThatDoNotDivideTheRanks) {
    const auto error = [](const Collective& collective) -> std::string {
        try {
            make_schedule(collective, 12);
        } catch (const std::invalid_argument& e) {
            return e.what();
        }
        return "none";
    };
    EXPECT_EQ(error(Ring2dParams{{}, 5}), "rows: 5 do not divide 12 ranks; choose a divisor, or 0");
    EXPECT_EQ(error(DoubleBinaryTreeParams{{}, 5}), "island: 5 does not divide 12 ranks; choose a divisor");
    EXPECT_EQ(error(HierarchicalParams{{}, 8}), "island: 8 does not divide 12 ranks; choose a divisor, or 0");
    for (const std::uint32_t divisor : {1u, 2u, 3u, 4u, 6u, 12u}) {
        EXPECT_EQ(find_problem(Operation::all_reduce, make_schedule(Ring2dParams{{}, divisor}, 12)), std::nullopt)
            << divisor;
        EXPECT_EQ(find_problem(Operation::all_reduce, make_schedule(HierarchicalParams{{}, divisor}, 12)), std::nullopt)
            << divisor;
    }
}

TEST(Collectives, TakeAsManyTimestepsAsTheirSourcesSay) {
    EXPECT_EQ(make_schedule(BidirectionalRingParams{}, 6).timesteps(), 2u * 5);
    EXPECT_EQ(make_schedule(HalvingDoublingParams{}, 8).timesteps(), 2u * 3);
    EXPECT_EQ(make_schedule(HalvingDoublingParams{}, 11).timesteps(), 2u * 3 + 2);
    EXPECT_EQ(make_schedule(DirectParams{}, 9).timesteps(), 2u);
    EXPECT_EQ(make_schedule(Ring2dParams{{}, 3}, 12).timesteps(), 2u * (3 + 2));       // 4 columns, 3 rows
    EXPECT_EQ(make_schedule(HierarchicalParams{{}, 4}, 12).timesteps(), 2u + 2 * 2);   // 3 islands
    EXPECT_EQ(make_schedule(DoubleBinaryTreeParams{}, 7).timesteps(), 2u * 2);         // two perfect trees of height 2
    EXPECT_EQ(make_schedule(DoubleBinaryTreeParams{{Issue::lock_step, 5}}, 7).timesteps(), 2u * 2 + 4);
    EXPECT_EQ(make_schedule(BroadcastFromRootParams{}, 9).timesteps(), 4u);
    EXPECT_EQ(make_schedule(BroadcastFromRootParams{{Issue::lock_step, 5}, BroadcastShape::chain}, 9).timesteps(),
              8u + 4);
    EXPECT_EQ(make_schedule(AllToAllParams{}, 9).timesteps(), 1u);
    EXPECT_EQ(make_schedule(RingNdParams{{}, {2, 3, 4}}, 24).timesteps(), 2u * (1 + 2 + 3));
    EXPECT_EQ(make_schedule(ReduceToRootParams{}, 9).timesteps(), 4u);
    EXPECT_EQ(make_schedule(ReduceToRootParams{{Issue::lock_step, 5}, ReduceShape::chain}, 9).timesteps(), 8u + 4);
    EXPECT_EQ(make_schedule(GatherToRootParams{}, 9).timesteps(), 1u);
    EXPECT_EQ(make_schedule(GatherToRootParams{{{}, RootedShape::binomial}}, 9).timesteps(), 4u);
    EXPECT_EQ(make_schedule(ScatterFromRootParams{{{}, RootedShape::binomial}}, 9).timesteps(), 4u);
    EXPECT_EQ(make_schedule(ReduceScatterParams{}, 9).timesteps(), 8u);
    EXPECT_EQ(make_schedule(AllGatherParams{}, 9).timesteps(), 8u);
}

TEST(AllGather, ByDisseminationReachesAllInLogarithmicallyManyTimesteps) {
    for (std::uint32_t ranks = 2; ranks <= 33; ++ranks)
        for (const std::uint32_t slices : {1u, 3u}) {
            AllGatherParams params;
            params.slices = slices;
            params.shape = AllGatherShape::dissemination;
            const Schedule schedule = make_schedule(params, ranks);
            EXPECT_EQ(find_problem(Operation::all_gather, schedule), std::nullopt)
                << ranks << " ranks, " << slices << " slices";
            EXPECT_EQ(schedule.timesteps(), static_cast<std::uint32_t>(std::bit_width(ranks - 1))) << ranks;
            EXPECT_EQ(schedule.steps.size(), std::size_t{slices} * ranks * (ranks - 1)) << ranks;
        }
}

TEST(DoubleBinaryTree, OfIslandsHangsAChainOnEachAndIsAnAllReduce) {
    for (std::uint32_t islands = 1; islands <= 11; ++islands)
        for (const std::uint32_t island : {1u, 2u, 3u, 4u}) {
            if (islands * island < 2) continue;
            const BinaryTree trees = make_second_tree(islands), tree = with_chains(trees, island);
            for (std::uint32_t r = 0; r < tree.nodes.size(); ++r) {
                const BinaryTree::Node& node = tree.nodes[r];
                if (r % island > 0) {
                    EXPECT_EQ(node.parent, Rank{r - 1});
                }
                EXPECT_EQ(node.depth, node.parent ? tree.nodes[node.parent->value].depth + 1 : 0);
                if (node.parent) {
                    EXPECT_GT(tree.nodes[node.parent->value].height, node.height);
                }
            }
            for (const std::uint32_t slices : {1u, 3u})
                EXPECT_EQ(find_problem(Operation::all_reduce,
                                       make_schedule(DoubleBinaryTreeParams{{Issue::dependency, slices}, island},
                                                     islands * island)),
                          std::nullopt)
                    << islands << " islands of " << island;
        }
    // Two nodes of four: three hops in a node and one between them, up and down.
    EXPECT_EQ(make_schedule(DoubleBinaryTreeParams{{}, 4}, 8).timesteps(), 2u * (3 + 1));
}

TEST(DoubleBinaryTree, HasNoRankThatIsAnInnerNodeTwiceAndIsFlat) {
    for (std::uint32_t ranks = 2; ranks <= 200; ++ranks) {
        const BinaryTree first = make_first_tree(ranks), second = make_second_tree(ranks);
        for (std::uint32_t r = 0; r < ranks; ++r)
            EXPECT_TRUE(first.nodes[r].height == 0 || second.nodes[r].height == 0) << ranks << " ranks, rank " << r;
        for (const BinaryTree& tree : {first, second}) {
            std::map<Rank, int> children;
            for (const BinaryTree::Node& node : tree.nodes)
                if (node.parent) {
                    EXPECT_LE(++children[*node.parent], 2);
                }
            EXPECT_LE(tree.nodes[tree.root.value].height, std::bit_width(ranks)) << ranks;
        }
    }
}

/// Per rank its parent; the root's is itself.
std::vector<std::uint32_t> parents(const BinaryTree& tree) {
    std::vector<std::uint32_t> result;
    for (std::uint32_t r = 0; r < tree.nodes.size(); ++r)
        result.push_back(tree.nodes[r].parent.value_or(Rank{r}).value);
    return result;
}

TEST(DoubleBinaryTree, ShiftsTheSecondTreeByOneRankWhereTheirNumberIsOddAndMirrorsItWhereItIsEven) {
    // Seven positions in order: 3 is the root, 1 and 5 are below it, 0, 2, 4 and 6 are leaves. In the second tree rank
    // r has position r + 1 mod 7, so that position p is of rank p - 1: 2 is the root, 0 and 4 are below it.
    EXPECT_EQ(parents(make_first_tree(7)), (std::vector<std::uint32_t>{1, 3, 1, 3, 5, 3, 5}));
    EXPECT_EQ(parents(make_second_tree(7)), (std::vector<std::uint32_t>{2, 0, 2, 4, 2, 4, 0}));
    // Six positions: 3 is the root, 1 (with 0 and 2) and 5 (with 4) are below it; rank r has position 5 - r.
    EXPECT_EQ(parents(make_first_tree(6)), (std::vector<std::uint32_t>{1, 3, 1, 3, 5, 3}));
    EXPECT_EQ(parents(make_second_tree(6)), (std::vector<std::uint32_t>{2, 0, 2, 4, 2, 4}));
}

/// Rank 5 of the second iteration has the tables of another history, as after a loss. The ranks that see the refusal
/// are not all, so that without an agreement some would be reset and some not (docs/tables.md).
void expect_healing(const Plan& plan, bool everyone_sees) {
    const auto codec = make_codec(AscParams{}, small);
    auto rank_states = test::make_endpoints(plan, *codec);
    for (std::uint8_t t = 0; t < 4; ++t) {
        if (t == 2) rank_states[5].tables().reset();
        const auto values = test::codes(8, 512, 8, t);
        test::begin(rank_states, values, plan, t);
        const Reference run = run_reference(plan.schedule, rank_states);
        EXPECT_EQ(run.resent.messages > 0, t == 2) << int{t};
        expect_promised(plan, rank_states, values);
        const bool all = std::ranges::all_of(rank_states, [](const RankState& r) { return r.tables().doubts(); });
        if (t == 2) {
            EXPECT_EQ(all, everyone_sees);
        }
        agree_on_tables(rank_states);
        for (RankState& rank_state : rank_states) rank_state.commit();
    }
}

TEST(Collectives, HealALossOfTablesInOneIterationByAgreeingWhereNotEveryRankSeesIt) {
    expect_healing({make_schedule(RingParams{}, 8), ElementType::integer, 8}, true);
    expect_healing({make_schedule(DirectParams{}, 8), ElementType::integer, 8}, true);
    expect_healing({make_schedule(HalvingDoublingParams{}, 8), ElementType::integer, 8}, true);
    expect_healing({make_schedule(DoubleBinaryTreeParams{}, 8), ElementType::integer, 8}, false);
    expect_healing({make_schedule(BroadcastFromRootParams{}, 8), ElementType::integer, 8, Operation::broadcast}, false);
}

TEST(Collectives, OfAThousandRanksArePlanned) {   // how fast: tests/bench/planning_bench.cpp
    for (const Collective& collective : {Collective(RingParams{}), Collective(DirectParams{})}) {
        const Plan plan(make_schedule(collective, 1024), ElementType::integer, 8);
        EXPECT_EQ(plan.schedule.steps.size(), 2u * 1023 * 1024);
        EXPECT_EQ(plan.partial_sums.size(), collective.name() == "ring" ? 1023u : 1u);
    }
}

TEST(FindProblem, TellsWhatAnotherOperationWouldLack) {
    EXPECT_THAT(find_problem(Operation::all_reduce, make_schedule(ReduceScatterParams{}, 4)).value(),
                HasSubstr("of 4 ranks"));
    EXPECT_THAT(find_problem(Operation::all_gather, make_schedule(RingParams{}, 4)).value(),
                HasSubstr("of other ranks than rank 0"));
    EXPECT_THAT(find_problem(Operation::broadcast, make_schedule(AllGatherParams{}, 2)).value(),
                HasSubstr("rank 0 ends with chunk 1 of other ranks than rank 0"));
    Schedule early = make_schedule(ReduceScatterParams{}, 4), unsent = make_schedule(AllToAllParams{}, 4);
    early.steps.pop_back();
    unsent.steps.erase(unsent.steps.begin());
    EXPECT_EQ(find_problem(Operation::all_to_all, unsent), "rank 1 ends with chunk 1 of other ranks than rank 0");
    EXPECT_THAT(find_problem(Operation::reduce_scatter, early).value(), HasSubstr("of 4 ranks"));
}

TEST(Postcondition, CountsWhatNcclTestsCount) {
    EXPECT_DOUBLE_EQ(bus_factor(Operation::all_reduce, 8, false), 2 * 7.0 / 8);
    EXPECT_DOUBLE_EQ(bus_factor(Operation::all_reduce, 8, true), 7.0 / 9);
    for (const Operation half : {Operation::reduce_scatter, Operation::all_gather, Operation::all_to_all})
        EXPECT_DOUBLE_EQ(bus_factor(half, 8, false), 7.0 / 8);
    for (const Operation rooted : {Operation::gather, Operation::scatter})
        EXPECT_DOUBLE_EQ(bus_factor(rooted, 8, false), 7.0 / 8);
    EXPECT_DOUBLE_EQ(bus_factor(Operation::broadcast, 8, false), 1);
    EXPECT_DOUBLE_EQ(bus_factor(Operation::reduce, 8, false), 1);
    EXPECT_DOUBLE_EQ(counted_share(Operation::all_to_all, 8), 1.0 / 8);
    EXPECT_DOUBLE_EQ(counted_share(Operation::all_gather, 8), 1);
}

}   // namespace
}   // namespace oscar::collectives_test

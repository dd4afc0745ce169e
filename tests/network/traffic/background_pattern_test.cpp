// Who sends background traffic to whom.
#include "models/network/traffic/background_pattern.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <set>

#include "models/core/random.hpp"

namespace oscar::background_pattern_test {
namespace {

using ::testing::ElementsAre;

BackgroundParams with(TrafficPattern pattern, std::vector<std::string> nodes = {}, std::uint64_t seed = 1) {
    BackgroundParams params;
    params.pattern = pattern;
    params.nodes = std::move(nodes);
    params.seed = seed;
    return params;
}

TEST(BackgroundPattern, NeverSendsToItselfAndNowhereButToItsPairs) {
    for_each_kind(traffic_patterns, [&]<class P>(const Kind<P>& kind) {
        for (std::uint32_t ranks = 2; ranks < 20; ++ranks) {
            const BackgroundParams params = with(P{});
            if (find_problem(params, ranks)) continue;
            SCOPED_TRACE(::testing::Message() << kind.name << ", " << ranks << " ranks");
            const BackgroundReceivers receivers(params, ranks);
            EXPECT_FALSE(receivers.senders().empty());
            std::set<std::pair<Rank, Rank>> pairs, seen;
            for (const auto& pair : receivers.pairs()) pairs.insert(pair);
            for (const Rank sender : receivers.senders())
                for (std::uint64_t i = 0; i < 400; ++i) seen.emplace(sender, receivers.of(sender, random_at(1, i)));
            EXPECT_EQ(seen, pairs);
            for (const auto& [from, to] : seen) {
                EXPECT_NE(from, to);
                EXPECT_LT(to.value, ranks);
            }
        }
    });
}

TEST(UniformBackground, GoesToAllOthersAsOften) {
    const BackgroundReceivers receivers(with(UniformTrafficParams{}), 5);
    std::map<Rank, int> count;
    constexpr int n = 40'000;
    for (std::uint64_t i = 0; i < n; ++i) ++count[receivers.of(Rank{2}, random_at(9, i))];
    EXPECT_EQ(count.size(), 4u);
    for (const auto& [to, times] : count) EXPECT_NEAR(times, n / 4, 4 * std::sqrt(n * 0.25 * 0.75)) << to.value;
}

TEST(PermutationBackground, IsOneCircleOfAllRanksThatTheSeedChooses) {
    std::set<std::vector<Rank>> circles;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const BackgroundReceivers receivers(with(PermutationTrafficParams{}, {}, seed), 9);
        std::vector<Rank> way;
        std::set<Rank> passed;
        for (Rank at{0}; passed.insert(at).second; at = receivers.of(at, 0)) way.push_back(at);
        EXPECT_EQ(way.size(), 9u);
        circles.insert(way);
    }
    EXPECT_GT(circles.size(), 15u);
}

TEST(TornadoBackground, GoesJustLessThanHalfWayRound) {
    const auto from_3 = [](std::uint32_t ranks) {
        return BackgroundReceivers(with(TornadoTrafficParams{}), ranks).of(Rank{3}, 0).value;
    };
    EXPECT_EQ(from_3(8), 6u);   // 3 + 4 - 1
    EXPECT_EQ(from_3(5), 0u);   // 3 + 3 - 1, round the end
}

TEST(IncastBackground, HasEveryoneSendButItsReceiver) {
    const BackgroundReceivers receivers(with(IncastTrafficParams{2}), 4);
    EXPECT_THAT(receivers.senders(), ElementsAre(Rank{0}, Rank{1}, Rank{3}));
}

TEST(BackgroundPattern, IsEveryPatternOfRanksAndNoneThatOnlyRoutersFollow) {
    for_each_kind(traffic_patterns, [&]<class P>(const Kind<P>& kind) {
        EXPECT_EQ(!find_problem(with(P{}), 16), contains(P::senders, PatternSenders::ranks)) << kind.name;
    });
}

TEST(BackgroundPattern, LetsOnlyTheRanksOfAListSendInItsOrder) {
    const BackgroundReceivers receivers(with(UniformTrafficParams{}, {"5", "1-2"}), 8);
    EXPECT_THAT(receivers.senders(), ElementsAre(Rank{5}, Rank{1}, Rank{2}));
    EXPECT_EQ(receivers.pairs().size(), 3u * 7);
}

TEST(BackgroundPattern, IsRefusedWhereItWouldSendToItselfOrToNobody) {
    EXPECT_EQ(find_problem(with(HotspotTrafficParams{}), 8), BackgroundProblem::pattern_of_routers);
    EXPECT_EQ(find_problem(with(TornadoTrafficParams{}), 2), BackgroundProblem::tornado_of_two);
    EXPECT_EQ(find_problem(with(TornadoTrafficParams{}), 3), std::nullopt);
    EXPECT_EQ(find_problem(with(IncastTrafficParams{4}), 4), BackgroundProblem::receiver_is_none);
    EXPECT_EQ(find_problem(with(IncastTrafficParams{3}), 4), std::nullopt);
    EXPECT_EQ(find_problem(with(IncastTrafficParams{3}, {"1-3"}), 4), BackgroundProblem::receiver_is_sender);
}

}   // namespace
}   // namespace oscar::background_pattern_test

#include "models/network/grid/islip.hpp"

#include <gmock/gmock.h>

#include <map>
#include <vector>

#include "models/core/random.hpp"

namespace oscar::islip_test {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

using Matching = std::map<std::uint32_t, std::uint32_t>;   // requester -> resource

Matching allocate(Islip& islip, const std::vector<Mask>& requesters_of) {
    std::vector<Islip::Group> groups;
    for (std::uint32_t r = 0; r < requesters_of.size(); ++r) groups.push_back({bit(r), requesters_of[r]});
    Matching matching;
    islip.allocate(groups, [&](std::uint32_t requester, std::uint32_t resource) {
        EXPECT_TRUE(matching.emplace(requester, resource).second) << requester << " was matched twice";
    });
    return matching;
}

TEST(FirstFrom, GoesRoundFromTheStart) {
    EXPECT_EQ(first_from(0b1010, 0), 1u);
    EXPECT_EQ(first_from(0b1010, 1), 1u);
    EXPECT_EQ(first_from(0b1010, 2), 3u);
    EXPECT_EQ(first_from(0b1010, 4), 1u);
    EXPECT_EQ(first_from(bit(63), 63), 63u);
}

// Requesters 0 and 1 ask for resources 0 and 1. All pointers are 0, so both resources grant 0, which accepts 0: one
// match. Pointers of resource 0 and requester 0 go to 1; that of resource 1 stays, for its grant was refused. Then
// resource 0 grants 1 and resource 1 grants 0: two matches, for ever.
TEST(IslipPointers, ComeApartBecauseOnlyAcceptedGrantsMoveThem) {
    Islip islip(2, 2, 1);
    const std::vector<Mask> all{0b11, 0b11};
    EXPECT_THAT(allocate(islip, all), ElementsAre(Pair(0, 0)));
    EXPECT_THAT(allocate(islip, all), ElementsAre(Pair(0, 1), Pair(1, 0)));
    EXPECT_THAT(allocate(islip, all), ElementsAre(Pair(0, 0), Pair(1, 1)));
    EXPECT_THAT(allocate(islip, all), ElementsAre(Pair(0, 1), Pair(1, 0)));
}

// As before, but a second iteration matches requester 1 with resource 1 in the first round. If that moved pointers,
// resource 1 would next grant 0 and requester 1 accept 0 as before; what shows is resource 1 asked by both alone:
// its pointer still is at 0.
TEST(IslipPointers, StayWhereTheyAreForMatchesOfLaterIterations) {
    Islip islip(3, 2, 2);
    EXPECT_THAT(allocate(islip, {0b011, 0b011}), ElementsAre(Pair(0, 0), Pair(1, 1)));
    EXPECT_THAT(allocate(islip, {0, 0b110}), ElementsAre(Pair(1, 1)));   // had it moved to 2, requester 2 would win
}

TEST(IslipGroups, GiveTheSameMatchesTogetherAsApart) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        Islip together(6, 8, 2), apart(6, 8, 2);
        for (std::uint64_t round = 0; round < 20; ++round) {
            const Mask lower = random_at(seed, 2 * round) & 63, upper = random_at(seed, 2 * round + 1) & 63;
            const Islip::Group groups[] = {{0x0F, lower}, {0xF0, upper}};
            Matching matching;
            together.allocate(groups, [&](auto requester, auto resource) { matching[requester] = resource; });
            EXPECT_EQ(matching, allocate(apart, {lower, lower, lower, lower, upper, upper, upper, upper})) << seed;
        }
    }
}

TEST(IslipAllocation, MatchesOnlyWhatWasAskedAndEachResourceOnce) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        Islip islip(64, 64, 1 + static_cast<std::uint32_t>(seed % 4));
        std::vector<Mask> requesters_of;
        for (std::uint64_t r = 0; r < 64; ++r)
            requesters_of.push_back(random_at(seed, r) & random_at(seed + 1000, r) & random_at(seed + 2000, r));
        Mask used = 0;
        for (const auto& [requester, resource] : allocate(islip, requesters_of)) {
            EXPECT_NE(requesters_of[resource] & bit(requester), 0u) << seed;
            EXPECT_EQ(used & bit(resource), 0u) << seed;
            used |= bit(resource);
        }
    }
}

TEST(IslipAllocation, IsMaximalAfterAsManyIterationsAsRequesters) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        Islip islip(5, 5, 5);
        std::vector<Mask> requesters_of;
        for (std::uint64_t r = 0; r < 5; ++r) requesters_of.push_back(random_at(seed, r) & 31);
        const Matching matching = allocate(islip, requesters_of);
        Mask resources = 0;
        for (const auto& match : matching) resources |= bit(match.second);
        for (std::uint32_t r = 0; r < 5; ++r)
            for_each_bit(requesters_of[r], [&](std::uint32_t requester) {
                EXPECT_TRUE((resources & bit(r)) != 0 || matching.count(requester) != 0) << seed;
            });
    }
}

// McKeown 1999, section III: with n requesters for everything, each resource serves each of them once in n rounds.
TEST(IslipAllocation, IsFairToAllThatAlwaysAsk) {
    constexpr std::uint32_t n = 5, rounds = 100;
    Islip islip(n, n, 1);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> served;
    for (std::uint32_t i = 0; i < n * n + n * rounds; ++i)
        for (const auto& match : allocate(islip, std::vector<Mask>(n, lowest_bits(n))))
            if (i >= n * n) ++served[match];   // behind the rounds in which pointers come apart
    EXPECT_EQ(served.size(), n * n);
    for (const auto& [match, times] : served) EXPECT_EQ(times, rounds) << match.first << " at " << match.second;
}

}   // namespace
}   // namespace oscar::islip_test

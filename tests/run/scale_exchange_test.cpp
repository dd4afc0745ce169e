#include "sim/run/scale_exchange.hpp"

#include <gtest/gtest.h>

#include "tests/run/support.hpp"

namespace oscar::scale_exchange_test {
namespace {

using test::SmallMachine;

/// Peaks of `groups` groups; group g is largest at rank g mod ranks.
IterationCodes peaks_of(std::uint32_t ranks, std::uint32_t groups) {
    IterationCodes codes;
    codes.local_peaks.assign(ranks, std::vector<float>(groups));
    for (std::uint32_t g = 0; g < groups; ++g) {
        for (std::uint32_t r = 0; r < ranks; ++r) codes.local_peaks[r][g] = 0.01f * static_cast<float>(1 + r + g);
        codes.local_peaks[g % ranks][g] = 1.5f + static_cast<float>(g);
        codes.peaks.push_back(1.5f + static_cast<float>(g));
    }
    return codes;
}

class TimeOfScaleExchange : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(TimeOfScaleExchange, IsThatOfOnePacketPerTimestepToThePicosecond) {
    const std::uint32_t ranks = GetParam();
    SmallMachine machine(ranks);
    for (const std::uint32_t groups : {1u, 3u, 10u, 64u})
        for (const Issue issue : {Issue::lock_step, Issue::dependency})
            EXPECT_EQ(run_scale_exchange(machine.system, peaks_of(ranks, groups), issue).path.total_ps(),
                      test::exchange_by_hand(ranks, groups).ps)
                << groups << " groups, " << to_text(issue);
}

INSTANTIATE_TEST_SUITE_P(Ranks, TimeOfScaleExchange, ::testing::Values(2u, 3u, 8u));

TEST(ScaleExchange, PutsEachRanksPeaksOnEachLinkOfTheRing) {
    SmallMachine machine(4);
    run_scale_exchange(machine.system, peaks_of(4, 3), Issue::lock_step);
    // 3 timesteps, 4 ranks, 2 links: packets of 12 + 82 bytes are two flits.
    EXPECT_EQ(machine.system.cost().flit_hops, 3u * 4 * 2 * 2);
}

TEST(ScaleExchange, RefusesCodesMadeWithOtherPeaksThanTheRanksGathered) {
    SmallMachine machine(4);
    for (std::uint32_t group = 0; group < 5; ++group)   // each is largest at another rank, the fifth again at the first
        for (const float factor : {0.999f, 1.001f}) {
            IterationCodes codes = peaks_of(4, 5);
            codes.peaks[group] *= factor;
            EXPECT_THROW(run_scale_exchange(machine.system, codes, Issue::lock_step), std::logic_error) << group;
        }
    EXPECT_NO_THROW(run_scale_exchange(machine.system, peaks_of(4, 5), Issue::lock_step));
}

TEST(ScaleExchange, AgreesOnPeaksOfZero) {
    SmallMachine machine(3);
    IterationCodes codes;
    codes.local_peaks.assign(3, {0.f, 0.f});
    codes.peaks = {0.f, 0.f};
    EXPECT_EQ(run_scale_exchange(machine.system, codes, Issue::lock_step).path.total_ps(),
              test::exchange_by_hand(3, 2).ps);
}

TEST(ScaleExchange, CarriesThePeaksOfACodeSource) {
    SmallMachine machine(4);
    const testing::TemporaryFolder folder;
    test::Capture capture = test::random_capture(1, 4, 300);
    capture.layers = {100, 50, 150};
    const Trace trace = Trace::open(test::write_trace(folder, "t", capture));
    const Replay replay(trace, 4, choose_layers(trace.manifest(), ""));
    for_each_kind(quantisers, [&]<class P>(const Kind<P>& kind) {
        CodeSource source(replay.tensors(), replay.ranks(), P{});
        const IterationCodes codes = source.next(replay, 0);
        const std::uint32_t groups = kind.name.starts_with("per_tensor") ? 3 : 1;
        EXPECT_EQ(run_scale_exchange(machine.system, codes, Issue::lock_step).path.total_ps(),
                  test::exchange_by_hand(4, groups).ps)
            << kind.name;
    });
}

}   // namespace
}   // namespace oscar::scale_exchange_test

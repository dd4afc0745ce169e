// Runs of moments are the moments one by one.
#include "models/timing/event_run.hpp"

#include <gtest/gtest.h>

#include <random>

namespace oscar::event_run_test {
namespace {

using namespace literals;

void expect_same_event(const TimedEvent& a, const TimedEvent& b) {
    EXPECT_EQ(a.at, b.at);
    EXPECT_EQ(a.path, b.path);
}

TEST(EventRun, AddsTheTimeBetweenItsMomentsToTheirCause) {
    const EventRun run{{100_ps, {.latency_ps = 100}}, 4, 30_ps, &CriticalPath::dma_ps};
    expect_same_event(run[0], {100_ps, {.latency_ps = 100}});
    expect_same_event(run[2], {160_ps, {.dma_ps = 60, .latency_ps = 100}});
    expect_same_event(run.back(), run[3]);
    expect_same_event(run.part(1, 2, 2)[1], run[3]);
}

/// Runs of random lengths, and their moments.
struct RandomRuns {
    EventRuns runs;
    std::vector<TimedEvent> moments;
    explicit RandomRuns(std::mt19937_64& random) {
        for (std::uint64_t left = 1 + random() % 6; left > 0; --left) {
            const EventRun run{{Time{static_cast<std::int64_t>(random() % 1000)}},
                               static_cast<std::uint32_t>(1 + random() % 5),
                               Time{static_cast<std::int64_t>(random() % 3)}};
            runs.push_back(run);
            for (std::uint32_t i = 0; i < run.count; ++i) moments.push_back(run[i]);
        }
    }
};

std::size_t runs_in(const EventRuns& events) {
    std::size_t runs = 0;
    events.for_each_run(0, events.size(), 1, [&](const EventRun&) { ++runs; });
    return runs;
}

TEST(EventRuns, HoldSingleEventsAsOneWhereOneCauseTakesThemEvenlyApart) {
    EventRuns events;
    std::vector<TimedEvent> moments;
    const auto add = [&](const TimedEvent& event) {
        events.push_back({event});
        moments.push_back(event);
    };
    TimedEvent event{5_ns, {.latency_ps = 5000}};
    for (int i = 0; i < 100; ++i) add(event = event.after(30_ps, &CriticalPath::dma_ps));
    EXPECT_EQ(runs_in(events), 1u);
    add(event = event.after(31_ps, &CriticalPath::dma_ps));   // not as far
    EXPECT_EQ(runs_in(events), 2u);
    add(event = event.after(31_ps, &CriticalPath::wire_ps));   // another cause: of two events it is that of a run
    add(event.after(10_ps, &CriticalPath::wire_ps).after(21_ps, &CriticalPath::engine_ps));   // two causes
    EXPECT_EQ(runs_in(events), 3u);
    add(moments.back());   // at one moment
    EXPECT_EQ(runs_in(events), 4u);
    ASSERT_EQ(events.size(), moments.size());
    for (std::uint32_t i = 0; i < events.size(); ++i) expect_same_event(events[i], moments[i]);
}

TEST(EventRuns, AreNumberedThroughout) {
    std::mt19937_64 random(1);
    for (int round = 0; round < 200; ++round) {
        const RandomRuns all(random);
        ASSERT_EQ(all.runs.size(), all.moments.size());
        for (std::uint32_t i = 0; i < all.runs.size(); ++i) expect_same_event(all.runs[i], all.moments[i]);
    }
}

TEST(EventRuns, HeldUntilAMomentAreTheLaterOfItAndEach) {
    std::mt19937_64 random(3);
    for (int round = 0; round < 200; ++round) {
        RandomRuns all(random);
        const TimedEvent now{Time{static_cast<std::int64_t>(random() % 1000)}, {.wait_ps = 7}};
        all.runs.hold_until(now);
        ASSERT_EQ(all.runs.size(), all.moments.size());
        for (std::uint32_t i = 0; i < all.runs.size(); ++i) expect_same_event(all.runs[i], later(now, all.moments[i]));
    }
}

TEST(EventRuns, ComeInPiecesThatAreTheWantedOnesInOrder) {
    std::mt19937_64 random(2);
    for (int round = 0; round < 2000; ++round) {
        const RandomRuns all(random);
        const auto first = static_cast<std::uint32_t>(random() % all.runs.size());
        const auto stride = static_cast<std::uint32_t>(1 + random() % 4);
        const std::uint32_t most = (all.runs.size() - first + stride - 1) / stride;
        const auto count = static_cast<std::uint32_t>(1 + random() % most);
        std::uint32_t seen = 0;
        all.runs.for_each_run(first, count, stride, [&](const EventRun& piece) {
            for (std::uint32_t i = 0; i < piece.count; ++i)
                expect_same_event(piece[i], all.moments[first + stride * seen++]);
        });
        ASSERT_EQ(seen, count);
    }
}

TEST(EventRuns, AreOneMomentIfTheyAreOneRunWithoutTimeBetween) {
    EventRuns runs;
    EXPECT_FALSE(runs.one_moment());
    runs.push_back({{5_ps}, 3});
    EXPECT_TRUE(runs.one_moment());
    runs.push_back({{5_ps}, 3});
    EXPECT_FALSE(runs.one_moment());
    runs.clear();
    EXPECT_TRUE(runs.empty());
    runs.push_back({{5_ps}, 3, 1_ps});
    EXPECT_FALSE(runs.one_moment());
}

}   // namespace
}   // namespace oscar::event_run_test

// Runs of moments are the moments one by one.
#include "models/core/time_run.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tests/core/time_runs.hpp"

namespace oscar::time_run_test {
namespace {

using namespace literals;

TEST(TimeRun, CountsWhatComesBeforeATime) {
    const TimeRun run{100_ps, 4, 30_ps};   // 100, 130, 160, 190
    for (const auto& [time, before] :
         {std::pair{0_ps, 0u}, {100_ps, 0u}, {101_ps, 1u}, {130_ps, 1u}, {131_ps, 2u}, {190_ps, 3u}, {191_ps, 4u}})
        EXPECT_EQ(run.before(time), before) << time.ps;
    const TimeRun together{100_ps, 4};
    EXPECT_EQ(together.before(100_ps), 0u);
    EXPECT_EQ(together.before(101_ps), 4u);
}

TEST(TimeRun, CountsThoseThatKeepUpWithAnotherRate) {
    const TimeRun run{100_ps, 4, 30_ps};                // 100, 130, 160, 190
    EXPECT_EQ(run.on_time_count(99_ps, 50_ps), 0u);     // the first is late
    EXPECT_EQ(run.on_time_count(100_ps, 30_ps), 4u);    // each is just in time
    EXPECT_EQ(run.on_time_count(100_ps, 29_ps), 1u);    // 130 > 129
    EXPECT_EQ(run.on_time_count(102_ps, 29_ps), 3u);    // 100, 130 <= 131, 160 <= 160, 190 > 189
    EXPECT_EQ(run.on_time_count(1'000_ps, 0_ps), 4u);   // no more than there are
}

/// Random moments, none before the one that precedes it, and the same as runs.
struct RandomTimes {
    std::vector<Time> times;
    std::vector<TimeRun> runs;
    explicit RandomTimes(std::mt19937_64& random) {
        Time at{static_cast<std::int64_t>(random() % 100)};
        for (std::uint64_t left = 1 + random() % 12; left > 0; --left) {
            times.push_back(at);
            at += Time{static_cast<std::int64_t>(random() % 3)};
        }
        runs = test::time_runs(times);
    }
};

TEST(TimeRun, KeepsUpAsItsMomentsDoOneByOne) {
    std::mt19937_64 random(2);
    for (int round = 0; round < 2000; ++round) {
        const TimeRun run{Time{static_cast<std::int64_t>(random() % 20)}, static_cast<std::uint32_t>(1 + random() % 9),
                          Time{static_cast<std::int64_t>(random() % 7)}};
        const Time from{static_cast<std::int64_t>(random() % 40)}, step{static_cast<std::int64_t>(random() % 7)};
        std::uint32_t count = 0;
        while (count < run.count && run.at(count) <= from + count * step) ++count;
        ASSERT_EQ(run.on_time_count(from, step), count) << "round " << round;
    }
}

TEST(TimeRuns, GiveMomentsByNumber) {
    std::mt19937_64 random(3);
    for (int round = 0; round < 500; ++round) {
        const RandomTimes all(random);
        TimeRuns runs;
        runs.assign(all.runs);
        for (std::uint32_t i = 0; i < all.times.size(); ++i) ASSERT_EQ(runs[i], all.times[i]) << "round " << round;
    }
}

TEST(TimeRunReader, ReadsMomentsInOrder) {
    std::mt19937_64 random(4);
    for (int round = 0; round < 500; ++round) {
        const RandomTimes all(random);
        TimeRunReader reader(all.runs);
        for (std::uint32_t i = 0; i < all.times.size();) {
            ASSERT_FALSE(reader.empty());
            ASSERT_EQ(reader.front(), all.times[i]) << "round " << round;
            const TimeRun rest = reader.rest_of_run();
            for (std::uint32_t k = 0; k < rest.count; ++k) ASSERT_EQ(rest.at(k), all.times[i + k]);
            const auto skipped =
                static_cast<std::uint32_t>(std::min<std::uint64_t>(1 + random() % 4, all.times.size() - i));
            reader.skip(skipped);
            i += skipped;
        }
        EXPECT_TRUE(reader.empty());
    }
}

TEST(TimeRun, JoinsTheOneBeforeWhereBothAreOneMoment) {
    std::vector<TimeRun> runs;
    append(runs, {5_ps, 2});
    append(runs, {5_ps});
    append(runs, {5_ps, 3, 1_ps});   // 5, 6, 7
    append(runs, {7_ps});
    append(runs, {7_ps, 4});
    EXPECT_EQ(runs, (std::vector<TimeRun>{{5_ps, 3}, {5_ps, 3, 1_ps}, {7_ps, 5}}));
}

}   // namespace
}   // namespace oscar::time_run_test

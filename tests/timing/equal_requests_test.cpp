// Equal requests that a unit serves at once are those that it would have served one by one: to the picosecond, with the
// same causes. Seeds are printed.
#include <gtest/gtest.h>

#include <random>

#include "models/timing/servers.hpp"

namespace oscar::equal_requests_test {
namespace {

using namespace literals;

/// completion = max(ready, free) + service, and nothing else.
struct PlainUnit {
    Clock clock;
    Cycles width;
    TimedEvent free = {};
    Cycles next = 0;   ///< place, of `width` in a cycle
    std::vector<Span> busy = {};
    void begin_piece() { next += (width - next % width) % width; }
    TimedEvent serve(const TimedEvent& ready, Cycles work, Cycles latency) {
        const TimedEvent from = later(ready, free);
        const Cycles first = std::max(next, clock.next_edge(ready.at) * width);
        next = first + work;
        const Cycles start = first / width, end = (next + width - 1) / width;
        free = from.until(clock.edge(end), &CriticalPath::engine_ps);
        append(busy, {clock.edge(start), clock.edge(end)});
        return free.until(clock.edge(end + latency), &CriticalPath::latency_ps);
    }
};
struct PlainChannel {
    ChannelRate rate;
    Time latency;
    TimedEvent free = {};
    std::vector<Span> busy = {};
    TimedEvent serve(const TimedEvent& ready, Bytes size) {
        const Time begin = later(ready, free).at;
        free = later(ready, free).after(rate.time_of(size), &CriticalPath::dma_ps);
        append(busy, {begin, free.at});
        return free.after(latency, &CriticalPath::latency_ps);
    }
};

void expect_same(const TimedEvent& together, const TimedEvent& one_by_one) {
    ASSERT_EQ(together.at, one_by_one.at);
    ASSERT_EQ(together.path, one_by_one.path);
}

/// A unit and a channel behind it, of random rates, and the same without short cuts.
class EqualRequests : public ::testing::TestWithParam<std::uint64_t> {
protected:
    std::mt19937_64 random{GetParam()};
    std::uint64_t below(std::uint64_t n) { return random() % n; }
    std::uint32_t number(std::uint32_t least, std::uint32_t most) {
        return least + static_cast<std::uint32_t>(below(most - least + 1));
    }

    const Frequency frequency{below(4) == 0 ? 1'000'000'000 : 1'000 + below(4'000'000)};
    const ChannelRate rate = random_rate();
    const Time channel_latency{static_cast<std::int64_t>(below(1'000'000))};
    const Cycles width = below(2) == 0 ? 1 : 1 + below(100);
    PipelinedUnit unit{frequency, true, width};
    DmaChannel channel{rate, channel_latency};
    PlainUnit plain_unit{Clock(frequency), width};
    PlainChannel plain_channel{rate, channel_latency};
    Time now;

    EqualRequests() { channel.clear(true); }
    /// With packets and requests or without.
    ChannelRate random_rate() {
        ChannelRate drawn{Bandwidth{below(2) == 0 ? 1'000 + below(20'000) : 1'000 + below(100'000'000)}};
        if (below(2) == 0) return drawn;
        drawn.payload = Bytes{1 + below(300)};
        drawn.header = Bytes{below(30)};
        if (below(2) == 0) drawn.request = Bytes{1 + below(600)};
        drawn.between = Time{static_cast<std::int64_t>(below(20'000))};
        return drawn;
    }
    void expect_same_use() const {
        EXPECT_EQ(channel.use().spans, plain_channel.busy);
        Time busy;
        for (const Span& span : plain_channel.busy) busy += span.end - span.begin;
        EXPECT_EQ(channel.use().busy, busy);
    }

    TimedEvent later_by_up_to(Time most) {
        now += Time{static_cast<std::int64_t>(below(static_cast<std::uint64_t>(most.ps) + 1))};
        return {now, {.wire_ps = static_cast<std::int64_t>(below(1'000'000))}};
    }
    /// Paced as `service`, a little faster or slower, or in another measure.
    EventRun run_paced(Time service) {
        const Time each{below(3) == 0
                            ? static_cast<std::int64_t>(below(3'000'000))
                            : std::max<std::int64_t>(0, service.ps - 3 + static_cast<std::int64_t>(below(7)))};
        const EventRun run{later_by_up_to(2_us), number(1, 40), each};
        now = run.at(run.count - 1);
        return run;
    }
};

TEST_P(EqualRequests, OfABatchLeaveUnitAndChannelAsOneByOne) {
    for (int round = 0; round < 60 && !HasFatalFailure(); ++round) {
        const std::uint32_t count = number(1, 40);
        const Cycles work = below(40), latency = below(30);
        const Bytes size{1 + below(3000)};
        const TimedEvent ready = later_by_up_to(3_us);
        if (below(2) == 0) unit.begin_piece(), plain_unit.begin_piece();
        const ServiceBatch served = unit.serve(ready, count, work, latency);
        const TimedEvent written = channel.serve(served, size);
        TimedEvent plainly_written;
        for (std::uint32_t i = 0; i < count; ++i) {
            const TimedEvent done = plain_unit.serve(ready, work, latency);
            expect_same(served.done(i), done);
            plainly_written = plain_channel.serve(done, size);
        }
        expect_same(written, plainly_written);
    }
    if (width == 1) {   // wider ones share cycles
        EXPECT_EQ(unit.busy(), plain_unit.busy);
    }
    expect_same_use();
}

TEST_P(EqualRequests, OfARunLeaveAUnitAsOneByOne) {
    for (int round = 0; round < 60 && !HasFatalFailure(); ++round) {
        const Cycles work = 1 + below(40 * width), latency = below(30);
        const EventRun run = run_paced(Clock(frequency).edge((work + width - 1) / width));
        const TimedEvent done = unit.serve_run(run, work, latency);
        TimedEvent plainly_done;
        for (std::uint32_t i = 0; i < run.count; ++i) {
            plain_unit.begin_piece();
            plainly_done = plain_unit.serve(run[i], work, latency);
        }
        expect_same(done, plainly_done);
    }
    if (width == 1) {   // wider ones share cycles
        EXPECT_EQ(unit.busy(), plain_unit.busy);
    }
}

TEST_P(EqualRequests, OfARunLeaveAChannelAsOneByOne) {
    for (int round = 0; round < 60 && !HasFatalFailure(); ++round) {
        const Bytes size{1 + below(3000)};
        const std::uint32_t count = number(1, 20);
        const EventRun run = run_paced(count * rate.time_of(size));
        const TimedEvent there = channel.serve_run(run, count, size);
        TimedEvent plainly_there;
        for (std::uint32_t i = 0; i < run.count; ++i)
            for (std::uint32_t k = 0; k < count; ++k) plainly_there = plain_channel.serve(run[i], size);
        expect_same(there, plainly_there);
    }
    expect_same_use();
}

TEST_P(EqualRequests, AtOnceLeaveAChannelInTurn) {
    for (int round = 0; round < 60 && !HasFatalFailure(); ++round) {
        const Bytes size{1 + below(3000)};
        const TimedEvent ready = later_by_up_to(3_us);
        const EventRun there = channel.serve(ready, number(1, 40), size);
        for (std::uint32_t i = 0; i < there.count; ++i) expect_same(there[i], plain_channel.serve(ready, size));
    }
    expect_same_use();
}

TEST(PipelinedUnit, NotesNothingThatNobodyAsksFor) {
    PipelinedUnit unit(1_GHz, false);
    unit.serve({0_ns}, 10, 5);
    unit.serve_run({{20_ns}, 3, 100_ns}, 10, 5);
    EXPECT_TRUE(unit.busy().empty());
}

INSTANTIATE_TEST_SUITE_P(Seed, EqualRequests, ::testing::Range<std::uint64_t>(0, 60));

}   // namespace
}   // namespace oscar::equal_requests_test

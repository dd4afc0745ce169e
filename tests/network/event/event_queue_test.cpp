#include "models/network/event/event_queue.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "models/network/event/fifo.hpp"

namespace oscar {
using namespace literals;
namespace {

using Entry = std::tuple<std::int64_t, std::uint64_t, std::uint32_t>;

TEST(TheEventQueue, GivesEventsInOrderOfTimeAndThenOfWhatTheyAre) {
    for (const std::int64_t reach : {std::int64_t{100}, std::int64_t{20'000'000}, std::int64_t{1'000'000'000'000}}) {
        EventQueue queue;
        std::set<Entry> expected;
        std::mt19937_64 random(static_cast<std::uint64_t>(reach));
        std::int64_t now = 0;
        for (std::uint32_t i = 0; i < 20'000; ++i) {
            if (expected.empty() || random() % 100 < 51) {
                const std::int64_t far = random() % 8 == 0 ? reach : reach / 50;
                const Event event{
                    {now + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(far))}, random() % 5, i, 0};
                queue.push(event);
                expected.insert({event.time.ps, event.order, i});
                if (random() % 3 == 0) {
                    ASSERT_EQ(queue.top().time.ps, std::get<0>(*expected.begin()));
                }
            } else {
                const Event event = queue.pop();
                now = event.time.ps;
                ASSERT_EQ(std::tie(event.time.ps, event.order),
                          std::tie(std::get<0>(*expected.begin()), std::get<1>(*expected.begin())));
                ASSERT_EQ(expected.erase({event.time.ps, event.order, event.a}), 1u);
            }
            ASSERT_EQ(queue.size(), expected.size());
        }
    }
}

TEST(TheEventQueue, TakesAnEventBeforeOneThatItHasShownAsTheFirst) {
    EventQueue queue;
    queue.push({500_ms});
    EXPECT_EQ(queue.top().time, 500_ms);
    queue.push({1_ns});
    EXPECT_EQ(queue.pop().time, 1_ns);
    EXPECT_EQ(queue.pop().time, 500_ms);
    EXPECT_TRUE(queue.empty());
}

TEST(AFifo, KeepsItsOrderAsItGrowsAndGoesRound) {
    Fifo<int> fifo;
    int in = 0, out = 0;
    for (int round = 1; round < 40; ++round) {
        for (int i = 0; i < round; ++i) fifo.push_back(in++);
        EXPECT_EQ(fifo[fifo.size() - 1], in - 1);
        for (int i = 0; i < round - round % 3; ++i) {
            ASSERT_EQ(fifo.front(), out++);
            fifo.pop_front();
        }
    }
    EXPECT_EQ(fifo.size(), static_cast<std::size_t>(in - out));
}

}   // namespace
}   // namespace oscar

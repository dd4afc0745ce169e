// A module that acts in cycles, and the ends of its links, by themselves.
#include "models/machine/router/cycled_module.hpp"

#include <gmock/gmock.h>

#include <functional>

#include "models/machine/base/kernel_time.hpp"
#include "models/machine/router/link_ends.hpp"

namespace oscar {

using namespace literals;

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Notes when it acts; what it returns is given.
struct Noting : CycledModule {
    Noting(const char* name, const RouterClock& clock, Phase phase = Phase::first) : CycledModule(name, clock, phase) {}
    Cycles act(Cycles now) override {
        acted.push_back({now, kernel_now(), sc_core::sc_delta_count()});
        return then ? then(now) : no_cycle;
    }
    void restart() { restart_cycles(); }
    std::vector<Cycles> cycles() const {
        std::vector<Cycles> result;
        for (const Act& act : acted) result.push_back(act.cycle);
        return result;
    }
    struct Act {
        Cycles cycle;
        Time at;
        std::uint64_t delta;
    };
    std::vector<Act> acted;
    std::function<Cycles(Cycles)> then;
};

struct ACycledModule : ::testing::Test {
    RouterClock clock{64_ns, 10_ns};
    Noting module{"module", clock};
    void run() { sc_core::sc_start(); }
};

TEST_F(ACycledModule, DoesNothingUnlessItIsWoken) {
    run();
    EXPECT_THAT(module.acted, IsEmpty());
    EXPECT_EQ(module.activations(), 0u);
}

TEST_F(ACycledModule, ActsWhenItsCycleBegins) {
    module.wake(3);
    run();
    EXPECT_THAT(module.cycles(), ElementsAre(3u));
    EXPECT_EQ(module.acted[0].at, 202_ns);
}

TEST_F(ACycledModule, ActsInTheEarliestCycleThatIsAskedForAndThenAsItSays) {
    module.then = [](Cycles now) { return now < 7 ? now + 2 : no_cycle; };
    module.wake(5);
    module.wake(3);
    module.wake(4);
    run();
    EXPECT_THAT(module.cycles(), ElementsAre(3u, 5u, 7u));
    EXPECT_EQ(module.activations(), 3u);
}

TEST_F(ACycledModule, ActsInNoCycleTwice) {
    module.then = [this](Cycles now) {
        if (now == 2) module.wake(2);
        return no_cycle;
    };
    module.wake(2);
    run();
    EXPECT_THAT(module.cycles(), ElementsAre(2u, 3u));
}

TEST_F(ACycledModule, CountsFromTheNewOriginWhenAJobBegins) {
    module.wake(9);
    run();
    clock.origin = 1_us;
    module.restart();
    module.wake(0);
    run();
    EXPECT_THAT(module.cycles(), ElementsAre(9u, 0u));
    EXPECT_EQ(module.acted[1].at, 1_us);
}

TEST_F(ACycledModule, OfTheSecondPhaseActsADeltaCycleBehindOneOfTheFirst) {
    Noting second{"second", clock, CycledModule::Phase::second};
    module.wake(4);
    second.wake(4);
    run();
    ASSERT_EQ(second.acted.size(), 1u);
    EXPECT_EQ(second.acted[0].at, module.acted[0].at);
    EXPECT_EQ(second.acted[0].delta, module.acted[0].delta + 1);
}

TEST_F(ACycledModule, IsWokenByFlitsWhichItHasInTheirCycles) {
    FlitInput plain(module, 0), delayed(module, 1);
    std::vector<std::tuple<Cycles, int, int>> taken;
    module.then = [&](Cycles now) {
        for (FlitInput* input : {&plain, &delayed})
            input->receive(
                now, [&](std::uint8_t vc, const RouterFlit& flit) { taken.emplace_back(now, vc, flit.sequence); });
        return std::min(plain.next(), delayed.next());
    };
    plain.put(2, {.sequence = 0}, clock.begin_of(4), clock.begin_of(5));
    plain.put(1, {.sequence = 1}, clock.begin_of(8), clock.begin_of(9));
    delayed.put(0, {.sequence = 2}, clock.begin_of(4), clock.begin_of(5));
    run();
    EXPECT_THAT(taken, ElementsAre(std::tuple(5u, 2, 0), std::tuple(6u, 0, 2), std::tuple(9u, 1, 1)));
}

TEST_F(ACycledModule, IsWokenByCreditsOnlyWhileItWaitsForThem) {
    bool waits = false;
    CreditInput credits(module, 2, [&] { return waits; });
    credits.give_back(1, 64_B, clock.begin_of(3));
    run();
    EXPECT_THAT(module.acted, IsEmpty());
    waits = true;
    std::vector<int> vcs;
    module.then = [&](Cycles now) {
        credits.receive(now, [&](std::uint8_t vc) { vcs.push_back(vc); });
        return credits.next();
    };
    credits.give_back(3, 64_B, clock.begin_of(6));
    run();
    EXPECT_THAT(module.cycles(), ElementsAre(5u, 8u));
    EXPECT_THAT(vcs, ElementsAre(1, 3));
}

}   // namespace
}   // namespace oscar

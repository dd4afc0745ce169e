#include <gmock/gmock.h>

#include <random>
#include <stdexcept>
#include <string>

#include "models/hw/kernel.hpp"

namespace oscar {
namespace {

using namespace literals;
using testing::ElementsAre;
using testing::IsEmpty;

struct AgendaTest : testing::Test {
    Agenda agenda{"agenda"};
    std::vector<std::pair<std::string, Time>> log;

    std::function<void()> note(const std::string& what) {
        return [this, what] { log.emplace_back(what, now()); };
    }
};

TEST_F(AgendaTest, RunsCallsInOrderOfTimeWhateverTheOrderOfAsking) {
    agenda.at(30_ns, note("c"));
    agenda.at(10_ns, note("a"));
    agenda.at(20_ns, note("b"));
    Agenda::run_all();
    EXPECT_THAT(log, ElementsAre(std::pair("a", 10_ns), std::pair("b", 20_ns), std::pair("c", 30_ns)));
}

TEST_F(AgendaTest, TellsTimesApartByOnePicosecond) {
    agenda.at(1000_ps, note("later"));
    agenda.at(999_ps, note("earlier"));
    Agenda::run_all();
    EXPECT_THAT(log, ElementsAre(std::pair("earlier", 999_ps), std::pair("later", 1000_ps)));
}

TEST_F(AgendaTest, RunsCallsOfOneTimeInOrderOfAsking) {
    for (const char* name : {"1", "2", "3", "4"}) agenda.at(7_ns, note(name));
    Agenda::run_all();
    EXPECT_THAT(log,
                ElementsAre(std::pair("1", 7_ns), std::pair("2", 7_ns), std::pair("3", 7_ns), std::pair("4", 7_ns)));
}

TEST_F(AgendaTest, RunsWhatACallAddsForTheSameTimeBehindWhatWasThere) {
    agenda.at(5_ns, [this] {
        note("first")();
        agenda.at(now(), [this] {
            note("added")();
            agenda.at(now(), note("added by the added"));
        });
    });
    agenda.at(5_ns, note("second"));
    Agenda::run_all();
    EXPECT_THAT(log, ElementsAre(std::pair("first", 5_ns), std::pair("second", 5_ns), std::pair("added", 5_ns),
                                 std::pair("added by the added", 5_ns)));
}

TEST_F(AgendaTest, LetsACallComeBeforeOneThatIsPending) {
    agenda.at(100_ns, note("pending"));
    agenda.at(10_ns, [this] { agenda.at(50_ns, note("between")); });
    Agenda::run_all();
    EXPECT_THAT(log, ElementsAre(std::pair("between", 50_ns), std::pair("pending", 100_ns)));
}

TEST_F(AgendaTest, CallsOfAnotherAgendaAreNoHindrance) {
    Agenda other{"other"};
    agenda.at(100_ns, note("mine"));
    other.at(40_ns, [this] { agenda.at(60_ns, note("asked for by the other")); });
    Agenda::run_all();
    EXPECT_THAT(log, ElementsAre(std::pair("asked for by the other", 60_ns), std::pair("mine", 100_ns)));
}

TEST_F(AgendaTest, CountsItsCalls) {
    EXPECT_EQ(agenda.calls(), 0u);
    agenda.at(1_ns, [this] { agenda.at(2_ns, [] {}); });
    EXPECT_EQ(agenda.calls(), 1u);
    Agenda::run_all();
    EXPECT_EQ(agenda.calls(), 2u);
}

TEST_F(AgendaTest, GoesOnFromWhereTheLastRunEnded) {
    agenda.at(10_ns, note("first run"));
    Agenda::run_all();
    EXPECT_EQ(now(), 10_ns);
    agenda.at(10_ns, note("at once"));
    agenda.at(25_ns, note("second run"));
    Agenda::run_all();
    EXPECT_THAT(
        log, ElementsAre(std::pair("first run", 10_ns), std::pair("at once", 10_ns), std::pair("second run", 25_ns)));
}

struct OwnError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

TEST_F(AgendaTest, RethrowsWhatACallThrewWithItsTypeAndText) {
    agenda.at(3_ns, [] { throw OwnError("the third nanosecond"); });
    agenda.at(4_ns, note("never"));
    try {
        Agenda::run_all();
        FAIL() << "nothing thrown";
    } catch (const OwnError& error) {
        EXPECT_STREQ(error.what(), "the third nanosecond");
    }
    EXPECT_EQ(now(), 3_ns);
    EXPECT_THAT(log, IsEmpty());
}

TEST_F(AgendaTest, ReportsAnExceptionOnceAndKeepsTheCallsBehindItForTheNextRun) {
    agenda.at(3_ns, [] { throw OwnError("once"); });
    agenda.at(3_ns, note("same time"));
    agenda.at(9_ns, note("later"));
    EXPECT_THROW(Agenda::run_all(), OwnError);
    agenda.at(5_ns, note("added after it"));
    EXPECT_NO_THROW(Agenda::run_all());
    EXPECT_THAT(log,
                ElementsAre(std::pair("same time", 3_ns), std::pair("added after it", 5_ns), std::pair("later", 9_ns)));
}

TEST_F(AgendaTest, RunsAThousandRandomCallsInOrderAndEachAtItsTime) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        std::mt19937_64 random(seed);
        const Time origin = now();
        struct Ran {
            Time at;
            int asked;
        };
        std::vector<Ran> ran;
        for (int i = 0; i < 1000; ++i) {
            const Time at = origin + Time{static_cast<std::int64_t>(random() % 300)};   // many at equal times
            agenda.at(at, [&ran, at, i] {
                EXPECT_EQ(now(), at);
                ran.push_back({at, i});
            });
        }
        Agenda::run_all();
        ASSERT_EQ(ran.size(), 1000u);
        EXPECT_TRUE(std::ranges::is_sorted(
            ran, [](const Ran& a, const Ran& b) { return std::tie(a.at, a.asked) < std::tie(b.at, b.asked); }));
    }
}

}   // namespace
}   // namespace oscar

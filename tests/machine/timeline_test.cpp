// Calls in simulated time. SystemC's clock goes on from test to test only within one process; ctest gives each its own.
#include "models/machine/timeline.hpp"

#include <gmock/gmock.h>

#include <array>
#include <stdexcept>
#include <string>

#include "models/machine/base/process_network.hpp"
#include "models/network/event/make_fabric.hpp"
#include "models/network/event/packet_fabric.hpp"

namespace oscar::timeline_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Another process, that does something every so often.
class Other : public sc_core::sc_module {
public:
    SC_HAS_PROCESS(Other);
    Other(const sc_core::sc_module_name& name, std::function<void()> action)
        : sc_module(name), action_(std::move(action)) {
        SC_METHOD(act);
        sensitive << event_;
        dont_initialize();
    }
    void notify(Time after) { event_.notify(sc_core::sc_time::from_value(static_cast<std::uint64_t>(after.ps))); }

private:
    void act() { action_(); }
    std::function<void()> action_;
    sc_core::sc_event event_;
};

struct TimelineTest : ::testing::Test, FabricClient {
    std::vector<std::pair<std::string, Time>> log;
    Other other{"other", [this] { note("other")(); }};
    Timeline timeline{"timeline", make_fabric(TimingFidelity::packet, {{}, 64_B, 1}, *this)};

    void departed(std::uint64_t, std::uint32_t, Time, Time) override {}
    void arrived(std::uint64_t, std::uint32_t) override {}
    void called(std::uint32_t call, std::uint32_t) override { timeline.call(call); }
    std::function<void()> note(const std::string& what) {
        return [this, what] { log.emplace_back(what, kernel()); };
    }
    static Time kernel() { return {static_cast<std::int64_t>(sc_core::sc_time_stamp().value())}; }
    std::vector<std::string> names() const {
        std::vector<std::string> result;
        for (const auto& [name, at] : log) result.push_back(name);
        return result;
    }
};

TEST_F(TimelineTest, CallsInOrderOfTimeThenOfStageThenOfNumberWhoeverAskedFirst) {
    timeline.at(7_ns, Stage::timestep, 0, note("d"));
    timeline.at(7_ns, Stage::ready, 2, note("c"));
    timeline.at(7_ns + 1_ps, Stage::start, 0, note("e"));
    timeline.at(7_ns, Stage::ready, 1, note("b"));
    timeline.at(7_ns, Stage::start, 9, note("a"));
    timeline.run_all();
    EXPECT_THAT(names(), ElementsAre("a", "b", "c", "d", "e"));
    EXPECT_EQ(timeline.now(), 7_ns + 1_ps);
}

TEST_F(TimelineTest, TakesSystemCsClockAlongToWhereItEnds) {
    timeline.at(30_ns, Stage::start, 0, [] {});
    timeline.run_all();
    EXPECT_EQ(kernel(), 30_ns);
    EXPECT_EQ(timeline.rest(), 30_ns);
}

TEST_F(TimelineTest, StopsBeforeAnotherProcessAndGoesOnBehindIt) {
    other.notify(20_ns);
    for (const Time at : {19_ns, 20_ns + 1_ps, 40_ns})
        timeline.at(at, Stage::start, 0, [this] { log.emplace_back("own", timeline.now()); });
    timeline.run_all();
    EXPECT_THAT(log, ElementsAre(std::pair("own", 19_ns), std::pair("other", 20_ns), std::pair("own", 20_ns + 1_ps),
                                 std::pair("own", 40_ns)));
}

TEST_F(TimelineTest, TakesACallThatIsAskedForWithinACall) {
    timeline.at(5_ns, Stage::ready, 0, [this] {
        note("first")();
        timeline.at(5_ns, Stage::start, 0, note("same instant"));
        timeline.at(6_ns, Stage::start, 0, note("later"));
    });
    timeline.at(5_ns, Stage::timestep, 0, note("last stage"));
    timeline.run_all();
    EXPECT_THAT(names(), ElementsAre("first", "same instant", "last stage", "later"));
}

struct OwnError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

TEST_F(TimelineTest, RethrowsWhatACallThrewWithItsTypeAndText) {
    timeline.at(3_ns, Stage::start, 0, [] { throw OwnError("the third nanosecond"); });
    timeline.at(4_ns, Stage::start, 0, note("never"));
    try {
        timeline.run_all();
        FAIL() << "nothing thrown";
    } catch (const OwnError& error) {
        EXPECT_STREQ(error.what(), "the third nanosecond");
    }
    EXPECT_THAT(log, IsEmpty());
}

/// A network whose other process posts events for the client.
struct Posting : PacketFabric, ProcessNetwork {
    using PacketFabric::PacketFabric;
    std::function<void()> posted;
    void on_event(std::function<void()> action) override { posted = std::move(action); }
    std::uint64_t activations() const override { return 0; }
};

struct BesideProcesses : ::testing::Test, FabricClient {
    std::vector<std::pair<std::string, Time>> log;
    Posting* network = nullptr;
    Timeline timeline{"timeline", make()};

    std::unique_ptr<Fabric> make() {
        auto fabric = std::make_unique<Posting>(FabricParams{{}, 64_B, 1}, *this);
        network = fabric.get();
        return fabric;
    }
    void departed(std::uint64_t, std::uint32_t, Time, Time) override {}
    void arrived(std::uint64_t, std::uint32_t) override {}
    void called(std::uint32_t call, std::uint32_t) override { timeline.call(call); }
    void note(const std::string& what, Time at) {
        timeline.at(at, Stage::start, 0, [this, what] { log.emplace_back(what, TimelineTest::kernel()); });
    }
};

TEST_F(BesideProcesses, DoesWhatIsDueAtTheTimeOfTheKernelsClock) {
    for (const Time at : {3_ns, 5_ns, 5_ns + 1_ps}) note("own", at);
    timeline.run_all();
    EXPECT_THAT(log, ElementsAre(std::pair("own", 3_ns), std::pair("own", 5_ns), std::pair("own", 5_ns + 1_ps)));
}

TEST_F(BesideProcesses, HearsOfAnEventThatAProcessPostsBeforeTheNextOneThatItKnows) {
    Other other("other", [this] {
        note("posted", 7_ns);
        network->posted();
        note("at once", 4_ns);
        network->posted();
    });
    other.notify(4_ns);
    note("known", 20_ns);
    timeline.run_all();
    EXPECT_THAT(log, ElementsAre(std::pair("at once", 4_ns), std::pair("posted", 7_ns), std::pair("known", 20_ns)));
}

/// A packet of 64 B on a cable of 8 Gbit/s: 64 ns on the wire, 100 ns to the other side, where it is taken at once.
struct OnACable : ::testing::Test, FabricClient {
    Timeline timeline{"timeline",
                      make_fabric(TimingFidelity::packet, {{{0, 1, {8_Gbps, 100_ns, 64_B}, 0_ps}}, 64_B, 1}, *this)};
    Time came;

    void departed(std::uint64_t, std::uint32_t, Time, Time) override {}
    void arrived(std::uint64_t, std::uint32_t) override { came = timeline.now(); }
    void called(std::uint32_t call, std::uint32_t) override { timeline.call(call); }
};

TEST_F(OnACable, IsAtRestWhenTheCreditOfTheLastPacketIsBack) {
    Fabric& fabric = timeline.fabric();
    const FlowId flow = fabric.add_flow(std::array{Hop{0, 0}}, 0);
    fabric.declare(std::array{flow}, 64_B);
    timeline.at(0_ns, Stage::start, 0, [&] {
        fabric.send(flow, {0, 1, 64_B, 64_B}, std::array{TimeRun{0_ns}}, std::array{0u});
    });
    timeline.run_all();
    EXPECT_EQ(came, 164_ns);
    EXPECT_EQ(timeline.rest(), 264_ns);
}

}   // namespace
}   // namespace oscar::timeline_test

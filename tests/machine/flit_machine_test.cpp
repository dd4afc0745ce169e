// The modules of a flit machine: their names, and a switch of a user's own in the place of ours.
#include <gmock/gmock.h>

#include "models/machine/base/kernel_time.hpp"
#include "tests/machine/flit/flit_support.hpp"

namespace oscar::flit_machine_test {
namespace {

using test::FlitNetwork;
using test::OwnKernel;
using test::Sending;
using ::testing::ElementsAre;
using ::testing::IsSupersetOf;

constexpr LinkParams cable{8_Gbps, 100_ns, 1000_B};

/// Ranks 0 and 1, switches 2 and 3 in a line: links 0 to 2 lead from rank 0 to rank 1.
FabricParams line() { return {{{0, 2, cable, 30_ns}, {2, 3, cable, 30_ns}, {3, 1, cable, 50_ns}}, 64_B, 1}; }
const std::vector<std::vector<Hop>> path{{{0}, {1}, {2}}};

Sending packet(std::uint64_t bytes, Time at, std::uint32_t tag) {
    return {0, {tag, 1, Bytes{bytes}, Bytes{bytes}}, at, {}, {Time{}}, {0}};
}

void name_all(const std::vector<sc_core::sc_object*>& objects, std::vector<std::string>& names) {
    for (const sc_core::sc_object* object : objects) {
        if (dynamic_cast<const sc_core::sc_module*>(object)) names.emplace_back(object->name());
        name_all(object->get_child_objects(), names);
    }
}

TEST(AFlitMachine, IsAHierarchyOfModulesWithTheNamesOfTheBlockDiagram) {
    OwnKernel kernel;
    struct Whole : sc_core::sc_module, test::Nobody {
        FlitMachine network{line(), {.ranks = 2}, *this};
        explicit Whole(const sc_core::sc_module_name& name) : sc_module(name) {}
    };
    kernel.within([&] {
        const Whole whole("machine");
        std::vector<std::string> names;
        name_all(sc_core::sc_get_top_level_objects(), names);
        EXPECT_THAT(names,
                    IsSupersetOf({"machine.rank0.nic", "machine.rank1.nic", "machine.switch0", "machine.switch1",
                                  "machine.rank0.nic.port0", "machine.switch0.port0", "machine.link_rank0-switch0",
                                  "machine.link_switch0-switch1", "machine.link_switch1-rank1"}));
    });
}

/// A switch of a user's own: forwards each packet at once, by one output, a fixed delay behind it. It counts flits, and
/// knows neither queues nor turns.
struct Repeater : LinkedModule {
    using LinkedModule::LinkedModule;
    static constexpr Time delay = 7_ns;
    std::uint64_t flits = 0;

    void receive(std::uint32_t input, const Flit& flit, ExactTime begin, ExactTime end) override {
        ++flits;
        const Time behind = params().inputs[input].latency + delay;
        Flit onward = flit;
        ++onward.hop;
        out[0]->put(onward, begin + behind, end + behind);
        if (flit.tail) credit_out[input]->give_back(flit.link().channel, flit.packet.wire, end.rounded_up() + behind);
    }
    void credited(std::uint32_t, std::uint8_t, Bytes, Time) override {}
};

TEST(AFlitMachine, TakesASwitchOfAUsersOwn) {
    std::vector<Repeater*> repeaters;
    FlitMachineParams machine{2, 1};
    machine.make_switch = [&](const std::string& name, const LinkedModuleParams& params, PacketOwner&) {
        auto repeater = std::make_unique<Repeater>(name.c_str(), params);
        repeaters.push_back(repeater.get());
        return repeater;
    };
    test::Traffic<FlitNetwork<1>> traffic(line(), path, {packet(150, 10_ns, 0)}, machine);
    traffic.run();
    // It cuts through by bits, not by flits: 150 ns on the wire, three propagations, two repeaters, the NIC.
    const Time taken = 10_ns + 150_ns + 3 * 100_ns + 2 * (30_ns + Repeater::delay) + 50_ns;
    EXPECT_EQ((traffic.arrivals.at({0, 0})), taken.ps);
    ASSERT_EQ(repeaters.size(), 2u);
    EXPECT_EQ(repeaters[0]->flits, 3u);
    EXPECT_EQ(repeaters[1]->flits, 3u);
}

TEST(AFlitMachine, AccountsForTheLinksAroundASwitchOfAUsersOwn) {
    FlitMachineParams machine{2, 64};
    machine.make_switch = [](const std::string& name, const LinkedModuleParams& params, PacketOwner&) {
        return std::make_unique<Repeater>(name.c_str(), params);
    };
    test::Traffic<FlitNetwork<64>> traffic(line(), path, {packet(150, 0_ns, 0), packet(100, 0_ns, 1)}, machine);
    traffic.run();
    const Time before = 100_ns + 30_ns + Repeater::delay;
    EXPECT_THAT(traffic.fabric.account().use(EdgeId{0}).busy, ElementsAre(Span{0_ns, 250_ns}));
    EXPECT_THAT(traffic.fabric.account().use(EdgeId{1}).busy, ElementsAre(Span{before, before + 250_ns}));
    EXPECT_EQ(traffic.fabric.account().use(EdgeId{2}).flits, 5u);
    EXPECT_FALSE(traffic.fabric.deadlock_report());
}

TEST(AFlitMachine, RefusesPacketsThatBeginInASwitchOfAUsersOwn) {
    FlitMachineParams machine{2, 1};
    machine.make_switch = [](const std::string& name, const LinkedModuleParams& params, PacketOwner&) {
        return std::make_unique<Repeater>(name.c_str(), params);
    };
    test::Traffic<FlitNetwork<1>> traffic(line(), {{{1}, {2}}}, {packet(64, 0_ns, 0)}, machine);
    EXPECT_THROW(traffic.run(), std::invalid_argument);
}

TEST(AFlitMachine, LetsAPacketBeginAndEndInOneOfOurSwitches) {
    // As a switch that adds up does. 64 B: 64 ns on each link.
    test::Traffic<FlitNetwork<1>> traffic(line(), {{{0}}, {{1}, {2}}},
                                          {packet(64, 0_ns, 0), {1, {1, 1, 64_B, 64_B}, {}, 0, {Time{}}, {0}}},
                                          FlitMachineParams{2, 1});
    traffic.run();
    const Time in_switch = 64_ns + 100_ns + 30_ns;
    EXPECT_EQ((traffic.arrivals.at({0, 0})), in_switch.ps);
    EXPECT_EQ((traffic.arrivals.at({1, 0})), (in_switch + 64_ns + 100_ns + 30_ns + 64_ns + 100_ns + 50_ns).ps);
}

}   // namespace
}   // namespace oscar::flit_machine_test

// An output port by itself: 8 Gbit/s is a byte a ns. The rules of turns are those of all fidelities (timing_test.cpp).
#include "models/machine/flit/output_port.hpp"

#include <gmock/gmock.h>

#include "models/machine/base/kernel_time.hpp"

namespace oscar::output_port_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// A flit as it left, and when the port handed it on.
struct Left {
    std::uint64_t tag = 0, number = 0;
    Time begin, end, told;
    bool tail = false;
    friend bool operator==(const Left&, const Left&) = default;
};

void PrintTo(const Left& flit, std::ostream* out) {
    *out << flit.tag << '.' << flit.number << (flit.tail ? " tail " : " ") << flit.begin.ps << '-' << flit.end.ps
         << " told " << flit.told.ps;
}

struct Wire : FlitSink {
    std::vector<Left> flits;
    void put(const Flit& flit, ExactTime begin, ExactTime end) override {
        flits.push_back({flit.packet.tag, flit.number, begin.rounded_up(), end.rounded_up(), kernel_now(), flit.tail});
    }
};

struct Bench {
    Wire wire;
    std::vector<std::pair<std::uint64_t, Span>> sent;
    std::vector<Hop> path{{0, 0}, {1, 0}};
    OutputPort port;

    explicit Bench(std::uint32_t quantum, Bytes buffer = 1000_B)
        : port("port", {8_Gbps, buffer, 64_B, 1, quantum}, [this](const QueuedPacket& packet, Time begin, Time end) {
              sent.emplace_back(packet.next.packet.tag, Span{begin, end});
          }) {
        port.out.bind(wire);
    }
    Flit head(std::uint64_t tag, std::uint64_t bytes, std::uint32_t hop) {
        return {{tag, 0, 0, tag, path, Bytes{bytes}}, hop, 0, false};
    }
    /// Of this node, all there from `eligible` on.
    void own(std::uint64_t tag, std::uint64_t bytes, Time eligible) {
        port.join({false, 0}, head(tag, bytes, 0), eligible);
    }
    QueuedPacket& forwarded(std::uint64_t tag, std::uint64_t bytes, Time eligible) {
        return port.join(QueueKey::after(path[0]), head(tag, bytes, 1), eligible);
    }
    void run() { sc_core::sc_start(); }
};

TEST(AnOutputPort, OfAQuantumOfOneHandsEachFlitOnWhenItBeginsToLeave) {
    Bench bench(1);
    bench.own(7, 150, 10_ns);
    bench.run();
    EXPECT_THAT(bench.wire.flits,
                ElementsAre(Left{7, 0, 10_ns, 74_ns, 10_ns, false}, Left{7, 1, 74_ns, 138_ns, 74_ns, false},
                            Left{7, 2, 138_ns, 160_ns, 138_ns, true}));
    EXPECT_THAT(bench.sent, ElementsAre(std::pair(7u, Span{10_ns, 160_ns})));
}

TEST(AnOutputPort, OfALargerQuantumTellsTheSameTimesAhead) {
    Bench bench(2);
    bench.own(7, 150, 10_ns);
    bench.run();
    EXPECT_THAT(bench.wire.flits,
                ElementsAre(Left{7, 0, 10_ns, 74_ns, 10_ns, false}, Left{7, 1, 74_ns, 138_ns, 10_ns, false},
                            Left{7, 2, 138_ns, 160_ns, 138_ns, true}));
}

TEST(AnOutputPort, SendsAFlitOfAForwardedPacketOnceItIsReady) {
    Bench bench(1);
    QueuedPacket& packet = bench.forwarded(3, 128, 5_ns);
    bench.port.add(packet, ExactTime{5_ns});
    sc_core::sc_start(to_sc(200_ns));
    EXPECT_THAT(bench.wire.flits, SizeIs(1)) << "the second has not come";
    bench.port.add(packet, ExactTime{250_ns});
    bench.run();
    ASSERT_THAT(bench.wire.flits, SizeIs(2));
    EXPECT_EQ(bench.wire.flits[1], (Left{3, 1, 250_ns, 314_ns, 250_ns, true}));
}

TEST(AnOutputPort, KeepsThePacketBehindWaitingWhileTheRestOfOneHasNotCome) {
    Bench bench(64);
    bench.port.add(bench.forwarded(3, 128, 0_ns), ExactTime{0_ns});
    bench.own(4, 64, 0_ns);
    bench.run();
    EXPECT_THAT(bench.wire.flits, SizeIs(1));
    EXPECT_EQ(bench.port.channel_of({false, 0}), std::uint8_t{0}) << "it waits";
    EXPECT_EQ(bench.port.channel_of(QueueKey::after(bench.path[0])), std::nullopt) << "it crosses";
}

TEST(AnOutputPort, StartsAPacketJustWhenItsCreditIsBack) {
    Bench bench(64, 100_B);
    bench.own(1, 100, 0_ns);
    bench.own(2, 40, 0_ns);
    bench.port.give_back(0, 39_B, 300_ns);
    bench.port.give_back(0, 1_B, 400_ns);
    bench.run();
    EXPECT_THAT(bench.sent, ElementsAre(std::pair(1u, Span{0_ns, 100_ns}), std::pair(2u, Span{400_ns, 440_ns})));
}

TEST(AnOutputPort, NamesWhoLacksCreditWhenNothingHappensAnyMore) {
    Bench bench(64, 100_B);
    bench.own(1, 80, 0_ns);
    bench.own(2, 40, 0_ns);
    bench.run();
    const auto wait = bench.port.blocked_on(0);
    ASSERT_TRUE(wait);
    EXPECT_EQ(wait->tag, 2u);
    EXPECT_EQ(std::tuple(wait->needs, wait->free), std::tuple(40_B, 20_B));
}

TEST(AnOutputPort, DecidesBehindAllThatComesAtAnInstantInWhateverOrderItComes) {
    // At 50 ns the port wakes for packet 9, and another process, woken behind it, brings packet 2, which goes first.
    Bench bench(64);
    struct Other : sc_core::sc_module {
        SC_HAS_PROCESS(Other);
        Bench& bench;
        sc_core::sc_event event;
        Other(const sc_core::sc_module_name& name, Bench& b) : sc_module(name), bench(b) {
            SC_METHOD(act);
            sensitive << event;
            dont_initialize();
        }
        void act() { bench.port.join({false, 1}, bench.head(2, 64, 0), 50_ns); }
    } other("other", bench);
    bench.own(9, 64, 50_ns);
    other.event.notify(to_sc(50_ns));
    bench.run();
    EXPECT_THAT(bench.sent, ElementsAre(std::pair(2u, Span{50_ns, 114_ns}), std::pair(9u, Span{114_ns, 178_ns})));
}

TEST(AnOutputPort, ForgetsTurnsWhenAJobBegins) {
    // Two queues; the second would have its turn, were the first not forgotten to have sent.
    Bench bench(64);
    bench.own(5, 64, 0_ns);
    bench.run();
    bench.port.restart();
    const Time now = kernel_now();
    bench.own(5, 64, now);
    bench.port.join({false, 1}, bench.head(6, 64, 0), now);
    bench.run();
    ASSERT_THAT(bench.sent, SizeIs(3));
    EXPECT_EQ(bench.sent[1].first, 5u);
}

TEST(AnOutputPort, HasNothingToSayWhenNothingWaits) {
    Bench bench(1);
    bench.run();
    EXPECT_THAT(bench.wire.flits, IsEmpty());
    EXPECT_FALSE(bench.port.blocked_on(0));
}

/// A port of two virtual channels, over whose first one a packet has just left, and which a job has begun on since.
struct TwoChannels : ::testing::Test {
    Wire wire;
    std::vector<std::uint64_t> sent;
    std::vector<Hop> first{{0, 0}, {1, 0}}, second{{0, 0}, {1, 1}};
    OutputPort port{"port", {8_Gbps, 1000_B, 64_B, 2, 64}, [this](const QueuedPacket& packet, Time, Time) {
                        sent.push_back(packet.next.packet.tag);
                    }};

    TwoChannels() { port.out.bind(wire); }
    /// From source `queue`, which may leave now; the tag is its order too.
    void join(std::uint64_t tag, const std::vector<Hop>& over, std::uint64_t queue) {
        port.join({false, queue}, {{tag, 0, 0, tag, over, 64_B}, 1, 0, false}, kernel_now());
    }
};

TEST_F(TwoChannels, BeginWithTheFirstAgainWhenAJobBegins) {
    join(1, first, 0);
    sc_core::sc_start();
    port.restart();
    join(3, first, 0);
    join(2, second, 0);
    sc_core::sc_start();
    EXPECT_THAT(sent, ElementsAre(1, 3, 2));   // without a restart it would be the turn of the second
}

TEST_F(TwoChannels, ForgetTheTurnsOfBothWhenAJobBegins) {
    join(1, first, 0);
    join(2, second, 0);
    sc_core::sc_start();
    port.restart();
    join(3, second, 0);   // at one instant: in their order, unless queue 0 is known to have been served
    join(4, second, 1);
    sc_core::sc_start();
    EXPECT_THAT(sent, ElementsAre(1, 2, 3, 4));
}

}   // namespace
}   // namespace oscar::output_port_test

// Laws of every end-to-end protocol, over channels that lose and reorder.
#include <gmock/gmock.h>

#include <map>
#include <random>
#include <set>

#include "models/network/transport/protocols.hpp"

namespace oscar::protocol_law_test {
namespace {

struct Channel {
    double loss;
    Time least, most;   ///< delay of a packet and of an answer; if they differ, they overtake each other
};

struct Delivery {
    std::uint64_t delivered = 0, sent = 0, most_on_the_way = 0;
    bool in_order = true, ended = false;
};

/// One flow over a random channel, a packet per 100 ns.
class FlowOverChannel {
public:
    FlowOverChannel(const Reliability& reliability, const Channel& channel, std::uint64_t packets, std::uint64_t seed)
        : ends_(make_protocol(reliability)), channel_(channel), packets_(packets), random_(seed) {
        ends_.sender->offer(packets);
    }

    Delivery run() {
        for (Time now; now < 1000_ms; now += 100_ns) {
            while (!flying_.empty() && flying_.begin()->first <= now) land(now);
            if (const auto deadline = ends_.sender->deadline(); deadline && *deadline <= now)
                ends_.sender->expired(now);
            if (ends_.sender->next()) send(now);
            if (ends_.sender->acknowledged() == packets_) {
                result_.ended = true;
                break;
            }
        }
        return result_;
    }

private:
    struct Flying {
        std::uint64_t number = 0;
        std::optional<Answer> answer = {};
    };

    void launch(const Flying& flying, Time now) {
        if (std::bernoulli_distribution(channel_.loss)(random_)) return;
        std::uniform_int_distribution<std::int64_t> delay(channel_.least.ps, channel_.most.ps);
        flying_.emplace(now + Time{delay(random_)}, flying);
    }

    void send(Time now) {
        const std::uint64_t number = *ends_.sender->next();
        result_.most_on_the_way = std::max(result_.most_on_the_way, number + 1 - ends_.sender->acknowledged());
        ++result_.sent;
        ends_.sender->sent(now);
        launch({number}, now);
    }

    void land(Time now) {
        const Flying flying = flying_.begin()->second;
        flying_.erase(flying_.begin());
        if (flying.answer) return ends_.sender->answered(*flying.answer, now);
        came_.insert(flying.number);
        const auto verdict = ends_.receiver->received(flying.number);
        for (std::uint64_t i = 0; i < verdict.delivered; ++i) result_.in_order &= came_.contains(result_.delivered++);
        if (verdict.answer) launch({0, verdict.answer}, now);
    }

    Protocol ends_;
    Channel channel_;
    std::uint64_t packets_;
    std::mt19937_64 random_;
    std::multimap<Time, Flying> flying_;
    std::set<std::uint64_t> came_;
    Delivery result_;
};

template <class P>
Reliability protocol(std::uint32_t window) {
    P params;
    params.window = window;
    params.timeout = 20_us;
    return params;
}

template <class F>
void for_each_protocol(std::uint32_t window, F&& f) {
    for_each_kind(reliabilities, [&]<class P>(const Kind<P>& kind) {
        if constexpr (std::derived_from<P, RetransmissionParams>) f(kind.name, protocol<P>(window));
    });
}

TEST(EveryProtocol, DeliversAllExactlyOnceAndInOrderWhateverIsLostOrOvertaken) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        std::mt19937_64 random(seed);
        const auto window = std::uniform_int_distribution<std::uint32_t>(1, 40)(random);
        const Channel channel{std::uniform_real_distribution<>(0, 0.6)(random), 1_us, seed % 2 == 0 ? 1_us : 6_us};
        const auto packets = std::uniform_int_distribution<std::uint64_t>(1, 300)(random);
        for_each_protocol(window, [&](std::string_view name, const Reliability& reliability) {
            const Delivery d = FlowOverChannel(reliability, channel, packets, seed).run();
            EXPECT_TRUE(d.ended) << name << " seed " << seed;
            EXPECT_EQ(d.delivered, packets) << name << " seed " << seed;
            EXPECT_TRUE(d.in_order) << name << " seed " << seed;
            EXPECT_LE(d.most_on_the_way, window) << name << " seed " << seed;
        });
    }
}

TEST(EveryProtocol, SendsNothingTwiceOverAChannelWithoutLossAndWithoutOvertaking) {
    for (const std::uint32_t window : {1u, 7u, 256u})
        for_each_protocol(window, [&](std::string_view name, const Reliability& reliability) {
            EXPECT_EQ(FlowOverChannel(reliability, {0, 2_us, 2_us}, 500, 1).run().sent, 500u) << name;
        });
}

TEST(SelectiveRepeat, SendsLessThanGoBackNOverTheSameLoss) {
    for (const double loss : {0.01, 0.05, 0.2}) {
        const Channel channel{loss, 2_us, 2_us};
        const auto sent = [&](const Reliability& r) { return FlowOverChannel(r, channel, 2000, 3).run().sent; };
        EXPECT_LT(sent(protocol<SelectiveParams>(64)), sent(protocol<GoBackNParams>(64))) << loss;
    }
}

TEST(EndToEndRepair, IsWhatTheProtocolsWithAnswersDo) {
    for_each_kind(reliabilities, []<class P>(const Kind<P>& kind) {
        EXPECT_EQ(is_end_to_end(P{}), (std::derived_from<P, RetransmissionParams>)) << kind.name;
        const Protocol ends = make_protocol(P{});
        EXPECT_EQ(ends.receiver->received(0).answer.has_value(), is_end_to_end(P{})) << kind.name;
    });
}

TEST(WithoutRepair, AReceiverTakesNothingBehindALoss) {
    const Protocol ends = make_protocol(UnreliableParams{});
    EXPECT_EQ(ends.receiver->received(0).delivered, 1u);
    EXPECT_EQ(ends.receiver->received(2).delivered, 0u);
    EXPECT_EQ(ends.receiver->received(3).delivered, 0u);
}

}   // namespace
}   // namespace oscar::protocol_law_test

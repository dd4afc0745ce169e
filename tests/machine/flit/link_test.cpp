// A link by itself: what comes out of either end, and when.
#include "models/machine/flit/link.hpp"

#include <gmock/gmock.h>

namespace oscar {

using namespace literals;

namespace {

using ::testing::ElementsAre;

struct Ends : FlitSink, CreditSink, LinkObserver {
    std::vector<std::tuple<std::uint64_t, Time, Time>> flits;   ///< number, begin, end
    std::vector<std::tuple<int, std::uint64_t, Time>> credits;
    std::vector<Span> crossings;
    std::vector<Time> returns;
    void put(const Flit& flit, ExactTime begin, ExactTime end) override {
        flits.emplace_back(flit.number, begin.rounded_up(), end.rounded_up());
    }
    void give_back(std::uint8_t channel, Bytes size, Time at) override {
        credits.emplace_back(channel, size.count, at);
    }
    void crossed(const Flit&, Span span) override { crossings.push_back(span); }
    void returned(Time at) override { returns.push_back(at); }
};

struct ALink : ::testing::Test {
    Ends ends;
    Link link{"link", 100_ns, ends};

    ALink() {
        link.out.bind(ends);
        link.credit.bind(ends);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    void put(std::uint64_t number, bool tail, Time begin, Time end) {
        Flit flit;
        flit.number = number, flit.tail = tail;
        link.in->put(flit, ExactTime{begin}, ExactTime{end});
    }
};

TEST_F(ALink, BringsFlitsOnePropagationLater) {
    put(0, false, 10_ns, 12_ns);
    put(1, true, 15_ns, 16_ns);
    EXPECT_THAT(ends.flits, ElementsAre(std::tuple(0u, 110_ns, 112_ns), std::tuple(1u, 115_ns, 116_ns)));
}

TEST_F(ALink, IsBusyFromAPacketsFirstBitToItsLastAtTheSender) {
    put(0, false, 10_ns, 12_ns);
    EXPECT_THAT(ends.crossings, ElementsAre());
    put(1, true, 15_ns, 16_ns);
    put(0, true, 20_ns, 21_ns);
    EXPECT_THAT(ends.crossings, ElementsAre(Span{10_ns, 16_ns}, Span{20_ns, 21_ns}));
}

TEST_F(ALink, BringsCreditsBackOnePropagationLater) {
    link.returns->give_back(2, 500_B, 30_ns);
    EXPECT_THAT(ends.credits, ElementsAre(std::tuple(2, 500u, 130_ns)));
    EXPECT_THAT(ends.returns, ElementsAre(130_ns));
}

}   // namespace
}   // namespace oscar

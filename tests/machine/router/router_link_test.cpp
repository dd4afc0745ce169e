// A link of a router by itself: what comes out of either end, and when.
#include "models/machine/router/router_link.hpp"

#include <gmock/gmock.h>

namespace oscar {

using namespace literals;

namespace {

using ::testing::ElementsAre;

struct Ends : VcFlitSink, CreditSink, RouterLinkObserver {
    std::vector<std::tuple<int, int, Time, Time>> flits;   ///< VC, sequence, begin, end
    std::vector<std::tuple<int, std::uint64_t, Time>> credits;
    std::vector<std::tuple<EdgeId, int, Time, Time>> crossings;
    void put(std::uint8_t vc, const RouterFlit& flit, Time begin, Time end) override {
        flits.emplace_back(vc, flit.sequence, begin, end);
    }
    void give_back(std::uint8_t vc, Bytes size, Time at) override { credits.emplace_back(vc, size.count, at); }
    void crossed(EdgeId edge, const RouterFlit& flit, Time begin, Time end) override {
        crossings.emplace_back(edge, flit.sequence, begin, end);
    }
};

struct ARouterLink : ::testing::Test {
    Ends ends;
    Waveform waveform{{}};
    RouterLink link{"link", EdgeId{17}, 128_ns, ends, &waveform};
    ARouterLink() {
        link.out.bind(ends);
        link.credit.bind(ends);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
};

TEST_F(ARouterLink, BringsFlitsOfAnyVcsOnePropagationLater) {
    link.in->put(3, {.sequence = 0}, 64_ns, 128_ns);
    link.in->put(1, {.sequence = 5}, 128_ns, 192_ns);
    EXPECT_THAT(ends.flits, ElementsAre(std::tuple(3, 0, 192_ns, 256_ns), std::tuple(1, 5, 256_ns, 320_ns)));
}

TEST_F(ARouterLink, ShowsEachFlitAtItsSender) {
    link.in->put(3, {.sequence = 7}, 64_ns, 128_ns);
    EXPECT_THAT(ends.crossings, ElementsAre(std::tuple(EdgeId{17}, 7, 64_ns, 128_ns)));
}

TEST_F(ARouterLink, BringsCreditsBackOnePropagationLater) {
    link.returns->give_back(2, 64_B, 30_ns);
    EXPECT_THAT(ends.credits, ElementsAre(std::tuple(2, 64u, 158_ns)));
}

TEST_F(ARouterLink, IsBusyInAWaveformWhileFlitsAreOnIt) {
    link.in->put(0, {}, 64_ns, 128_ns);
    link.in->put(0, {}, 128_ns, 192_ns);
    link.in->put(0, {}, 256_ns, 320_ns);
    const auto signals = waveform.signals({});
    ASSERT_EQ(signals.size(), 1u);
    EXPECT_THAT(signals[0].changes, ElementsAre(SignalChange{{}, 0}, SignalChange{64_ns, 1}, SignalChange{192_ns, 0},
                                                SignalChange{256_ns, 1}, SignalChange{320_ns, 0}));
}

}   // namespace
}   // namespace oscar

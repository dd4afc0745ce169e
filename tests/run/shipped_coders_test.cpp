// Every coder on every shipped trace: real gradients through all timesteps of a ring.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/parameters/parameters.hpp"
#include "tests/collective/support.hpp"
#include "tests/run/shipped_codes.hpp"

namespace oscar::shipped_coders_test {
namespace {

void expect_exact_sums(const Codec& codec, const std::vector<IterationCodes>& iterations) {
    const Plan plan(make_schedule(RingParams{}, test::shipped_ranks), ElementType::integer, 8);
    auto rank_states = test::make_endpoints(plan, codec);
    for (const IterationCodes& codes : iterations) {
        test::begin(rank_states, codes.codes, plan, static_cast<std::uint8_t>(codes.position));
        run_reference(plan.schedule, rank_states);
        for (RankState& rank_state : rank_states) {
            EXPECT_TRUE(std::ranges::equal(rank_state.values().all(), codes.sum)) << "position " << codes.position;
            rank_state.commit();
        }
    }
}

TEST(ShippedTraces, GoThroughEveryCoderWithExactSums) {
    const std::size_t traces = test::for_each_shipped_trace([](const std::string& trace, const auto& iterations) {
        for_each_kind(codecs, [&]<class P>(const Kind<P>& kind) {
            SCOPED_TRACE(trace + ", " + std::string(kind.name));
            expect_exact_sums(*make_codec(CodecChoice(P{}), EngineParams{}.framing()), iterations);
        });
    });
    EXPECT_GE(traces, 5u);
}

}   // namespace
}   // namespace oscar::shipped_coders_test

// Every coder on every shipped trace: real gradients through all timesteps of a ring.
#include <gtest/gtest.h>

#include <algorithm>

#include "models/codec/split.hpp"
#include "sim/codes.hpp"
#include "sim/parameters.hpp"
#include "tests/collective/support.hpp"

namespace oscar {
namespace {

constexpr std::uint32_t ranks = 8;

/// The codes of the last unbroken run of a trace.
std::vector<IterationCodes> late_codes(const std::filesystem::path& folder) {
    const Trace trace = Trace::open(folder);
    const Replay replay(trace, ranks, choose_layers(trace.manifest(), ""));
    CodeSource source(replay, PercentileParams{});
    auto first = static_cast<std::uint32_t>(trace.iterations()) - 1;
    while (trace.follows(first)) --first;
    std::vector<IterationCodes> result;
    for (std::uint32_t position = first; position < trace.iterations(); ++position)
        result.push_back(source.next(position));
    return result;
}

void expect_exact_sums(const Codec& codec, const std::vector<IterationCodes>& iterations) {
    const Plan plan(make_schedule(RingParams{}, ranks), Number::integer, 8);
    auto endpoints = test::make_endpoints(plan, codec);
    for (const IterationCodes& codes : iterations) {
        test::begin(endpoints, codes.codes, plan, static_cast<std::uint8_t>(codes.position));
        run_reference(plan.schedule, endpoints);
        for (Endpoint& endpoint : endpoints) {
            EXPECT_TRUE(std::ranges::equal(endpoint.values(), codes.sum)) << "position " << codes.position;
            endpoint.commit();
        }
    }
}

TEST(ShippedTraces, GoThroughEveryCoderWithExactSums) {
    std::size_t traces = 0;
    for (const auto& entry : std::filesystem::directory_iterator("traces")) {
        if (!entry.is_directory()) continue;
        const auto iterations = late_codes(entry.path());
        for_each_kind(codecs, [&]<class P>(const Kind<P>& kind) {
            SCOPED_TRACE(entry.path().filename().string() + ", " + std::string(kind.name));
            expect_exact_sums(*make_codec(CodecChoice(P{}), EngineParams{}.framing()), iterations);
        });
        ++traces;
    }
    EXPECT_GE(traces, 5u);
}

}   // namespace
}   // namespace oscar

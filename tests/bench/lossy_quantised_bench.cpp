// How fast one thread quantises a gradient of 16 M elements.
#include <benchmark/benchmark.h>

#include <vector>

#include "models/compress/lossy/magnitudes.hpp"
#include "models/compress/lossy/stochastic_rounding.hpp"

namespace {

using namespace oscar;

constexpr std::size_t elements = std::size_t{1} << 24;

/// Triangular between -1 and 1.
const std::vector<float>& gradient() {
    static const std::vector<float> values = [] {
        std::vector<float> made(elements);
        for (std::size_t i = 0; i < elements; ++i) made[i] = static_cast<float>(uniform_at(1, i) - uniform_at(2, i));
        return made;
    }();
    return values;
}

void counted(benchmark::State& state) {
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(elements));
}

void BM_MaxMagnitude(benchmark::State& state) {
    const auto& values = gradient();
    for (auto _ : state) benchmark::DoNotOptimize(max_magnitude(values));
    counted(state);
}
BENCHMARK(BM_MaxMagnitude);

void BM_L2Norm(benchmark::State& state) {
    const auto& values = gradient();
    for (auto _ : state) benchmark::DoNotOptimize(l2_norm(values));
    counted(state);
}
BENCHMARK(BM_L2Norm);

void BM_RoundStochastically(benchmark::State& state) {
    const auto bucket = static_cast<std::uint64_t>(state.range(0));
    const std::vector<LevelScale> scales(elements / bucket, level_scale(127, 4));
    std::vector<std::int8_t> codes(elements);
    const auto& values = gradient();
    for (auto _ : state) {
        round_stochastically(values, {scales, bucket, 127}, 3, codes);
        benchmark::DoNotOptimize(codes.data());
    }
    counted(state);
}
BENCHMARK(BM_RoundStochastically)->Arg(128)->Arg(elements);

}   // namespace

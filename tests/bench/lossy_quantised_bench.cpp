// How fast one thread quantises a gradient of 16 M elements.
#include <benchmark/benchmark.h>

#include <vector>

#include "models/compressor/base/norms.hpp"
#include "models/compressor/base/stochastic_rounding.hpp"
#include "models/compressor/quantised/hadamard.hpp"
#include "models/compressor/quantised/inceptionn.hpp"
#include "models/compressor/quantised/low_rank.hpp"
#include "models/compressor/quantised/one_bit.hpp"
#include "models/compressor/quantised/thc_rounding.hpp"

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

void BM_BucketNorms(benchmark::State& state) {
    const auto values = std::span(gradient());
    for (auto _ : state)
        for (std::size_t begin = 0; begin < elements; begin += 128)
            benchmark::DoNotOptimize(l2_norm(values.subspan(begin, 128)));
    counted(state);
}
BENCHMARK(BM_BucketNorms);

void BM_StandardDeviation(benchmark::State& state) {
    const auto& values = gradient();
    for (auto _ : state) benchmark::DoNotOptimize(standard_deviation(values));
    counted(state);
}
BENCHMARK(BM_StandardDeviation);

template <SignMeaning (*meaning)(std::span<const float>)>
void BM_Signs(benchmark::State& state) {
    const auto& values = gradient();
    std::vector<float> out(elements);
    for (auto _ : state) {
        replace_signs(values, meaning(values), out);
        benchmark::DoNotOptimize(out.data());
    }
    counted(state);
}
BENCHMARK(BM_Signs<means_by_sign>);
BENCHMARK(BM_Signs<mean_magnitude_by_sign>);

void BM_Rotate(benchmark::State& state) {
    std::vector<float> values = gradient();
    for (auto _ : state) {
        rotate(values, 1024, 1);
        benchmark::DoNotOptimize(values.data());
    }
    counted(state);
}
BENCHMARK(BM_Rotate);

void BM_ThcRounding(benchmark::State& state) {
    const ThcRounding round(make_thc_table(4, 30, 1.0 / 32));
    std::vector<std::uint8_t> levels(elements);
    const auto& values = gradient();
    for (auto _ : state) {
        round(values, 1, 1, 3, levels);
        benchmark::DoNotOptimize(levels.data());
    }
    counted(state);
}
BENCHMARK(BM_ThcRounding);

void BM_Inceptionn(benchmark::State& state) {
    const auto& values = gradient();
    std::vector<float> out(elements);
    for (auto _ : state) benchmark::DoNotOptimize(cut(values, InceptionnParams{}, out));
    counted(state);
}
BENCHMARK(BM_Inceptionn);

/// Rank 4 of a square matrix: one product of each kind, Gram-Schmidt between them.
void BM_PowerIteration(benchmark::State& state) {
    constexpr std::uint64_t side = std::uint64_t{1} << 12;
    const auto& values = gradient();
    const Columns right = random_columns(side, 4, 1);
    for (auto _ : state) {
        Columns left = times(values, side, right);
        orthonormalise(left, 2);
        benchmark::DoNotOptimize(transposed_times(values, side, left).values.data());
    }
    counted(state);
}
BENCHMARK(BM_PowerIteration);

}   // namespace

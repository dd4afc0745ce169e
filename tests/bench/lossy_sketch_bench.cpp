// Speed of the sketches on a gradient of 16 Mi elements, one thread. Items are elements.
#include <benchmark/benchmark.h>

#include <vector>

#include "models/compressor/sketch/count_sketch.hpp"
#include "models/compressor/sketch/lhc_index.hpp"
#include "models/compressor/sketch/lhc_sketch.hpp"
#include "models/core/random.hpp"

namespace oscar {
namespace {

constexpr std::uint64_t elements = 1 << 24;
constexpr double ratio = 10;

/// One element in `spacing` is not zero.
std::vector<float> gradient(std::uint64_t spacing) {
    std::vector<float> values(elements);
    for (std::uint64_t i = 0; i < elements; ++i)
        if (random_at(1, i) % spacing == 0) values[i] = static_cast<float>(uniform_at(2, i) - 0.5);
    return values;
}

void items(benchmark::State& state) {
    state.SetItemsProcessed(static_cast<std::int64_t>(static_cast<std::uint64_t>(state.iterations()) * elements));
}

SketchHash hash_of(const benchmark::State& state) {
    const auto rows = static_cast<std::uint32_t>(state.range(0));
    return {elements, {rows, static_cast<std::uint32_t>(elements / ratio / rows), 1}, 42};
}

void count_sketch_encode(benchmark::State& state) {
    const auto values = gradient(1);
    CountSketch<float> sketch(hash_of(state));
    for (auto _ : state) sketch.add(values);
    items(state);
}
BENCHMARK(count_sketch_encode)->Arg(1)->Arg(3)->Arg(5)->Unit(benchmark::kMillisecond);

void count_sketch_estimates(benchmark::State& state) {
    CountSketch<float> sketch(hash_of(state));
    sketch.add(gradient(1));
    for (auto _ : state) benchmark::DoNotOptimize(sketch.estimates());
    items(state);
}
BENCHMARK(count_sketch_estimates)->Arg(3)->Arg(5)->Unit(benchmark::kMillisecond);

void count_sketch_largest(benchmark::State& state) {
    CountSketch<float> sketch(hash_of(state));
    sketch.add(gradient(1));
    for (auto _ : state) benchmark::DoNotOptimize(unsketch_largest(sketch, elements / 100));
    items(state);
}
BENCHMARK(count_sketch_largest)->Arg(3)->Unit(benchmark::kMillisecond);

void lhc_index(benchmark::State& state) {
    const auto values = gradient(20);
    const auto merge = static_cast<IndexMerge>(state.range(0));
    for (auto _ : state) benchmark::DoNotOptimize(make_index(std::span<const float>(values), merge));
    items(state);
}
BENCHMARK(lhc_index)
    ->Arg(static_cast<int>(IndexMerge::bitwise_or))
    ->Arg(static_cast<int>(IndexMerge::sum_nibble))
    ->Unit(benchmark::kMillisecond);

template <class Cell>
void lhc_encoding(benchmark::State& state) {
    const auto sparse = gradient(20);
    std::vector<Cell> values(elements);
    for (std::size_t i = 0; i < elements; ++i) values[i] = static_cast<Cell>(sparse[i] * 1000);
    const LhcShape shape = lhc_shape(elements, ratio, 1024);
    std::vector<Cell> cells(shape.cells());
    for (auto _ : state) {
        lhc_encode(shape, std::span<const Cell>(values), std::span<Cell>(cells));
        benchmark::ClobberMemory();
    }
    items(state);
}
BENCHMARK(lhc_encoding<float>)->Unit(benchmark::kMillisecond);
BENCHMARK(lhc_encoding<std::int32_t>)->Unit(benchmark::kMillisecond);

void lhc_decoding(benchmark::State& state) {
    const auto values = gradient(20);   // load 0.5
    const LhcShape shape = lhc_shape(elements, ratio, 1024);
    std::vector<float> cells(shape.cells());
    lhc_encode(shape, std::span<const float>(values), std::span<float>(cells));
    const auto index = make_index(std::span<const float>(values), IndexMerge::bitwise_or);
    for (auto _ : state)
        benchmark::DoNotOptimize(
            lhc_decode(shape, cells, listed_elements(index, elements, IndexMerge::bitwise_or), false));
    items(state);
}
BENCHMARK(lhc_decoding)->Unit(benchmark::kMillisecond);

}   // namespace
}   // namespace oscar

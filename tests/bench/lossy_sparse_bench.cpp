// Selections out of a gradient of 16 M elements with heavy tails, single thread: elements per second.
#include <benchmark/benchmark.h>

#include <cmath>

#include "models/compressor/base/magnitude.hpp"
#include "models/compressor/sparse/selectors.hpp"
#include "models/core/random.hpp"

namespace oscar {
namespace {

constexpr std::size_t elements = std::size_t{1} << 24;

/// Log-normal magnitudes with random signs.
const std::vector<float>& gradient() {
    static const std::vector<float> values = [] {
        std::vector<float> result(elements);
        for (std::size_t i = 0; i < elements; ++i) {
            const double radius = std::sqrt(-2 * std::log(1 - uniform_at(1, 2 * i)));
            const double normal = radius * std::cos(6.283185307179586 * uniform_at(1, 2 * i + 1));
            result[i] = static_cast<float>((random_at(2, i) & 1 ? 1 : -1) * std::exp(2 * normal));
        }
        return result;
    }();
    return values;
}

void count(benchmark::State& state) {
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * elements));
}

void largest(benchmark::State& state) {
    const std::vector<float>& values = gradient();
    const auto k = elements / static_cast<std::size_t>(state.range(0));
    for (auto _ : state) benchmark::DoNotOptimize(largest_positions(values, k));
    count(state);
}
BENCHMARK(largest)->Name("top_k: factor")->Arg(2)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);

void largest_of_equal(benchmark::State& state) {
    const std::vector<float> ones(elements, 1);
    for (auto _ : state) benchmark::DoNotOptimize(largest_positions(ones, elements / 10));
    count(state);
}
BENCHMARK(largest_of_equal)->Name("top_k of equal magnitudes")->Unit(benchmark::kMillisecond);

/// Each selection of the family at a factor of 100.
template <class P>
void selection(benchmark::State& state) {
    const SelectionInput input{gradient(), 100, 1};
    const Selector selector(P{});
    for (auto _ : state) {
        ComputeCost operations;
        benchmark::DoNotOptimize(select(selector, input, operations));
    }
    count(state);
}
BENCHMARK(selection<RandomKSelect>)->Name("random_k")->Unit(benchmark::kMillisecond);
BENCHMARK(selection<DgcSelect>)->Name("dgc")->Unit(benchmark::kMillisecond);
BENCHMARK(selection<DgcLiteSelect>)->Name("dgc_lite")->Unit(benchmark::kMillisecond);
BENCHMARK(selection<RedSyncSelect>)->Name("redsync")->Unit(benchmark::kMillisecond);
BENCHMARK(selection<TrimmedTopKSelect>)->Name("redsync_trimmed")->Unit(benchmark::kMillisecond);
BENCHMARK(selection<SidcoSelect>)->Name("sidco")->Unit(benchmark::kMillisecond);

/// A factor of 10, and then of 100: of the whole twice, or of what the first left.
void levels(benchmark::State& state) {
    const bool again = state.range(0) != 0;
    const Selector top_k(TopKSelect{});
    for (auto _ : state) {
        ComputeCost operations;
        const SelectionInput input{gradient(), 10, 1};
        const Positions first = select(top_k, input, operations);
        benchmark::DoNotOptimize(again ? select_again(top_k, input, first, 100, operations)
                                       : select(top_k, {gradient(), 1000, 1}, operations));
    }
    count(state);
}
BENCHMARK(levels)
    ->Name("two levels of top_k: of the compressed")
    ->ArgName("")
    ->Arg(0)
    ->Arg(1)
    ->Unit(benchmark::kMillisecond);

}   // namespace
}   // namespace oscar

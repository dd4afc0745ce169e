// Selections out of a gradient of 16 M elements with heavy tails, single thread: elements per second.
#include <benchmark/benchmark.h>

#include <cmath>

#include "models/compress/lossy/magnitude.hpp"
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
BENCHMARK(largest)->Name("top_k: factor")->Arg(1)->Arg(2)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);

void largest_of_equal(benchmark::State& state) {
    const std::vector<float> ones(elements, 1);
    for (auto _ : state) benchmark::DoNotOptimize(largest_positions(ones, elements / 10));
    count(state);
}
BENCHMARK(largest_of_equal)->Name("top_k of equal magnitudes")->Unit(benchmark::kMillisecond);

}   // namespace
}   // namespace oscar

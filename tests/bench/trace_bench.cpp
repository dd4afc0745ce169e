// Reading a trace from the page cache: bytes per second of opening an iteration with its check for NaN and infinities,
// and of adding up its values afterwards.
#include <benchmark/benchmark.h>

#include <unistd.h>
#include <filesystem>
#include <string>

#include "sim/trace/new_trace.hpp"
#include "sim/trace/trace.hpp"

namespace oscar {
namespace {

constexpr std::uint32_t ranks = 8;
constexpr std::uint64_t elements = std::uint64_t{1} << 22;   // 128 MiB of fp32

/// A trace of one iteration of ones that is gone with the object.
class OnesTrace {
public:
    explicit OnesTrace(ValueType type)
        : folder_(std::filesystem::temp_directory_path() / ("oscar-trace-bench-" + std::to_string(::getpid()))) {
        NewFolder folder(folder_);
        {
            NewArray array(folder.path() / iteration_file(0), type == ValueType::f4 ? "<f4" : "<f2", type, ranks,
                           elements);
            const std::vector<float> ones(elements, 1);
            const std::vector<std::uint16_t> halves(elements, half_of_float(1));
            for (std::uint32_t rank = 0; rank < ranks; ++rank)
                array.put(rank, 0,
                          type == ValueType::f4 ? std::as_bytes(std::span(ones)) : std::as_bytes(std::span(halves)));
        }
        TraceManifest manifest;
        manifest.parameters = elements;
        manifest.ranks = ranks;
        manifest.layers.push_back({"ones", {elements}, {}});
        manifest.iterations.emplace_back().file = iteration_file(0);
        folder.write_text("trace.yaml", manifest_text(manifest));
        folder.commit();
    }
    OnesTrace(const OnesTrace&) = delete;
    OnesTrace& operator=(const OnesTrace&) = delete;
    ~OnesTrace() { std::filesystem::remove_all(folder_); }
    const std::filesystem::path& folder() const { return folder_; }

private:
    std::filesystem::path folder_;
};

void open_and_check(benchmark::State& state, ValueType type) {
    const OnesTrace ones(type);
    const Trace trace = Trace::open(ones.folder());
    for (auto _ : state) benchmark::DoNotOptimize(trace.iteration(0).gradient(Rank{0}).data());
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                            static_cast<std::int64_t>(ranks * elements * bytes_of(type)));
}

void open_check_and_sum(benchmark::State& state, ValueType type) {
    const OnesTrace ones(type);
    const Trace trace = Trace::open(ones.folder());
    for (auto _ : state) {
        const IterationView view = trace.iteration(0);
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            float lanes[16]{};   // so that the additions are not one chain
            const std::span<const float> values = view.gradient(Rank{rank});
            for (std::size_t i = 0; i < values.size(); i += 16)
                for (std::size_t lane = 0; lane < 16; ++lane) lanes[lane] += values[i + lane];
            benchmark::DoNotOptimize(lanes);
        }
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                            static_cast<std::int64_t>(ranks * elements * bytes_of(type)));
}

BENCHMARK_CAPTURE(open_and_check, fp32, ValueType::f4)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(open_and_check, fp16, ValueType::f2)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(open_check_and_sum, fp32, ValueType::f4)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(open_check_and_sum, fp16, ValueType::f2)->Unit(benchmark::kMillisecond);

}   // namespace
}   // namespace oscar

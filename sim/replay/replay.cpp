#include "sim/replay/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

namespace oscar {
namespace {

/// The values of the runs, one after the other.
std::vector<float> values_of(const IterationView& view, Rank rank, std::span<const Run> runs) {
    std::uint64_t count = 0;
    for (const Run& run : runs) count += run.count;
    std::vector<float> values;
    values.reserve(count);
    for (const Run& run : runs) view.append_to(values, rank, run.from, run.count);
    return values;
}

/// Throws the TraceError of the first value of the runs that is NaN or infinite; each row is read once, however many
/// ranks show it.
void check_finite(const Trace& trace, const std::map<std::size_t, NpyArray>& arrays, std::vector<CapturedRow> rows,
                  std::span<const Run> runs, const ParallelFor& parallel) {
    const auto place = [](CapturedRow row) { return std::pair(row.position, row.row); };
    std::ranges::sort(rows, {}, place);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    parallel(rows.size(), [&](std::size_t i) {
        const NpyArray& array = arrays.at(rows[i].position);
        for (const Run& run : runs)
            trace.check_finite(array, array.bytes(rows[i].row.value, run.from, run.count), rows[i].position);
    });
}

}   // namespace

std::vector<std::vector<std::size_t>> layers_of_buckets(const TraceManifest& manifest,
                                                        std::span<const std::size_t> layers,
                                                        const BucketParams& params) {
    const auto offsets = layer_offsets(manifest);
    std::vector<std::uint64_t> sizes;
    for (const std::size_t l : layers) sizes.push_back(offsets[l + 1] - offsets[l]);
    auto buckets = make_buckets(sizes, params);
    for (auto& bucket : buckets)
        for (std::size_t& tensor : bucket) tensor = layers[tensor];
    return buckets;
}

std::vector<std::size_t> layers_of_bucket(const TraceManifest& manifest, std::span<const std::size_t> layers,
                                          const BucketChoice& bucket) {
    const auto buckets = layers_of_buckets(manifest, layers, bucket);
    if (bucket.index >= buckets.size())
        throw std::out_of_range(fmt::format("index {}, but the layers fill {} bucket{} of this size; choose 0 to {}",
                                            bucket.index, buckets.size(), buckets.size() == 1 ? "" : "s",
                                            buckets.size() - 1));
    return buckets[bucket.index];
}

Replay::Replay(const Trace& trace, std::uint32_t ranks, std::vector<std::size_t> layers)
    : trace_(trace),
      ranks_(ranks),
      runs_(runs_of(trace.layer_offsets(), layers)),
      tensors_(tensors_of(trace.layer_offsets(), layers)) {}

std::vector<std::vector<float>> Replay::gradients(std::uint32_t position, const ParallelFor& parallel) const {
    const auto rows = resampled_rows(trace_, position, ranks_);
    std::map<std::size_t, NpyArray> arrays;
    for (const CapturedRow& row : rows)
        if (!arrays.contains(row.position)) arrays.emplace(row.position, trace_.array(row.position));
    check_finite(trace_, arrays, rows, runs_, parallel);
    std::map<std::size_t, IterationView> views;
    for (auto& [at, array] : arrays) views.emplace(at, IterationView(std::move(array), trace_.scale(at)));
    std::vector<std::vector<float>> result(ranks_);
    parallel(ranks_, [&](std::size_t r) { result[r] = values_of(views.at(rows[r].position), rows[r].row, runs_); });
    return result;
}

}   // namespace oscar

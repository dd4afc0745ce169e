#include "sim/checks/trace.hpp"

#include <limits>
#include <stdexcept>

#include "sim/config/find.hpp"
#include "sim/replay/replay.hpp"
#include "sim/trace/find_trace.hpp"
#include "sim/trace/layer_choice.hpp"

namespace oscar {
namespace {

using Layers = std::vector<std::size_t>;

std::vector<Layers> chosen_buckets(const Experiment& experiment, const TraceManifest& manifest) {
    const Parameters& p = experiment.parameters;
    Layers layers;
    try {
        layers = choose_layers(manifest, p.layers);
    } catch (const std::invalid_argument& error) {
        experiment.source.child("layers").fail(error.what());
    }
    if (p.step) return layers_of_buckets(manifest, layers, p.step->buckets);
    try {
        return {p.bucket ? layers_of_bucket(manifest, layers, *p.bucket) : layers};
    } catch (const std::out_of_range& error) {
        experiment.source.child("bucket").fail(error.what());
    }
}

void check_bucket_size(const Experiment& experiment, std::uint64_t values) {
    if (values <= std::numeric_limits<std::int32_t>::max()) return;
    const bool step = experiment.parameters.step.has_value();
    experiment.source.child(step ? "step" : "bucket")
        .fail(std::to_string(values) + " values in one AllReduce; " +
              (step ? "make buckets smaller, or leave out the largest of the layers"
                    : "choose a bucket, like {size: 25MiB, index: 0}"));
}

}   // namespace

std::filesystem::path find_trace(const Experiment& experiment) {
    const std::filesystem::path path = experiment.parameters.trace;
    const ConfigNode node = experiment.source.child("trace");
    for (const std::filesystem::path& file : {experiment.file, std::filesystem::path(node.location.source)})
        if (auto found = find_trace_beside(path, file)) return *found;
    for (const std::filesystem::path& file : {experiment.file, std::filesystem::path(node.location.source)})
        if (const auto other = find_beside(path, file)) node.fail(why_no_trace(*other, places_beside()));
    node.fail(why_no_trace(path, places_beside()));
}

void check_iterations(const Experiment& experiment, const TraceManifest& manifest) {
    const IterationRange& iterations = experiment.parameters.iterations;
    const std::uint64_t captured = manifest.iterations.size();
    const std::uint64_t end = std::uint64_t{iterations.first} + iterations.count;
    if (end > captured)
        experiment.source.child("iterations")
            .fail("positions " + std::to_string(iterations.first) + " to " + std::to_string(end - 1) +
                  " are wanted, but the trace has 0 to " + std::to_string(captured - 1) + "; lower first or count");
}

std::vector<Layers> checked_buckets(const Experiment& experiment, const TraceManifest& manifest) {
    std::vector<Layers> buckets = chosen_buckets(experiment, manifest);
    for (const Layers& layers : buckets) check_bucket_size(experiment, elements_of(manifest, layers));
    return buckets;
}

std::uint64_t elements_of(const TraceManifest& manifest, const Layers& layers) {
    const auto offsets = layer_offsets(manifest);
    std::uint64_t values = 0;
    for (const std::size_t l : layers) values += offsets[l + 1] - offsets[l];
    return values;
}

}   // namespace oscar

#include "sim/run/live_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/config/error.hpp"
#include "sim/parameters/nccl.hpp"
#include "sim/parameters/nodes.hpp"
#include "sim/parameters/tensor_shapes.hpp"
#include "sim/report/statistics.hpp"

namespace oscar {
namespace {

TraceManifest manifest_of(const Experiment& experiment, std::vector<TraceLayer> layers) {
    ready_by_size(layers);
    TraceManifest manifest;
    manifest.name = experiment.parameters.experiment;
    manifest.ranks = experiment.parameters.ranks;
    manifest.layers = std::move(layers);
    manifest.parameters = layer_offsets(manifest).back();
    return manifest;
}

const Experiment& checked(const Experiment& experiment) {
    check_for_live(experiment);
    return experiment;
}

Time backward_of(const std::optional<StepCompute>& compute) { return compute ? compute->backward : Time{}; }

}   // namespace

void check_for_live(const ConfigNode& experiment) {
    for (const char* key : {"trace", "iterations", "layers", "bucket"})
        if (const ConfigNode* entry = experiment.find(key))
            entry->fail_at_key("belongs to a trace, in whose place the gradients of a training come; leave it out");
    if (const ConfigNode payload = experiment.child("payload"); payload.text == "synthetic")
        payload.fail("synthetic carries no values, of which a training wants the mean; leave it out");
}

void check_for_live(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    if (p.methods.size() != 1)
        experiment.source.child("methods").fail(
            "a training goes on with the mean of one method; leave out all methods but one");
    if (nccl_in(p) != nullptr)
        experiment.source.child("collective")
            .fail("nccl chooses by the bytes of a trace or of a size; write ring or hierarchical for a training");
    if (p.step && !p.step->backward)
        experiment.source.child("step").fail(
            "no capture tells how long the backward pass takes; write it like step: {backward: 2.8ms}");
}

void ready_by_size(std::vector<TraceLayer>& layers) {
    constexpr double pass_ps = 1e12;
    const auto values = [](const TraceLayer& layer) {
        double count = 1;
        for (const std::uint64_t size : layer.shape) count *= static_cast<double>(size);
        return count;
    };
    double all = 0, behind = 0;
    for (const TraceLayer& layer : layers) all += values(layer);
    for (std::size_t l = layers.size(); l-- > 0;) {
        behind += values(layers[l]);
        layers[l].ready = Time{std::llround(pass_ps * behind / all)};
    }
}

LiveRun::LiveRun(const Experiment& experiment, std::vector<TraceLayer> layers)
    : experiment_(checked(experiment)),
      manifest_(manifest_of(experiment_, std::move(layers))),
      prepared_(prepare(experiment_, manifest_)),
      routes_(prepared_.topology, experiment_.parameters.network.routing,
              experiment_.parameters.network.virtual_channels),
      machine_("machine", prepared_.topology, nodes_of(experiment_.parameters), experiment_.parameters.network,
               experiment_.parameters.fidelity),
      elements_(manifest_.parameters) {
    std::vector<std::uint64_t> sizes;
    for (const auto& of_bucket : prepared_.buckets) {
        add_bucket(of_bucket);
        sizes.push_back(buckets_.back().setting.elements());
    }
    step_ = step_setting(experiment_.parameters, prepared_.compute, sizes, machine_);
}

void LiveRun::add_bucket(std::span<const std::size_t> layers) {
    const Parameters& p = experiment_.parameters;
    BucketSetting setting{p,
                          routes_,
                          tensor_shapes(manifest_, layers),
                          seed_of(p, buckets_.size()),
                          backward_of(prepared_.compute),
                          serial_for};
    CodeSource codes = make_codes(setting);
    buckets_.push_back({std::move(setting), runs_of(layer_offsets(manifest_), layers), {}, std::move(codes)});
    buckets_.back().method.push_back(make_method(buckets_.back().setting, p.methods.front()));
}

void LiveRun::check_finite(std::span<const std::vector<float>> gradients) const {
    for (std::size_t rank = 0; rank < gradients.size(); ++rank) {
        const auto& values = gradients[rank];
        const auto bad = std::ranges::find_if_not(values, [](float value) { return std::isfinite(value); });
        if (bad != values.end())
            throw InputError(fmt::format("step {}: element {} of rank {} is {}; a gradient holds finite values only",
                                         position_ + 1, bad - values.begin(), rank, *bad));
    }
}

void LiveRun::check_mean(std::span<const float> mean) const {
    const auto bad = std::ranges::find_if_not(mean, [](float value) { return std::isfinite(value); });
    if (bad != mean.end())
        throw InputError(fmt::format("method {}: in step {} the mean of element {} is {}",
                                     experiment_.parameters.methods.front().name, position_ + 1, bad - mean.begin(),
                                     *bad));
}

LiveStep LiveRun::step(std::span<const std::vector<float>> gradients) {
    check_finite(gradients);
    LiveStep step;
    step.mean.resize(elements_);
    std::vector<IterationResult> results;
    for (Bucket& bucket : buckets_) {
        const IterationCodes codes = codes_of(bucket, gradients);
        iterate(bucket.method, bucket.setting, machine_, codes, [](const IteratedMethod&, double) {});
        results.push_back(bucket.method.front()->results().back());
        add(bucket, codes, step);
    }
    check_mean(step.mean);
    ++position_;
    step.step = time_of(results);
    step.result = sum_of_buckets(results);
    return step;
}

IterationCodes LiveRun::codes_of(Bucket& bucket, std::span<const std::vector<float>> gradients) const {
    std::vector<std::vector<float>> of_bucket;
    for (const std::vector<float>& gradient : gradients) {
        std::vector<float>& values = of_bucket.emplace_back(bucket.setting.elements());
        for (const Run& run : bucket.runs)
            std::copy_n(gradient.begin() + static_cast<std::ptrdiff_t>(run.from), run.count,
                        values.begin() + static_cast<std::ptrdiff_t>(run.to));
    }
    if (!take_codes(bucket.method)) return uncoded(position_, position_ > 0, std::move(of_bucket), bucket.setting.seed);
    return bucket.codes.next(position_, position_ > 0, std::move(of_bucket));
}

/// Adds the mean of the bucket, and what its compressor tells.
void LiveRun::add(const Bucket& bucket, const IterationCodes& codes, LiveStep& step) const {
    const std::vector<float> sum = bucket.method.front()->reduced(codes);
    for (const Run& run : bucket.runs)
        for (std::uint64_t i = 0; i < run.count; ++i)
            step.mean[run.from + i] = sum[run.to + i] / static_cast<float>(ranks());
    const CompressionResult* compressed = bucket.method.front()->compressed();
    if (compressed == nullptr) return;
    for (const WordExchange& exchange : compressed->exchanges) step.floats += exchange.floats;
    step.factors.insert(step.factors.end(), compressed->factors.begin(), compressed->factors.end());
    step.gains.insert(step.gains.end(), compressed->gains.begin(), compressed->gains.end());
}

Time LiveRun::time_of(std::span<const IterationResult> buckets) const {
    std::vector<Time> times;
    for (const IterationResult& bucket : buckets) times.push_back(Time{bucket.allreduce_ps});
    if (!step_) {
        Time all;
        for (const Time time : times) all += time;
        return all;
    }
    if (is_sharded(step_->params.strategy)) return sharded_timeline_of(*step_, times).step.step;
    return timeline_of(*step_, times).step;
}

void LiveRun::end_epoch(double learning_rate) {
    for (Bucket& bucket : buckets_) bucket.method.front()->end_epoch(learning_rate);
}

}   // namespace oscar

#include "sim/experiment/bucket_run.hpp"

#include <limits>
#include <stdexcept>

#include "sim/experiment/scale_exchange.hpp"
#include "sim/experiment/start_skew.hpp"

namespace oscar {
namespace {

/// `layers`, if their elements can be counted in 32 bits.
std::vector<std::size_t> of_legal_size(const Experiment& experiment, const Trace& trace,
                                       std::vector<std::size_t> layers) {
    std::uint64_t values = 0;
    for (const std::size_t l : layers) values += trace.layer_offsets()[l + 1] - trace.layer_offsets()[l];
    if (values > std::numeric_limits<std::int32_t>::max()) {
        const bool step = experiment.parameters.step.has_value();
        experiment.source.child(step ? "step" : "bucket")
            .fail(std::to_string(values) + " values in one AllReduce; " +
                  (step ? "make buckets smaller, or leave out the largest of the layers"
                        : "choose a bucket, like {size: 25MiB, index: 0}"));
    }
    return layers;
}

}   // namespace

BucketRun::BucketRun(const Experiment& experiment, const Trace& trace, const Routes& routes,
                     std::vector<std::size_t> layers, std::uint64_t seed)
    : parameters_(experiment.parameters),
      layers_(of_legal_size(experiment, trace, std::move(layers))),
      replay_(trace, parameters_.ranks, layers_),
      source_(replay_, parameters_.quantiser, seed) {
    methods_.reserve(parameters_.methods.size());   // endpoints hold pointers into their run
    for (const Method& method : parameters_.methods) try {
            methods_.emplace_back(parameters_, method, routes, replay_.tensors());
        } catch (const std::invalid_argument& error) {
            experiment.source.child("methods").fail(method.name + ": " + error.what());
        }
}

void BucketRun::run(std::uint32_t position, bool fresh, Machine& machine, const Begin& begin) {
    const bool timed = position >= parameters_.iterations.first;
    IterationCodes codes = source_.next(position);
    codes.continues = codes.continues && !fresh;
    Preparation exchange;
    if (timed && codes.exchanged) exchange = run_scale_exchange(machine, codes, issue_of(parameters_.collective));
    for (MethodRun& method : methods_) {
        begin(method.name());
        if (timed) method.replay(machine, codes, starts_of(parameters_, position), exchange);
        else method.warm_up(codes);
    }
}

}   // namespace oscar

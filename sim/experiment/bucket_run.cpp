#include "sim/experiment/bucket_run.hpp"

#include "sim/experiment/scale_exchange.hpp"
#include "sim/experiment/start_jitter.hpp"

namespace oscar {
BucketRun::BucketRun(const Parameters& parameters, const Trace& trace, const Routes& routes,
                     std::vector<std::size_t> layers, std::uint64_t seed)
    : parameters_(parameters),
      layers_(std::move(layers)),
      replay_(trace, parameters_.ranks, layers_),
      source_(replay_, parameters_.quantiser, seed) {
    methods_.reserve(parameters_.methods.size());   // ranks hold pointers into their run
    for (const Method& method : parameters_.methods)
        methods_.emplace_back(parameters_, method, routes, replay_.tensors());
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

#include "sim/run/bucket_run.hpp"

#include <algorithm>
#include <span>

#include "sim/checks/memory.hpp"
#include "sim/parameters/tensor_shapes.hpp"
#include "sim/run/iteration/method_run.hpp"
#include "sim/run/lossy/lossy_run.hpp"
#include "sim/run/scale_exchange.hpp"
#include "sim/run/start_jitter.hpp"

namespace oscar {

BucketRun::BucketRun(const Parameters& parameters, const Trace& trace, const Routes& routes,
                     std::vector<std::size_t> layers, std::uint64_t seed, Time backward, ParallelFor parallel)
    : parameters_(parameters),
      routes_(routes),
      layers_(std::move(layers)),
      replay_(trace, parameters_.ranks, layers_),
      shapes_(tensor_shapes(trace.manifest(), layers_)),
      seed_(seed),
      backward_(backward),
      parallel_(std::move(parallel)) {}

void BucketRun::run(std::uint32_t first, Machine& machine, const MethodProgress& progress) {
    const std::size_t batch = concurrent_methods(parameters_, elements());
    for (std::span left(parameters_.methods); !left.empty(); left = left.subspan(std::min(batch, left.size()))) {
        Methods methods;
        for (const Method& method : left.first(std::min(batch, left.size()))) methods.push_back(run_of(method));
        CodeSource source(replay_, parameters_.quantiser, seed_, parallel_);
        for (std::uint32_t p = first; p < parameters_.iterations.first + parameters_.iterations.count; ++p) {
            IterationCodes codes = source.next(p);
            codes.continues = codes.continues && p > first;   // the first of all has no history
            if (std::ranges::all_of(methods, [](const auto& method) { return method->quantised(); }))
                codes.gradients = {};   // codes alone will travel
            run_iteration(codes, methods, machine, progress);
        }
        for (const auto& method : methods) methods_.push_back({method->name(), method->results()});
    }
}

std::unique_ptr<IteratedMethod> BucketRun::run_of(const Method& method) const {
    if (method.lossy)
        return std::make_unique<LossyRun>(parameters_, method, routes_, shapes_, seed_, backward_, parallel_);
    return std::make_unique<MethodRun>(parameters_, method, routes_, replay_.tensors(), parallel_);
}

void BucketRun::run_iteration(const IterationCodes& codes, const Methods& methods, Machine& machine,
                              const MethodProgress& progress) const {
    const bool timed = codes.position >= parameters_.iterations.first;
    PriorExchange exchange;
    if (timed && codes.exchanged) exchange = run_scale_exchange(machine, codes, issue_of(parameters_.collective));
    for (const auto& method : methods) {
        const auto share_done = [&](double share) { progress(codes.position, method->name(), share); };
        share_done(0);
        if (timed) method->iterate(machine, codes, starts_of(parameters_, codes.position), exchange, share_done);
        else method->warm_up(codes);
    }
}

}   // namespace oscar

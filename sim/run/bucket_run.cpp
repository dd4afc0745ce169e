#include "sim/run/bucket_run.hpp"

#include <algorithm>
#include <span>

#include "sim/checks/memory.hpp"
#include "sim/parameters/tensor_shapes.hpp"

namespace oscar {

BucketRun::BucketRun(const Parameters& parameters, const Trace& trace, const Routes& routes,
                     std::vector<std::size_t> layers, std::uint64_t seed, Time backward, ParallelFor parallel)
    : layers_(std::move(layers)),
      replay_(trace, parameters.ranks, layers_),
      setting_{parameters, routes, tensor_shapes(trace.manifest(), layers_), seed, backward, std::move(parallel)} {}

void BucketRun::run(std::uint32_t first, Machine& machine, const MethodProgress& progress) {
    const Parameters& p = setting_.parameters;
    const std::size_t batch = concurrent_methods(p, elements());
    for (std::span left(p.methods); !left.empty(); left = left.subspan(std::min(batch, left.size()))) {
        BucketMethods methods;
        for (const Method& method : left.first(std::min(batch, left.size())))
            methods.push_back(make_method(setting_, method));
        CodeSource source = make_codes(setting_);
        for (std::uint32_t i = first; i < p.iterations.first + p.iterations.count; ++i) {
            IterationCodes codes = take_codes(methods) ? source.next(replay_, i) : uncoded_at(i);
            codes.continues = codes.continues && i > first;   // the first of all has no history
            codes.reduced = {};
            if (std::ranges::all_of(methods, [](const auto& method) { return method->quantised(); }))
                codes.gradients = {};   // codes alone will travel
            run_iteration(codes, methods, machine, progress);
        }
        for (const auto& method : methods) methods_.push_back({method->name(), method->results()});
    }
}

IterationCodes BucketRun::uncoded_at(std::uint32_t position) const {
    return uncoded(position, replay_.follows(position), replay_.gradients(position, setting_.parallel), setting_.seed);
}

void BucketRun::run_iteration(const IterationCodes& codes, const BucketMethods& methods, Machine& machine,
                              const MethodProgress& progress) const {
    const auto share_done = [&](const IteratedMethod& method, double share) {
        progress(codes.position, method.name(), share);
    };
    if (codes.position >= setting_.parameters.iterations.first)
        return iterate(methods, setting_, machine, codes, share_done);
    for (const auto& method : methods) {
        share_done(*method, 0);
        method->warm_up(codes);
    }
}

}   // namespace oscar

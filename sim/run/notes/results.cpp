// Notes on what a run has shown of its methods and its trace.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "models/core/quantity.hpp"
#include "sim/run/notes/notes.hpp"

namespace oscar {
namespace {

/// The compression factor of a lossy compressor, or the largest of a controller; none where it has no such.
std::optional<double> factor_of(const LossyKind& compressor) {
    return std::visit(
        []<class P>(const P& params) -> std::optional<double> {
            if constexpr (requires { double{params.factor}; }) return params.factor;
            else return std::nullopt;
        },
        compressor.params);
}

void add_factors(const Parameters& p, std::uint64_t values, std::vector<std::string>& notes) {
    for (const Method& method : p.methods) {
        const auto factor = method.lossy ? factor_of(method.lossy->compressor) : std::nullopt;
        if (factor && *factor > static_cast<double>(values))
            notes.push_back(fmt::format(
                "{}: factor {:.6g} leaves less than one of {} values: next to nothing is sent; choose a smaller one, "
                "like 100",
                method.name, *factor, values));
    }
}

void add_overflows(const std::vector<MethodReport>& methods, std::vector<std::string>& notes) {
    std::vector<std::string> names;
    for (const MethodReport& method : methods)
        if (method.relative_l2_error && !std::isfinite(*method.relative_l2_error)) names.push_back(method.name);
    if (!names.empty())
        notes.push_back(fmt::format(
            "{}: sums of the ranks' gradients exceed what fp32 holds (3.4e38), so that errors say nothing; scale the "
            "gradients down, as a training does before it overflows",
            fmt::join(names, ", ")));
}

/// Each tensor has a scale of its own, and there is only one.
void add_lone_tensor(const Parameters& p, const TraceManifest& manifest, std::vector<std::string>& notes) {
    const bool by_tensor = std::holds_alternative<PerTensorParams>(p.quantiser.params) ||
                           std::holds_alternative<PerTensorPercentileParams>(p.quantiser.params);
    if (!by_tensor || manifest.layers.size() != 1) return;
    notes.push_back(fmt::format(
        "quantiser {}: the trace has one layer, so that there is one scale for all, as with {}; errors are those of "
        "that. A trace with its layers (trace convert, arrays named ITERATION/LAYER) has one for each",
        p.quantiser.name(), std::holds_alternative<PerTensorParams>(p.quantiser.params) ? "max" : "percentile"));
}

}   // namespace

std::vector<std::string> notes_on_replay(const Parameters& p, const TraceManifest& manifest,
                                         const std::vector<MethodReport>& methods, std::uint64_t values) {
    std::vector<std::string> notes;
    add_lone_tensor(p, manifest, notes);
    add_factors(p, values, notes);
    add_overflows(methods, notes);
    return notes;
}

std::vector<std::string> notes_on_timelines(const Parameters& p, const Report& report) {
    std::vector<std::string> notes;
    if (!p.timeline_window) return notes;
    for (const MethodTimeline& timeline : report.timelines)
        if (timeline.events && timeline.events->slices() == 0)
            notes.push_back(
                fmt::format("{}: its timeline is empty: it ended before timeline_window.from, {}; write an "
                            "earlier one, or leave the window out",
                            timeline.method, to_text(p.timeline_window->from)));
    return notes;
}

}   // namespace oscar

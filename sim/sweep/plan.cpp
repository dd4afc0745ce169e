#include "sim/sweep/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/parameters/nodes.hpp"
#include "sim/run/experiment.hpp"
#include "sim/sweep/key.hpp"
#include "sim/trace/trace.hpp"

namespace oscar {
namespace {

/// The hash of each trace, which reads all of it, once.
class TraceHashes {
public:
    /// Empty without a folder.
    const std::string& of(const std::optional<std::filesystem::path>& folder) {
        const auto [entry, is_new] = hashes_.try_emplace(folder.value_or(""));
        if (is_new && folder) entry->second = Trace::open(*folder).hash();
        return entry->second;
    }

private:
    std::map<std::filesystem::path, std::string> hashes_;
};

bool is_uncompressed(const Method& method) {
    return kind_name(method) == CodecChoice(Fp32Params{}).name() ||
           kind_name(method) == LossyKind(DenseParams{}).name();
}

/// Appends the names of those methods of the parameters that `names` lacks.
template <class Predicate>
void add_methods(const Parameters& parameters, std::vector<std::string>& names, Predicate predicate) {
    for (const Method& method : parameters.methods)
        if (predicate(method) && std::find(names.begin(), names.end(), method.name) == names.end())
            names.push_back(method.name);
}

/// Points with equal keys would be one result under two names.
void check_distinct(const SweepPlan& plan) {
    std::map<std::string, std::size_t> first;
    for (std::size_t i = 0; i < plan.points.size(); ++i) {
        const auto [entry, is_new] = first.try_emplace(plan.points[i].key, i);
        if (!is_new)
            plan.points[i].settings.back().value.fail(fmt::format(
                "point {} ({}) is the same configuration as point {} ({}); remove one value", i,
                to_text(plan.points[i].settings), entry->second, to_text(plan.points[entry->second].settings)));
    }
}

}   // namespace

SweepPlan plan_sweep(const std::filesystem::path& file) {
    SweepPlan plan;
    plan.definition = load_sweep(file);
    plan.program = program_identity();
    TraceHashes hashes;
    for (const Settings& settings : plan.definition.points) {
        try {
            const Experiment experiment = experiment_of(plan.definition, settings);
            const std::string& trace_hash = hashes.of(check(experiment));
            add_methods(experiment.parameters, plan.methods, [](const Method&) { return true; });
            add_methods(experiment.parameters, plan.uncompressed, is_uncompressed);
            plan.costed |= experiment.parameters.engine.technology.has_value();
            plan.tiered |= island_of_tiers(experiment.parameters) > 1;
            plan.points.push_back({settings, point_key(plan.program, experiment.parameters, trace_hash)});
        } catch (const InputError& error) {
            throw InputError(fmt::format("{} (point {}: {})", error.what(), plan.points.size(), to_text(settings)));
        }
    }
    check_distinct(plan);
    return plan;
}

}   // namespace oscar

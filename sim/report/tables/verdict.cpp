#include "sim/report/tables/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sim/report/causes/bottleneck.hpp"

namespace oscar {
namespace {

using SpeedUps = std::vector<std::pair<std::string, double>>;

/// The first method that sends fixed-point codes as they are; empty if there is none.
std::string uncoded_integers(const nlohmann::ordered_json& config) {
    for (const auto& method : config.value("methods", nlohmann::ordered_json::array()))
        if (method.value("kind", "") == "fixed_point") return method.value("name", "");
    return "";
}

std::string factor_over(const SpeedUps& speed_ups, const std::string& other) {
    const auto found = std::ranges::find(speed_ups, other, &SpeedUps::value_type::first);
    return found == speed_ups.end() ? "" : fmt::format("{:.2f}x {}", found->second, other);
}

/// The names of the methods that `method` is compared with: the baseline, and uncoded integers.
std::vector<std::string> rivals(const Report& report, const MethodReport& method, const std::string& baseline) {
    std::vector<std::string> names{baseline, uncoded_integers(report.config)};
    if (names[0] == names[1]) names.pop_back();
    std::erase_if(names, [&](const std::string& name) { return name.empty() || name == method.name; });
    return names;
}

std::string comparison(const Report& report, const MethodReport& method, const std::string& baseline) {
    if (method.name == baseline) return "the baseline";
    std::string text;
    for (const std::string& name : rivals(report, method, baseline))
        text += (text.empty() ? "" : " and ") + factor_over(method.speedup, name);
    if (method.step) text += ", its step " + factor_over(method.step->speedup, baseline);
    return text;
}

std::string limiter(const MethodReport& method) {
    const CriticalPath& path = method.critical_path;
    if (path.total_ps() <= 0) return "";
    const Bottleneck& largest = bottleneck_of(path, dma_limit_of(method));
    const double share = static_cast<double>(path.*largest.cause) / static_cast<double>(path.total_ps());
    std::string text = fmt::format("; limited by {} ({:.0f} % of the critical path)", largest.name, 100 * share);
    if (largest.cause == &CriticalPath::wait_ps && method.longest_step) text += ": " + method.longest_step->sentence;
    return text;
}

/// What a controller chose, as a share of tensors, and the gains of all factors that it tried.
std::string controller(const MethodReport& method) {
    std::uint64_t tensors = 0;
    for (const FactorReport& factor : method.factors) tensors += factor.tensors;
    std::string chosen, gains;
    for (const FactorReport& factor : method.factors) {
        if (factor.tensors > 0)
            chosen +=
                fmt::format("{}{:g}x for {:.0f} %", chosen.empty() ? "; its controller chose " : ", ", factor.factor,
                            100.0 * static_cast<double>(factor.tensors) / static_cast<double>(tensors));
        if (factor.gain && factor.factor > 1)
            gains +=
                fmt::format("{}{:.2f} at {:g}x", gains.empty() ? "; mean gain " : ", ", *factor.gain, factor.factor);
    }
    return chosen + (chosen.empty() ? "" : " of its tensors") + gains;
}

}   // namespace

std::string verdict(const Report& report, const MethodReport& method, const std::string& baseline) {
    return fmt::format("{}: {}{}{}{}", method.name, comparison(report, method, baseline), limiter(method),
                       controller(method),
                       method.sums_match_reference == false ? "; its sums DIFFER from the reference" : "");
}

std::string baseline_of(const Report& report, const View& view) {
    return view.baseline.empty() ? report.methods.front().name : view.baseline;
}

}   // namespace oscar

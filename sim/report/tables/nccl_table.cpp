#include <fmt/format.h>

#include "sim/report/tables/table.hpp"

namespace oscar {
namespace {

/// In GB/s, which are bytes in a nanosecond.
double rate(double bytes, std::int64_t ps) { return ps > 0 ? 1000 * bytes / static_cast<double>(ps) : 0; }

/// "0" or "1": of wrong sums the report knows that there are any; "N/A" where nothing was summed.
std::string wrong(const MethodReport& method) {
    if (!method.sums_match_reference) return "N/A";
    return *method.sums_match_reference ? "0" : "1";
}

/// How nccl-tests names what a collective does with values, and the rank at which it begins or ends; -1: at none.
struct Reduction {
    std::string name = "sum";
    int root = -1;
};

Reduction reduction_of(const Report& report) {
    const auto collective = report.config.value("collective", nlohmann::ordered_json::object());
    std::string kind = collective.value("kind", "");
    if (kind == "schedule") kind = collective.value("operation", "");   // what its steps perform
    for (const char* without_sums : {"all_gather", "all_to_all", "flows"})
        if (kind == without_sums) return {"none", -1};
    for (const char* rooted : {"broadcast", "gather", "scatter"})
        if (kind == rooted) return {"none", 0};
    return kind == "reduce" ? Reduction{"sum", 0} : Reduction{};
}

}   // namespace

std::string nccl_table(const Report& report) {
    const auto scale = report.config.value("scale", 1u);
    const double elements = static_cast<double>(report.trace.elements) * scale, size = 4 * elements;
    std::string text = fmt::format("# oscar-sim {}: {}, {} ranks; times of the machine in simulated microseconds\n",
                                   report.program_version, report.experiment, report.config.value("ranks", 0u));
    const auto [reduction, root] = reduction_of(report);
    for (const MethodReport& method : report.methods) {
        const double per_rank =
            method.algorithm_bandwidth_gbps > 0 ? method.bus_bandwidth_gbps / method.algorithm_bandwidth_gbps : 0;
        const double time = static_cast<double>(method.allreduce_ps) / 1e6, algbw = rate(size, method.allreduce_ps);
        const std::string half =
            fmt::format("{:>10.2f} {:>7.2f} {:>7.2f} {:>7}", time, algbw, algbw * per_rank, wrong(method));
        text += fmt::format("#\n# method {}\n#\n", method.name);
        text += fmt::format("#{:>12} {:>13} {:>9} {:>7} {:>7} {:>35} {:>35}\n", "", "", "", "", "", "out-of-place",
                            "in-place");
        text += fmt::format("#{:>12} {:>13} {:>9} {:>7} {:>7}", "size", "count", "type", "redop", "root");
        for (int i = 0; i < 2; ++i)
            text += fmt::format(" {:>10} {:>7} {:>7} {:>7}", "time", "algbw", "busbw", "#wrong");
        text += fmt::format("\n#{:>12} {:>13} {:>9} {:>7} {:>7}", "(B)", "(elements)", "", "", "");
        for (int i = 0; i < 2; ++i) text += fmt::format(" {:>10} {:>7} {:>7} {:>7}", "(us)", "(GB/s)", "(GB/s)", "");
        text += fmt::format("\n{:>13.0f} {:>13.0f} {:>9} {:>7} {:>7} {} {}\n", size, elements, "float", reduction, root,
                            half, half);
    }
    return text;
}

}   // namespace oscar

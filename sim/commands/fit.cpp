#include "sim/commands/fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>

#include "models/core/quantity.hpp"
#include "sim/config/error.hpp"
#include "sim/config/find.hpp"
#include "sim/config/regular_file.hpp"
#include "sim/files/write_file.hpp"
#include "sim/files/write_place.hpp"
#include "sim/fit/machine_file.hpp"
#include "sim/terminal/text_table.hpp"

namespace oscar {
namespace {

constexpr std::string_view another_file = "choose another file with -o FILE";
constexpr std::uintmax_t largest_log = 64 << 20;   // bytes
constexpr double worst_error = 0.1;                // mean |error| of a machine that is worth a prediction

/// Of a file here, or of a shipped one.
std::string content_of(const std::string& file) try {
    const std::filesystem::path found = find_beside(file, file).value_or(file);
    const RegularFile open(found);
    if (open.size() > largest_log)
        throw InputError(fmt::format("{}: is larger than 64 MiB; name a log of nccl-tests", file));
    std::ifstream stream(found, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
} catch (const CannotOpen& error) {
    throw InputError(fmt::format("{}: {}; name a log of nccl-tests", file, error.what()));
}

NcclLog log_of(const std::string& file, const FitOptions& options) {
    NcclLog log;
    try {
        log = read_nccl_log(content_of(file), options.ranks);
    } catch (const InputError& error) {
        if (std::string_view(error.what()).starts_with(file)) throw;
        throw InputError(fmt::format("{}: {}", file, error.what()));
    }
    log.ranks_per_node = options.ranks_per_node.value_or(log.ranks_per_node);
    if (log.ranks == 0)
        throw InputError(fmt::format(
            "{}: its devices are not listed; add --ranks N, and --ranks-per-node where there are several nodes", file));
    if (log.ranks < 2)
        throw InputError(fmt::format("{}: is of one rank, which sends nothing; give a log of several", file));
    if (log.ranks_per_node == 0 || log.ranks_per_node > log.ranks) log.ranks_per_node = log.ranks;
    return log;
}

Bytes least_size(const FitOptions& options) try { return parse_bytes(options.from); } catch (const BadQuantity& error) {
    throw InputError(fmt::format("--from {}: {}", options.from, error.what()));
}

/// The logs of one machine, as points.
struct Measurements {
    std::vector<FitPoint> tuner, line;   ///< point by point the same times
    std::set<std::uint32_t> ranks;
    std::set<std::uint64_t> sizes;
    std::uint32_t ranks_per_node = 0;   ///< of the logs of several nodes, or of the largest of one
    bool reduced_in_network = false;    ///< by what one of the logs says

    std::uint32_t most_ranks() const { return *ranks.rbegin(); }
};

void add(Measurements& all, const NcclLog& log, Bytes from) {
    for (const MeasuredTime& measured : log.times) {
        if (measured.size < from) continue;
        all.tuner.push_back(tuner_point(log.ranks, log.ranks_per_node, measured));
        all.line.push_back(line_point(log.ranks, measured));
        all.sizes.insert(measured.size.count);
    }
    all.ranks.insert(log.ranks);
    all.reduced_in_network |= log.reduced_in_network;
}

/// Logs of several nodes have nodes of one size; those of parts of one node have none with them, for NVLink and network
/// are two bandwidths.
void take_node(Measurements& all, const NcclLog& log, const std::string& file) {
    const bool has_nodes = log.ranks > log.ranks_per_node;
    const bool had_nodes = !all.ranks.empty() && all.most_ranks() > all.ranks_per_node;
    if (!all.ranks.empty() && (has_nodes != had_nodes || (has_nodes && log.ranks_per_node != all.ranks_per_node)))
        throw InputError(
            fmt::format("{}: {} ranks, {} a node, and a log before it has {} ranks, {} a node; fit a machine to each",
                        file, log.ranks, log.ranks_per_node, all.most_ranks(), all.ranks_per_node));
    all.ranks_per_node = std::max(all.ranks_per_node, log.ranks_per_node);
}

Measurements measurements(const FitOptions& options) {
    Measurements all;
    const Bytes from = least_size(options);
    for (const std::string& file : options.logs) {
        const NcclLog log = log_of(file, options);
        take_node(all, log, file);
        try {
            add(all, log, from);
        } catch (const std::invalid_argument& error) {
            throw InputError(fmt::format("{}: {}; give --ranks-per-node", file, error.what()));
        }
    }
    if (all.sizes.size() < 3)
        throw InputError(
            fmt::format("{}: {} sizes from {} on, and a fit needs three; give a longer log, or a smaller --from",
                        fmt::join(options.logs, ", "), all.sizes.size(), to_text(from)));
    return all;
}

/// The errors of a fit, in words.
std::string errors_of(const std::vector<FitPoint>& points, const FittedFigures& figures) {
    return fmt::format("mean |error| {:.1f} %; of sizes left out of the fit, one by one, {:.1f} %",
                       100 * mean_error(figures, points), 100 * left_out_error(points));
}

/// A warning where the tuner does not describe the times: it is off by more than worst_error, or a line is four times
/// as near and the tuner's error more than the 2 % by which measured times scatter.
std::string warning_of(double error, double line_error) {
    if (error <= worst_error && (error <= 0.02 || error <= 4 * line_error)) return "";
    return fmt::format(
        "DO NOT USE this machine: its times are off by {:.1f} % in the mean{}. Describe the parts, or fit larger sizes "
        "alone (--from).\n",
        100 * error,
        error > 4 * line_error ? fmt::format(", an alpha-beta line by {:.1f} %", 100 * line_error)
                               : fmt::format(", more than {:.0f} %", 100 * worst_error));
}

/// A remark where the algorithm of the log is none that is fitted.
std::string note_of(const Measurements& all) {
    if (!all.reduced_in_network) return "";
    return "The log counts bus bandwidth as of a reduction in the network (NVLS), and NCCL's ring and tree are "
           "fitted.\n";
}

std::string table_of(const Measurements& all, const FittedFigures& figures, const Screen& screen) {
    std::vector<Row> rows{{"ranks", "size", "measured us", "fitted us", "error %"}};
    for (const FitPoint& point : all.tuner) {
        const double fitted = time_under(figures, point) * 1e12;
        const auto measured = static_cast<double>(point.measured.time.ps);
        rows.push_back({std::to_string(point.ranks), to_text(point.measured.size), microseconds(point.measured.time.ps),
                        microseconds(std::llround(fitted)), fmt::format("{:+.1f}", 100 * (fitted / measured - 1))});
    }
    return aligned(rows, screen, 0);
}

/// What stands at the top of the machine's file, too.
std::string about(const Measurements& all, const FittedFigures& figures) {
    const FittedFigures line = fit_figures(all.line);
    return fmt::format(
        "A machine fitted by oscar-sim fit to {} measured times of AllReduce on {} ranks, {} a node, {} to {}.\n"
        "launch {} and bandwidth {} are fitted, the rest is NCCL's tuner's: {}.\n"
        "The alpha-beta line fitted alike: {}.\n"
        "Simulated: what the tuner would choose, and nothing but its latencies and rate takes time.\n{}{}",
        all.tuner.size(), fmt::join(all.ranks, ", "), all.ranks_per_node, to_text(Bytes{*all.sizes.begin()}),
        to_text(Bytes{*all.sizes.rbegin()}), to_text(figures.launch), to_text(figures.bandwidth),
        errors_of(all.tuner, figures), errors_of(all.line, line), note_of(all),
        warning_of(mean_error(figures, all.tuner), mean_error(line, all.line)));
}

}   // namespace

std::string fit_logs(const FitOptions& options, const Screen& screen) {
    const Measurements all = measurements(options);
    const FittedFigures figures = fit_figures(all.tuner);
    const std::string remarks = about(all, figures);
    std::string machine = text_of({all.most_ranks(), all.ranks_per_node, figures, remarks});
    if (options.output == "-" || is_standard_output(options.output)) return machine;
    replace_file(options.output, machine, another_file);
    return fmt::format("{}\n{}\n{}: run it, predict it, or name it as the base of an experiment\n",
                       table_of(all, figures, screen), remarks, options.output);
}

}   // namespace oscar

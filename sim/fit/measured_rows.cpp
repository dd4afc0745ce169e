#include "sim/fit/measured_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "sim/config/error.hpp"

namespace oscar {
namespace {

constexpr double shortest_us = 0.01, longest_us = 1e12;   // times are printed in hundredths
constexpr std::string_view one_run = "give each run as a file";

[[noreturn]] void refuse(const std::string& place, const std::string& what) {
    throw InputError(fmt::format("{}: {}", place, what));
}

double of_all_reduce(std::uint32_t ranks) { return 2 * (1 - 1.0 / ranks); }
double of_network_reduction(std::uint32_t ranks) { return (ranks - 1.0) / (ranks + 1.0); }

/// True if busbw is `factor` times algbw. Both are rounded to two decimals, from 1000 on to one.
bool has_factor(const MeasuredRow& row, double factor) {
    return std::abs(row.busbw - factor * row.algbw) <= 0.02 + 1e-4 * row.algbw;
}

/// Rates below 1 GB/s have too few digits to tell a factor.
bool tells_factor(const MeasuredRow& row) { return row.algbw >= 1; }

void check_factor(const MeasuredRow& row, std::uint32_t ranks) {
    if (!tells_factor(row) || has_factor(row, of_all_reduce(ranks)) || has_factor(row, of_network_reduction(ranks)))
        return;
    refuse(row.place,
           fmt::format("busbw is {:.2f} times algbw, and of an AllReduce on {} ranks {:.2f} times, or {:.2f} "
                       "with reduction in the network; give a log of all_reduce_perf, or the right --ranks",
                       row.busbw / row.algbw, ranks, of_all_reduce(ranks), of_network_reduction(ranks)));
}

void check_kind(const MeasuredRow& row) {
    constexpr std::string_view remedy = "give a log of all_reduce_perf";
    if (row.redop.empty() || row.redop == "none")
        refuse(row.place,
               fmt::format("reduces nothing (redop '{}'), so that it is no AllReduce; {}", row.redop, remedy));
    if (row.root >= 0)
        refuse(row.place, fmt::format("has the root {:.0f}, and an AllReduce has none; {}", row.root, remedy));
}

}   // namespace

std::optional<double> number_in(const std::string& word) {
    char* end = nullptr;
    const double value = std::strtod(word.c_str(), &end);
    if (end != word.c_str() + word.size() || word.empty() || !std::isfinite(value)) return std::nullopt;
    return value;
}

void MeasuredRows::add_device(std::uint32_t rank, const std::string& host, const std::string& place) {
    if (!host_of_.emplace(rank, host).second)
        refuse(place, fmt::format("rank {} is listed twice, as by a second run; {}", rank, one_run));
}

void MeasuredRows::add_program(const std::string& program, const std::string& place) const {
    const std::string name = program.substr(program.find_last_of('/') + 1);
    if (name.ends_with("_perf") && name != "all_reduce_perf")
        refuse(place, fmt::format("is of {}, which is no AllReduce; give a log of all_reduce_perf", name));
}

void MeasuredRows::begin_table(const std::string& place) {
    if (has_table_) refuse(place, fmt::format("a second table begins, as of a second run; {}", one_run));
    has_table_ = true;
}

void MeasuredRows::add(const MeasuredRow& row) {
    if (row.size == 0) return;
    check_kind(row);
    if (row.size != std::floor(row.size))
        refuse(row.place, fmt::format("has a size of {} bytes; give the log as it was printed", row.size));
    if (!(row.time_us >= shortest_us && row.time_us <= longest_us))
        refuse(row.place,
               fmt::format("has a time of {} us, which no AllReduce takes; leave that line out", row.time_us));
    if (row.wrong > 0) refuse(row.place, "has wrong sums; times of sums that are wrong are not fitted");
    rows_.push_back(row);
}

std::uint32_t MeasuredRows::listed_ranks() const {
    if (host_of_.empty()) return 0;
    const std::uint64_t least = std::uint64_t{host_of_.rbegin()->first} + 1;
    if (least != host_of_.size())
        throw InputError(
            fmt::format("its devices are listed in part: {} of {} ranks or more; add --ranks N, and "
                        "--ranks-per-node where there are several nodes",
                        host_of_.size(), least));
    return static_cast<std::uint32_t>(host_of_.size());
}

std::uint32_t MeasuredRows::ranks_per_node() const {
    std::map<std::string, std::uint32_t> ranks_on;
    for (const auto& [rank, host] : host_of_) ++ranks_on[host];
    const auto& [first, ranks] = *ranks_on.begin();
    for (const auto& [host, others] : ranks_on)
        if (others != ranks)
            throw InputError(fmt::format("{} has {} ranks, and {} has {}; give logs of nodes with equally many ranks",
                                         first, ranks, host, others));
    return ranks;
}

NcclLog MeasuredRows::log(std::optional<std::uint32_t> ranks) const {
    if (rows_.empty())
        throw InputError(
            "there is no table of nccl-tests in it; give what all_reduce_perf printed, from '# nThread' on, "
            "or its JSON");
    NcclLog log;
    log.ranks = ranks ? *ranks : listed_ranks();
    if (log.ranks > 0 && log.ranks == host_of_.size()) log.ranks_per_node = ranks_per_node();
    for (const MeasuredRow& row : rows_) {
        if (log.ranks > 0) check_factor(row, log.ranks);
        log.reduced_in_network |= log.ranks > 2 && tells_factor(row) && !has_factor(row, of_all_reduce(log.ranks));
        log.times.push_back({Bytes{static_cast<std::uint64_t>(row.size)}, Time{std::llround(row.time_us * 1e6)}});
    }
    return log;
}

}   // namespace oscar

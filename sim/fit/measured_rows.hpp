// Rows of nccl-tests, in whichever form they were written: what they must hold to be times of AllReduces of one run.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/fit/nccl_log.hpp"

namespace oscar {

/// What one row says: of out-of-place buffers, or of in-place ones where nothing else was measured.
struct MeasuredRow {
    std::string place;   ///< for errors: "line 8"
    std::string redop;   ///< "sum", "none", ...
    double root = -1;    ///< rank at which the collective begins or ends; -1: at none
    double size = 0;     ///< bytes
    double time_us = 0;
    double algbw = 0, busbw = 0;   ///< GB/s, printed with two decimals
    double wrong = 0;              ///< number of wrong values
};

/// The finite number that the whole `word` is; nothing if it is none.
std::optional<double> number_in(const std::string& word);

/// Takes devices and rows in their order, and refuses those that are no AllReduce of one run. All functions throw
/// InputError with the place and without the file's name.
class MeasuredRows {
public:
    /// A rank and its host; a rank that is listed twice belongs to another run.
    void add_device(std::uint32_t rank, const std::string& host, const std::string& place);
    /// A program's name: "all_reduce_perf" or a path to it.
    void add_program(const std::string& program, const std::string& place) const;
    /// A table begins: only one may.
    void begin_table(const std::string& place);
    /// A row; sizes of 0 bytes are left out.
    void add(const MeasuredRow& row);

    /// The times, and the ranks: `ranks` where it is given, else those of the listed devices. Checks each row's bus
    /// bandwidth against them: 2(n-1)/n of the algorithm bandwidth, as nccl-tests counts every AllReduce, or
    /// (n-1)/(n+1) where it was told of a reduction in the network. Source: nccl-tests, doc/PERFORMANCE.md.
    NcclLog log(std::optional<std::uint32_t> ranks) const;

private:
    std::uint32_t listed_ranks() const;
    std::uint32_t ranks_per_node() const;

    bool has_table_ = false;
    std::map<std::uint32_t, std::string> host_of_;
    std::vector<MeasuredRow> rows_;
};

}   // namespace oscar

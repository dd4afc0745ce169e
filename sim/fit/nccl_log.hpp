// Logs of nccl-tests: how long an AllReduce of each size took, on how many GPUs of how many nodes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/units.hpp"

namespace oscar {

/// One line of the table: out of place, or in place where nothing else was measured.
struct MeasuredTime {
    Bytes size;   ///< of each rank's buffer
    Time time;
};

/// What a log says.
struct NcclLog {
    std::uint32_t ranks = 0;            ///< 0: the log does not list its devices
    std::uint32_t ranks_per_node = 0;   ///< 0: likewise
    std::vector<MeasuredTime> times;    ///< without sizes of 0 bytes
};

/// Reads the text of a log of all_reduce_perf, of any version whose table has columns size, time, algbw and busbw. What
/// mpirun or srun puts before each line is passed over, as is every line that is neither of the list of devices nor of
/// the table. InputError without the file's name, with the line: no table, a line of it that is cut off or holds no
/// number, wrong sums, and a bus bandwidth that an AllReduce on so many ranks does not have; nodes with unequal numbers
/// of ranks. Source: nccl-tests, src/common.cu and doc/PERFORMANCE.md.
NcclLog read_nccl_log(const std::string& text);

}   // namespace oscar

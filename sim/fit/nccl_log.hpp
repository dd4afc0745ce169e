// Logs of nccl-tests: how long an AllReduce of each size took, on how many GPUs of how many nodes.
#pragma once

#include <cstdint>
#include <optional>
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
    std::uint32_t ranks_per_node = 0;   ///< 0: likewise, or it lists others than `ranks`
    std::vector<MeasuredTime> times;    ///< without sizes of 0 bytes
    bool reduced_in_network = false;    ///< its bus bandwidth counts a reduction in the network (NVLS)
};

/// Reads what all_reduce_perf printed, of any version whose table has columns size, time, algbw and busbw, or wrote as
/// JSON. Words that mpirun, srun, kubectl or a quotation puts before each line are passed over: as many as stand before
/// the names of the columns. So is every line that is neither of the list of devices nor of the table. `ranks`: in
/// place of those that the log lists. InputError without the file's name, with the line: no table, a line of it that is
/// cut off or holds no number, wrong sums, times that nothing takes, another collective by its name, its redop and root
/// or its bus bandwidth, a second run; nodes with unequal numbers of ranks. Source: nccl-tests, src/common.cu,
/// src/util.cu and doc/PERFORMANCE.md.
NcclLog read_nccl_log(const std::string& text, std::optional<std::uint32_t> ranks = std::nullopt);

}   // namespace oscar

// `oscar-sim fit`: a machine from logs of nccl-tests.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/terminal/text_table.hpp"

namespace oscar {

struct FitOptions {
    std::vector<std::string> logs;
    std::string output;           ///< file of the machine; "-": standard output
    std::string from = "32KiB";   ///< least size that is fitted
    std::optional<std::uint32_t> ranks,
        ranks_per_node;   ///< of logs that do not say them, or in place of what they say
};

/// What is printed: the figures and their errors, and each size measured and fitted. Writes the machine's file.
/// InputError: a file that cannot be read, read_nccl_log, logs without their ranks, with unequal nodes, or with
/// fewer than three sizes from `from` on.
std::string fit_logs(const FitOptions& options, const Screen& screen);

}   // namespace oscar

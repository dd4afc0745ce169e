// Cells of the tables of a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/report/metrics.hpp"

namespace oscar::cells {

std::string time(const std::int64_t& ps);   ///< in microseconds
std::string share(const double& share);     ///< in per cent
std::string fixed_1(const double& value);   ///< one digit after the point
std::string fixed_3(const double& value);
std::string fixed_6(const std::optional<double>& value);          ///< "-" for none, here and below
std::string scientific(const std::optional<double>& value);       ///< like 1.23e-04
std::string time_if_any(const std::optional<std::int64_t>& ps);   ///< in microseconds
std::string fixed_3_if_any(const std::optional<double>& value);
std::string micro_if_any(const std::optional<double>& pj);           ///< in uJ, four digits or a whole number
std::string millionth_if_any(const std::optional<double>& um2);      ///< in mm2, four digits
std::string kib_if_any(const std::optional<std::uint64_t>& bytes);   ///< in KiB, one digit after the point
std::string mib(const std::uint64_t& bytes);                         ///< in MiB, three digits after the point
std::string count(const std::uint64_t& count);
/// Least to most of the links used.
std::string range_of_links(const std::vector<LinkShare>& links);

}   // namespace oscar::cells

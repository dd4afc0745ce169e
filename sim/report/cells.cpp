#include "sim/report/cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/terminal/text_table.hpp"

namespace oscar {

std::string cells::time(const std::int64_t& ps) { return microseconds(ps); }
std::string cells::share(const double& share) { return percent(share); }
std::string cells::fixed_1(const double& value) { return fmt::format("{:.1f}", value); }
std::string cells::fixed_3(const double& value) { return fmt::format("{:.3f}", value); }
std::string cells::fixed_6(const std::optional<double>& value) { return value ? fmt::format("{:.6f}", *value) : "-"; }
std::string cells::scientific(const std::optional<double>& value) {
    return value ? fmt::format("{:.2e}", *value) : "-";
}
std::string cells::time_if_any(const std::optional<std::int64_t>& ps) { return ps ? microseconds(*ps) : "-"; }
std::string cells::fixed_3_if_any(const std::optional<double>& value) {
    return value ? fmt::format("{:.3f}", *value) : "-";
}
std::string cells::micro_if_any(const std::optional<double>& pj) {
    if (!pj) return "-";
    const double uj = *pj * 1e-6;
    return std::abs(uj) < 9999.5 ? fmt::format("{:.4g}", uj) : fmt::format("{:.0f}", uj);
}
std::string cells::millionth_if_any(const std::optional<double>& um2) { return micro_if_any(um2); }
std::string cells::kib_if_any(const std::optional<std::uint64_t>& bytes) {
    return bytes ? fmt::format("{:.1f}", static_cast<double>(*bytes) / 1024) : "-";
}
std::string cells::mib(const std::uint64_t& bytes) {
    return fmt::format("{:.3f}", static_cast<double>(bytes) / (1 << 20));
}
std::string cells::count(const std::uint64_t& count) { return std::to_string(count); }

std::string cells::range_of_links(const std::vector<LinkShare>& links) {
    if (links.empty()) return "-";
    const auto [least, most] = std::ranges::minmax(links, {}, &LinkShare::utilisation);
    return percent(least.utilisation) + "-" + percent(most.utilisation);
}

}   // namespace oscar

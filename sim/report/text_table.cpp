#include "sim/report/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace oscar::inline report {

std::string aligned(const std::vector<Row>& rows) {
    std::vector<std::size_t> widths(rows.front().size());
    for (const Row& row : rows)
        for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
    std::string text;
    for (const Row& row : rows) {
        for (std::size_t c = 0; c < row.size(); ++c)
            text += c == 0 ? fmt::format("  {:<{}}", row[c], widths[c]) : fmt::format("  {:>{}}", row[c], widths[c]);
        text += '\n';
    }
    return text;
}

std::string microseconds(std::int64_t ps) { return fmt::format("{:.3f}", static_cast<double>(ps) / 1e6); }
std::string percent(double share) { return fmt::format("{:.1f}", 100 * share); }

}   // namespace oscar::inline report

#include "sim/replay/resample.hpp"

#include <algorithm>

namespace oscar {
namespace {

/// The positions of the unbroken run around `position`, itself first, then as resampled_rows says.
std::vector<std::size_t> donors(const Trace& trace, std::size_t position) {
    std::size_t first = position, last = position;
    while (first > 0 && trace.follows(first)) --first;
    while (last + 1 < trace.iterations() && trace.follows(last + 1)) ++last;
    std::vector<std::size_t> result;
    for (std::size_t p = first; p <= last; ++p) result.push_back(p);
    const auto distance = [&](std::size_t p) { return p > position ? p - position : position - p; };
    std::ranges::stable_sort(result, {}, [&](std::size_t p) { return std::pair{distance(p) % 2, distance(p)}; });
    return result;
}

}   // namespace

std::vector<CapturedRow> resampled_rows(const Trace& trace, std::size_t position, std::uint32_t ranks) {
    const auto positions = donors(trace, position);
    std::vector<CapturedRow> rows;
    for (std::uint32_t r = 0; r < ranks; ++r)
        rows.push_back({positions[r / trace.ranks() % positions.size()], Rank{r % trace.ranks()}});
    return rows;
}

std::uint32_t repeated(const std::vector<CapturedRow>& rows) {
    std::uint32_t count = 0;
    for (auto row = rows.begin(); row != rows.end(); ++row) count += std::find(rows.begin(), row, *row) != row;
    return count;
}

}   // namespace oscar

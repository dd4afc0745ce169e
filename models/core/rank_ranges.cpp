#include "models/core/rank_ranges.hpp"

#include <charconv>

namespace oscar {

std::optional<RankRange> range_of(std::string_view text) {
    const char *const begin = text.data(), *const end = begin + text.size();
    RankRange range;
    const auto first = std::from_chars(begin, end, range.first);
    if (first.ec != std::errc{}) return std::nullopt;
    range.last = range.first;
    if (first.ptr == end) return range;
    if (*first.ptr != '-') return std::nullopt;
    const auto last = std::from_chars(first.ptr + 1, end, range.last);
    if (last.ec != std::errc{} || last.ptr != end || range.last < range.first) return std::nullopt;
    return range;
}

std::vector<Rank> ranks_in(const std::vector<std::string>& texts) {
    std::vector<Rank> ranks;
    for (const std::string& text : texts) {
        const RankRange range = range_of(text).value();
        for (std::uint32_t rank = range.first; rank <= range.last; ++rank) ranks.push_back({rank});
    }
    return ranks;
}

}   // namespace oscar

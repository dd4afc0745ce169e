#include "sim/rank_ranges.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>

namespace oscar {
namespace {

struct RankRange {
    std::uint32_t first = 0, last = 0;
};

/// "5" or "4-7".
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

}   // namespace

std::vector<Rank> ranks_in(const std::vector<std::string>& texts) {
    std::vector<Rank> ranks;
    for (const std::string& text : texts) {
        const RankRange range = range_of(text).value();
        for (std::uint32_t rank = range.first; rank <= range.last; ++rank) ranks.push_back({rank});
    }
    return ranks;
}

void check_ranks(const ConfigNode& node, const std::vector<std::string>& texts, std::vector<bool>& spoken_of) {
    if (texts.empty()) node.fail("names no rank; write it like [0, 4-7]");
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const ConfigNode entry = node.child(std::to_string(i));
        const auto range = range_of(texts[i]);
        if (!range) entry.fail("'" + texts[i] + "' is neither a rank nor a range of ranks; write it like 5 or 4-7");
        if (range->last >= spoken_of.size())
            entry.fail(fmt::format("there is no rank {}; choose 0 to {}", range->last, spoken_of.size() - 1));
        for (std::uint32_t rank = range->first; rank <= range->last; ++rank) {
            if (spoken_of[rank])
                entry.fail(fmt::format("rank {} was named before; say all that differs of it in one place", rank));
            spoken_of[rank] = true;
        }
    }
}

}   // namespace oscar

#include "sim/config/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>
#include <vector>

namespace oscar {
namespace {

constexpr std::size_t least_prefix = 3;

std::string lower_case(std::string_view text) {
    std::string result(text);
    for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

}   // namespace

// Debian 12 has no RapidFuzz for C++.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    // rows[0][j]: distance of the first i characters of a to the first j of b; rows[1], rows[2]: of i - 1 and i - 2.
    std::array<std::vector<std::size_t>, 3> rows;
    rows.fill(std::vector<std::size_t>(b.size() + 1));
    std::iota(rows[0].begin(), rows[0].end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::rotate(rows.begin(), rows.end() - 1, rows.end());
        rows[0][0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = rows[1][j - 1] + (a[i - 1] != b[j - 1]);
            rows[0][j] = std::min({rows[1][j] + 1, rows[0][j - 1] + 1, replaced});
            const bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (exchanged) rows[0][j] = std::min(rows[0][j], rows[2][j - 2] + 1);
        }
    }
    return rows[0][b.size()];
}

std::string_view nearest_name(std::string_view wrong, std::span<const std::string_view> names) {
    std::string_view best;
    std::size_t best_distance = static_cast<std::size_t>(-1);
    const std::string wrong_lower = lower_case(wrong);
    for (const std::string_view name : names) {
        const std::size_t distance = edit_distance(wrong_lower, lower_case(name));
        if (distance > std::max<std::size_t>(1, name.size() / 3) || distance >= best_distance) continue;
        best = name;
        best_distance = distance;
    }
    if (!best.empty() || wrong.size() < least_prefix) return best;
    const auto continued = std::find_if(
        names.begin(), names.end(), [&](std::string_view name) { return lower_case(name).starts_with(wrong_lower); });
    return continued == names.end() ? "" : *continued;
}

std::string bare_word(std::string_view word) {
    std::string bare = lower_case(word);
    std::erase_if(bare, [](char c) { return c == '-' || c == '_' || c == ' '; });
    return bare;
}

std::string did_you_mean(std::string_view wrong, std::span<const std::string_view> names) {
    const std::string_view name = nearest_name(wrong, names);
    return name.empty() ? "" : fmt::format(" (did you mean {}?)", name);
}

}   // namespace oscar

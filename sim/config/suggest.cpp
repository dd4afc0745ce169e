#include "sim/config/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>
#include <vector>

namespace oscar {
namespace {

std::string lower_case(std::string_view text) {
    std::string result(text);
    for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

}   // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);   // row[j]: distance of the first i characters of a to the first j of b
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, replaced}));
        }
    }
    return row[b.size()];
}

std::string_view nearest_name(std::string_view wrong, std::span<const std::string_view> known) {
    std::string_view best;
    std::size_t best_distance = static_cast<std::size_t>(-1);
    const std::string wrong_lower = lower_case(wrong);
    for (const std::string_view name : known) {
        const std::size_t distance = edit_distance(wrong_lower, lower_case(name));
        if (distance > std::max<std::size_t>(1, name.size() / 3) || distance >= best_distance) continue;
        best = name;
        best_distance = distance;
    }
    return best;
}

std::string did_you_mean(std::string_view wrong, std::span<const std::string_view> known) {
    const std::string_view name = nearest_name(wrong, known);
    return name.empty() ? "" : fmt::format(" (did you mean {}?)", name);
}

}   // namespace oscar

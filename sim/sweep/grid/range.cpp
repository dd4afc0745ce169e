#include "sim/sweep/grid/range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "sim/config/read.hpp"

namespace oscar {
namespace {

constexpr std::size_t whole_digits = 12, decimals = 6;
constexpr std::int64_t one = 1'000'000;   // 10^decimals: numbers are whole millionths, so every value is exact
constexpr std::size_t most_values = 10'000;

/// A number in millionths and what follows it.
struct ScaledNumber {
    std::int64_t millionths;
    std::string unit;
};

std::size_t count_digits(std::string_view text) {
    return static_cast<std::size_t>(
        std::find_if_not(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); }) - text.begin());
}

std::int64_t whole_number(std::string_view digits) {
    std::int64_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
}

[[noreturn]] void refuse_number(const ConfigNode& node) {
    node.fail(fmt::format("{} is no number of up to {} digits and {} decimals; write it like 4, 0.5 or 10Gbps",
                          in_quotes(node.text), whole_digits, decimals));
}

ScaledNumber number_at(const ConfigNode& node) {
    std::string_view rest = node.text;
    const bool negative = rest.starts_with('-');
    if (negative) rest.remove_prefix(1);
    const std::size_t whole = count_digits(rest);
    if (whole == 0 || whole > whole_digits) refuse_number(node);
    std::int64_t millionths = one * whole_number(rest.substr(0, whole));
    rest.remove_prefix(whole);
    if (rest.starts_with('.')) {
        rest.remove_prefix(1);
        const std::size_t fraction = count_digits(rest);
        if (fraction == 0 || fraction > decimals) refuse_number(node);
        millionths += whole_number(std::string(rest.substr(0, fraction)).append(decimals - fraction, '0'));
        rest.remove_prefix(fraction);
    }
    if (rest.find_first_of("0123456789.+-") != std::string_view::npos) refuse_number(node);
    return {negative ? -millionths : millionths, std::string(rest)};
}

/// The number at the entry `key` of a range that starts with `from`.
std::int64_t number_like(const ConfigNode& range, std::string_view key, const ScaledNumber& from) {
    const ConfigNode node = range.child(key);
    const ScaledNumber number = number_at(node);
    if (number.unit != from.unit)
        node.fail(fmt::format("{} has another unit than from; write all of a range in one unit", in_quotes(node.text)));
    return number.millionths;
}

std::string to_text(std::int64_t millionths, const std::string& unit) {
    const std::uint64_t size = static_cast<std::uint64_t>(millionths < 0 ? -millionths : millionths);
    std::string fraction = fmt::format("{:06}", size % one);
    fraction.erase(fraction.find_last_not_of('0') + 1);
    return fmt::format("{}{}{}{}{}", millionths < 0 ? "-" : "", size / one, fraction.empty() ? "" : ".", fraction,
                       unit);
}

}   // namespace

std::vector<std::string> read_range(const ConfigNode& node) {
    const auto params = read_params<RangeParams>(node);
    require_keys(node, {"from", "to"});
    const ScaledNumber from = number_at(node.child("from"));
    const std::int64_t to = number_like(node, "to", from);
    if (params.step.empty() == !params.factor)
        node.fail("needs either step or factor; write it like {from: 4, to: 16, step: 4}");
    const std::int64_t step = params.factor ? 1 : number_like(node, "step", from);
    if (step <= 0) node.child("step").fail("is not greater than zero; choose a positive step");
    if (params.factor && from.millionths <= 0) node.child("from").fail("must be greater than zero where a factor is");
    if (from.millionths > to) node.fail("is empty, for from is beyond to; swap them");

    std::vector<std::string> values;
    for (std::int64_t value = from.millionths; value <= to;) {
        if (values.size() == most_values)
            node.fail(fmt::format("has more than {} values; widen the step", most_values));
        values.push_back(to_text(value, from.unit));
        if (params.factor && value > to / *params.factor) break;   // the next one would be beyond `to`
        value = params.factor ? value * *params.factor : value + step;
    }
    return values;
}

}   // namespace oscar

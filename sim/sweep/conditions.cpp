#include "sim/sweep/conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "sim/config/error.hpp"
#include "sim/config/suggest.hpp"
#include "sim/sweep/database.hpp"

namespace oscar {
namespace {

std::string without_blanks(std::string text) {
    std::erase(text, ' ');
    return text;
}

double limit_in(const std::string& text, const std::string& number) {
    double limit = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), limit);
    if (error != std::errc{} || end != number.data() + number.size() || !std::isfinite(limit))
        throw InputError(
            fmt::format("--where {}: '{}' is no number; write it like relative_l2_error<0.05", text, number));
    return limit;
}

Condition read_condition(const std::string& text, const SweepPlan& plan) {
    const std::string words = without_blanks(text);
    const std::size_t begin = words.find_first_of("<>=");
    if (begin == std::string::npos || begin == 0)
        throw InputError(fmt::format(
            "--where {}: is no condition; write a figure, one of < <= > >= = and a number, like relative_l2_error<0.05",
            text));
    const std::size_t end = words.find_first_not_of('=', begin + 1);
    const std::string comparison = words.substr(begin, std::min(end, words.size()) - begin);
    if (comparison.size() > 2) throw InputError(fmt::format("--where {}: write one of < <= > >= =", text));
    Condition condition{words.substr(0, begin), comparison == "==" ? "=" : comparison, 0};
    require_figure("--where", condition.figure, plan);
    condition.limit = limit_in(text, end == std::string::npos ? "" : words.substr(end));
    return condition;
}

}   // namespace

void require_figure(std::string_view option, const std::string& figure, const SweepPlan& plan) {
    std::vector<std::string> figures = metric_names(plan.costed, plan.tiered);
    for (const std::string& method : plan.methods) figures.push_back(speedup_name(method));
    if (std::ranges::find(figures, figure) != figures.end()) return;
    const std::vector<std::string_view> names(figures.begin(), figures.end());
    throw InputError(fmt::format("{} {}: no such figure of a method{}; oscar-sim describe report lists them", option,
                                 figure, did_you_mean(figure, names)));
}

std::vector<Condition> read_conditions(const std::vector<std::string>& texts, const SweepPlan& plan) {
    std::vector<Condition> conditions;
    for (const std::string& text : texts)
        for (std::size_t begin = 0; begin <= text.size();) {
            const std::size_t end = std::min(text.find(',', begin), text.size());
            conditions.push_back(read_condition(text.substr(begin, end - begin), plan));
            begin = end + 1;
        }
    return conditions;
}

std::string Eligible::and_eligible() const {
    std::string text;
    for (const Condition& condition : conditions)
        text += fmt::format(" AND typeof({0}) IN ('integer', 'real') AND {0} {1} {2}",
                            sql::identifier(condition.figure), condition.comparison, condition.limit);
    for (const std::string& method : without) text += " AND method <> " + sql::literal(method);
    return text;
}

}   // namespace oscar

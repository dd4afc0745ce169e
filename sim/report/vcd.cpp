#include "sim/report/write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <vector>

namespace oscar {
namespace {

constexpr std::uint64_t first_letter = '!', letters = 94;   // printable characters of identifiers

std::string identifier(std::size_t number) {
    std::string id;
    do {
        id += static_cast<char>(first_letter + number % letters);
        number /= letters;
    } while (number > 0);
    return id;
}

int width_of(const Signal& signal) {
    std::uint64_t largest = 1;
    for (const SignalChange& change : signal.changes) largest = std::max(largest, change.value);
    return static_cast<int>(std::bit_width(largest));
}

std::string value_text(int width, std::uint64_t value, const std::string& id) {
    return width == 1 ? fmt::format("{}{}\n", value, id) : fmt::format("b{:b} {}\n", value, id);
}

std::vector<std::string> parts_of(const std::string& name) {
    std::vector<std::string> parts(1);
    for (const char c : name)
        if (c == '.') parts.emplace_back();
        else parts.back() += c;
    return parts;
}

/// Declares signals in order of their names, so that the signals of a scope are together.
std::string declarations(std::span<const Signal> signals, std::span<const std::size_t> order) {
    std::string text;
    std::vector<std::string> open;
    for (const std::size_t i : order) {
        std::vector<std::string> scopes = parts_of(signals[i].name);
        const std::string variable = scopes.back();
        scopes.pop_back();
        const auto common = static_cast<std::size_t>(std::ranges::mismatch(open, scopes).in1 - open.begin());
        for (; open.size() > common; open.pop_back()) text += "$upscope $end\n";
        for (; open.size() < scopes.size(); open.push_back(scopes[open.size()]))
            text += "$scope module " + scopes[open.size()] + " $end\n";
        text += fmt::format("$var wire {} {} {} $end\n", width_of(signals[i]), identifier(i), variable);
    }
    for (; !open.empty(); open.pop_back()) text += "$upscope $end\n";
    return text;
}

struct Change {
    SignalChange change;
    std::size_t signal;
};

std::vector<Change> in_order_of_time(std::span<const Signal> signals) {
    std::vector<Change> changes;
    for (std::size_t i = 0; i < signals.size(); ++i)
        for (const SignalChange& change : signals[i].changes) changes.push_back({change, i});
    std::ranges::stable_sort(changes, {}, [](const Change& c) { return c.change.at; });
    return changes;
}

}   // namespace

std::string to_vcd(std::span<const Signal> signals, const std::string& top) {
    std::vector<std::size_t> order(signals.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return parts_of(signals[i].name); });

    std::string text = "$timescale 1ps $end\n$scope module " + top + " $end\n" + declarations(signals, order) +
                       "$upscope $end\n$enddefinitions $end\n";
    std::vector<int> widths;
    for (const Signal& signal : signals) widths.push_back(width_of(signal));
    std::int64_t time = -1;
    for (const auto& [change, signal] : in_order_of_time(signals)) {
        if (change.at.ps != time) text += fmt::format("#{}\n", time = change.at.ps);
        text += value_text(widths[signal], change.value, identifier(signal));
    }
    return text;
}

}   // namespace oscar

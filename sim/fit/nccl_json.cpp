#include "sim/fit/nccl_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "sim/config/error.hpp"

namespace oscar {
namespace {

using nlohmann::json;

constexpr int deepest = 64;

/// A value of the file and the way to it, as "results[3].time".
struct Place {
    const json& value;
    std::string name;

    Place at(const char* key) const {
        if (!value.is_object() || !value.contains(key))
            throw InputError(fmt::format("{}has no {}; give what --output_file of all_reduce_perf wrote",
                                         name.empty() ? "" : name + ": ", key));
        return {value[key], name.empty() ? key : fmt::format("{}.{}", name, key)};
    }

    Place entry(std::size_t index) const { return {value[index], fmt::format("{}[{}]", name, index)}; }

    bool has(const char* key) const { return value.is_object() && value.contains(key) && !value[key].is_null(); }

    [[noreturn]] void fail(const char* due) const {
        throw InputError(fmt::format("{} is no {}; give the file as it was written", name, due));
    }

    std::string text() const { return value.is_string() ? value.get<std::string>() : (fail("text"), ""); }

    /// A number of 0 or more, below 1e15.
    double number() const {
        if (value.is_number())
            if (const double found = value.get<double>(); found >= 0 && found < 1e15) return found;
        fail("number of 0 or more");
    }

    std::size_t size() const { return value.is_array() ? value.size() : (fail("list"), 0); }
};

json parse(const std::string& text) try {
    return json::parse(text, [](int depth, json::parse_event_t, json&) {
        if (depth > deepest)
            throw InputError(fmt::format("is nested deeper than {}; give the file as written", deepest));
        return true;
    });
} catch (const json::parse_error& error) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
    throw InputError(fmt::format("line {}: is no whole JSON; give the file as it was written",
                                 1 + std::count(text.begin(), end, '\n')));
} catch (const json::exception&) {   // a number out of range
    throw InputError("holds a number that is too large; give the file as it was written");
}

/// Ranks of a process stand one behind the other, and only the first of them is listed.
void add_devices(const Place& config, MeasuredRows& rows) {
    const Place devices = config.at("devices");
    const double of_process = config.at("nthreads").number() * config.at("ngpus").number();
    if (!(of_process >= 1 && of_process <= 65536)) config.fail("number of GPUs a process");
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const double first = devices.entry(i).at("rank").number();
        if (first > 65536) devices.entry(i).at("rank").fail("rank");
        for (std::uint32_t k = 0; k < static_cast<std::uint32_t>(of_process); ++k)
            rows.add_device(static_cast<std::uint32_t>(first) + k, devices.entry(i).at("hostname").text(),
                            devices.entry(i).name);
    }
}

/// The root is a text with blanks before its number.
double root_of(const Place& root) {
    const std::string text = root.text();
    if (const auto found = number_in(text.substr(std::min(text.find_first_not_of(' '), text.size())))) return *found;
    root.fail("rank");
}

MeasuredRow row_of(const Place& found) {
    const Place half = found.at(found.has("out_of_place") ? "out_of_place" : "in_place");
    if (half.has("cpu_time")) throw InputError(half.name + " has CPU times; run without --report_cputime");
    MeasuredRow row{found.name, found.at("redop").text(), root_of(found.at("root")), found.at("size").number()};
    row.time_us = half.at("time").number();
    row.algbw = half.at("alg_bw").number();
    row.busbw = half.at("bus_bw").number();
    row.wrong = half.has("nwrong") ? half.at("nwrong").number() : 0;
    return row;
}

}   // namespace

bool is_nccl_json(const std::string& text) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    return begin != std::string::npos && text[begin] == '{';
}

MeasuredRows read_nccl_json(const std::string& text) {
    const json document = parse(text);
    const Place root{document, ""};
    MeasuredRows rows;
    if (root.has("args") && root.at("args").size() > 0) rows.add_program(root.at("args").entry(0).text(), "args[0]");
    if (root.has("config")) add_devices(root.at("config"), rows);
    const Place results = root.at("results");
    for (std::size_t i = 0; i < results.size(); ++i) rows.add(row_of(results.entry(i)));
    return rows;
}

}   // namespace oscar

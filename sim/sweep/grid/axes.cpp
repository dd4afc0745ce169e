#include "sim/sweep/grid/axes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/config/read.hpp"
#include "sim/sweep/grid/range.hpp"

namespace oscar {
namespace {

constexpr std::string_view example = "write it like {key: ranks, values: [4, 8]}";

void check_key(const ConfigNode& node, std::string_view key) {
    if (key.empty() || key.starts_with('.') || key.ends_with('.') || key.find("..") != std::string_view::npos)
        node.fail_at_key("has an empty key in its path; write it like network.link.bandwidth");
}

std::vector<ConfigNode> range_values(const ConfigNode& range) {
    std::vector<ConfigNode> values;
    for (const std::string& text : read_range(range)) {
        ConfigNode& value = values.emplace_back();
        value.form = ConfigNode::Form::scalar;
        value.text = text;
        value.location = range.location;
    }
    return values;
}

std::vector<ConfigNode> listed_values(const ConfigNode& list) {
    require_list(list);
    if (list.children.empty()) list.fail(fmt::format("is empty; {}", example));
    return list.children;
}

/// The alternatives of one key.
Axis read_column(const ConfigNode& node) {
    require_map(node, {"key", "values", "range"});
    require_keys(node, {"key"});
    const ConfigNode key = node.child("key");
    Setting setting;
    read(key, setting.key);
    check_key(key, setting.key);
    const ConfigNode *values = node.find("values"), *range = node.find("range");
    if ((values == nullptr) == (range == nullptr)) node.fail(fmt::format("needs either values or range; {}", example));
    Axis column;
    for (ConfigNode& value : values != nullptr ? listed_values(*values) : range_values(*range)) {
        setting.value = std::move(value);
        setting.value.key_location = key.location;
        column.push_back({setting});
    }
    return column;
}

/// Side by side: alternative number n sets what number n of each column sets.
Axis read_zip(const ConfigNode& node) {
    require_map(node, {"zip"});
    const ConfigNode list = node.child("zip");
    require_list(list);
    if (list.children.size() < 2) list.fail(fmt::format("needs two keys or more; {}", example));
    Axis zipped = read_column(list.children.front());
    for (std::size_t i = 1; i < list.children.size(); ++i) {
        const Axis column = read_column(list.children[i]);
        if (column.size() != zipped.size())
            list.children[i].fail(fmt::format("has {} values, the first key of the zip has {}; make them equally long",
                                              column.size(), zipped.size()));
        for (std::size_t n = 0; n < column.size(); ++n) zipped[n].push_back(column[n].front());
    }
    return zipped;
}

}   // namespace

Axis read_axis(const ConfigNode& node) {
    require_map(node, {"key", "values", "range", "zip"});
    return node.find("zip") != nullptr ? read_zip(node) : read_column(node);
}

Settings read_settings(const ConfigNode& node) {
    Settings settings;
    if (node.form != ConfigNode::Form::map && node.form != ConfigNode::Form::null)
        node.fail(fmt::format("is {}, but a map is due; write it like {{ranks: 4, network.link.bandwidth: 25Gbps}}",
                              to_text(node.form)));
    for (const ConfigNode& value : node.children) {
        check_key(value, value.key);
        settings.push_back({value.key, value});
    }
    return settings;
}

std::vector<Settings> grid(const std::vector<Axis>& axes) {
    std::vector<Settings> points{{}};
    for (const Axis& axis : axes) {
        std::vector<Settings> longer;
        longer.reserve(points.size() * axis.size());
        for (const Settings& point : points)
            for (const Settings& choice : axis) {
                longer.push_back(point);
                longer.back().insert(longer.back().end(), choice.begin(), choice.end());
            }
        points = std::move(longer);
    }
    return points;
}

std::string flow_text(const ConfigNode& value) {
    std::vector<std::string> entries;
    const bool map = value.form == ConfigNode::Form::map;
    for (const ConfigNode& entry : value.children)
        entries.push_back(map ? fmt::format("{}: {}", entry.key, flow_text(entry)) : flow_text(entry));
    switch (value.form) {
        case ConfigNode::Form::null:
            return "null";
        case ConfigNode::Form::scalar:
            return value.text;
        case ConfigNode::Form::list:
            return fmt::format("[{}]", fmt::join(entries, ", "));
        case ConfigNode::Form::map:
            break;
    }
    return fmt::format("{{{}}}", fmt::join(entries, ", "));
}

std::string to_text(const Settings& settings) {
    std::vector<std::string> parts;
    for (const Setting& setting : settings)
        parts.push_back(fmt::format("{}={}", setting.key, flow_text(setting.value)));
    return fmt::format("{}", fmt::join(parts, " "));
}

}   // namespace oscar

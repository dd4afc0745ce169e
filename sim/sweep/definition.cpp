#include "sim/sweep/definition.hpp"

#include <fmt/format.h>

#include <set>

#include "sim/config/base.hpp"
#include "sim/config/file_kind.hpp"
#include "sim/config/load.hpp"
#include "sim/config/read.hpp"

namespace oscar {
namespace {

void read_base(const ConfigNode& node, const std::filesystem::path& file, SweepDefinition& sweep) {
    if (node.form == ConfigNode::Form::map) {
        sweep.base_file = file;
        for (const ConfigNode& entry : node.children) set_value(sweep.base, entry.key, entry);
        sweep.base.form = ConfigNode::Form::map;
        sweep.base.location = node.location;
        sweep.base = over_its_bases(std::move(sweep.base), file);
        return;
    }
    sweep.base_file = find_base(node, file);
    sweep.base = over_its_bases(load_config(sweep.base_file), sweep.base_file);
}

void check_axes(const ConfigNode& node, const std::vector<Axis>& axes) {
    std::set<std::string> keys;
    for (std::size_t i = 0; i < axes.size(); ++i)
        for (const Setting& setting : axes[i].front())
            if (!keys.insert(setting.key).second)
                node.children[i].fail(fmt::format("sets {}, as an axis before it; remove one", setting.key));
}

std::vector<Settings> whole_grid(const ConfigNode& node, const std::vector<Axis>& axes) {
    std::size_t points = 1;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        points *= axes[i].size();
        if (points > most_points)
            node.children[i].fail(fmt::format(
                "makes more than {} points; shorten an axis, or draw from the grid with sample: {{points: 100}}",
                most_points));
    }
    return grid(axes);
}

std::vector<Settings> drawn_points(const ConfigNode& axes_node, const ConfigNode& node, const std::vector<Axis>& axes) {
    SampleParams params;
    read(node, params);
    const auto points = points_of(axes);
    if (!points) axes_node.fail("make a grid of more than 2^62 points; shorten an axis");
    if (params.points > *points)
        node.fail(fmt::format("draws {} points of a grid that has {}; leave sample out", params.points, *points));
    auto drawn = sample(axes, params);
    if (!drawn)
        node.fail(
            "finds no Latin hypercube of as many distinct points in this grid; draw fewer, or write kind: random");
    return std::move(*drawn);
}

}   // namespace

std::vector<std::string> SweepDefinition::keys() const {
    std::vector<std::string> result;
    for (const Axis& axis : axes)
        for (const Setting& setting : axis.front()) result.push_back(setting.key);
    return result;
}

SweepDefinition load_sweep(const std::filesystem::path& file) {
    const ConfigNode root = load_config(file);
    require_file_kind(root, FileKind::sweep);
    require_map(root, {"base", "set", "axes", "sample"});
    require_keys(root, {"base", "axes"});
    SweepDefinition sweep;
    read_base(root.child("base"), file, sweep);
    for (const Setting& setting : read_settings(root.child("set"))) set_value(sweep.base, setting.key, setting.value);
    const ConfigNode axes = root.child("axes");
    require_list(axes);
    if (axes.children.empty()) axes.fail("is empty; write it like [{key: ranks, values: [4, 8]}]");
    for (const ConfigNode& axis : axes.children) sweep.axes.push_back(read_axis(axis));
    check_axes(axes, sweep.axes);
    const ConfigNode* drawn = root.find("sample");
    sweep.points = drawn == nullptr ? whole_grid(axes, sweep.axes) : drawn_points(axes, *drawn, sweep.axes);
    return sweep;
}

Experiment experiment_of(const SweepDefinition& sweep, const Settings& point) {
    ConfigNode source = sweep.base;
    for (const Setting& setting : point) set_value(source, setting.key, setting.value);
    return make_experiment(std::move(source), sweep.base_file);
}

}   // namespace oscar

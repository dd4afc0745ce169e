// The axes of a sweep, and the points of their grid.
#pragma once

#include <string>
#include <vector>

#include "sim/config/node.hpp"

namespace oscar {

/// A value for the parameter at the dotted path `key`. The value keeps the place where the sweep file has it.
struct Setting {
    std::string key;
    ConfigNode value;
};
using Settings = std::vector<Setting>;

/// Alternatives, at least one, that each set the same keys in the same order: one key, or the keys of a zip.
using Axis = std::vector<Settings>;

/// {key: ranks, values: [4, 8]}, {key: ranks, range: {from: 4, to: 16, step: 4}}, or {zip: [several of those, equally
/// long]}. ConfigError otherwise.
Axis read_axis(const ConfigNode& node);

/// A map from dotted keys to values.
Settings read_settings(const ConfigNode& node);

/// Every combination of the axes' alternatives, the last axis varying fastest. Law: the product of the axes' sizes; one
/// point without settings if there is no axis.
std::vector<Settings> grid(const std::vector<Axis>& axes);

/// The value as YAML in one line: `8`, `[fp32, asc]`, `{kind: max}`.
std::string flow_text(const ConfigNode& value);

/// `ranks=4 quantiser.bits=8`, for people.
std::string to_text(const Settings& settings);

}   // namespace oscar

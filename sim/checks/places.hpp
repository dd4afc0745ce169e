// Places of problems: the entry of a configuration that a path or a problem names.
#pragma once

#include <string_view>

#include "sim/config/node.hpp"

namespace oscar {

/// The entry of `node` at a dotted path.
inline ConfigNode at_path(const ConfigNode& node, std::string_view path) {
    const std::size_t dot = path.find('.');
    const ConfigNode next = node.child(path.substr(0, dot));
    return dot == path.npos ? next : at_path(next, path.substr(dot + 1));
}

/// Throws ConfigError at the entry of `node` whose key a problem begins with, as `island: 3 does not divide 8 ranks`
/// does; at `node` where it begins with no key.
[[noreturn]] inline void fail_with(const ConfigNode& node, std::string_view problem) {
    constexpr std::string_view of_keys = "abcdefghijklmnopqrstuvwxyz_";
    const std::size_t end = problem.find_first_not_of(of_keys);
    if (end == 0 || !problem.substr(end == problem.npos ? problem.size() : end).starts_with(": ")) node.fail(problem);
    node.child(problem.substr(0, end)).fail(problem.substr(end + 2));
}

}   // namespace oscar

// Places in a configuration by dotted paths.
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

}   // namespace oscar

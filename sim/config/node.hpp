// A configuration as a value tree in which every node knows where it was written.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/error.hpp"

namespace oscar {

/// The place where a value was written. Lines and columns count from 1; line 0 means that the source has none, as the
/// text `--set path.to.key=VALUE` of an override.
struct Location {
    std::string source;
    std::uint32_t line = 0, column = 0;

    /// `ring8.yaml:12:5`, or the source alone.
    std::string text() const;
};

/// One value: nothing, a text, a list or a map. A plain value that owns its children; copies are independent.
struct ConfigNode {
    enum class Form : std::uint8_t { null, scalar, list, map };

    Form form = Form::null;
    std::string text;                   ///< of a scalar
    std::vector<ConfigNode> children;   ///< entries of a list or a map, as written; the keys of a map are distinct
    std::string key;         ///< name in the map, or index in the list, that holds this node; empty at the root
    std::string path;        ///< dotted keys from the root: `network.link.bandwidth`, `methods.0`
    Location location;       ///< of the value
    Location key_location;   ///< of the key; in a list that of the value
    std::string of_kind;    ///< the kind for which it was written, where another has come over it (overlay); else empty
    std::string replaced;   ///< what it replaced as a whole (overlay), in words; empty where nothing was lost

    /// The entry `name` of a map, or entry number `name` of a list; none if there is no such entry.
    const ConfigNode* find(std::string_view name) const;

    /// The entry that find gives, or a null node with the right path and the location of this node if it is missing.
    ConfigNode child(std::string_view name) const;

    /// Throws ConfigError at the value: `LOCATION: PATH: what`.
    [[noreturn]] void fail(std::string_view what) const;
    /// Throws ConfigError at the key.
    [[noreturn]] void fail_at_key(std::string_view what) const;
};

/// "nothing", "a single value", "a list" or "a map".
std::string_view to_text(ConfigNode::Form form);

/// The path of the entry `key` of the node at `parent`.
std::string join_path(std::string_view parent, std::string_view key);

}   // namespace oscar

// Parameter sets read from a configuration by walking their field tables. Every error says where and how to write it.
//
// read(node, value) overwrites what the node names and keeps the rest of `value`, so member initialisers are the
// defaults; a null node changes nothing. Types of other modules join by an overload in their own namespace, which is
// found through its arguments, also as entry of a list or member of a parameter set:
//
//     struct Method { std::string name; OneOf<codecs> codec; };
//     void read(const ConfigNode& node, Method& method) {      // {kind: asc, lanes: 64, name: wide}, or the text asc
//         read_kind(node, method.codec, {"name"});
//         read_key(node, "name", method.name);
//     }
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/core/fields.hpp"
#include "models/core/kinds.hpp"
#include "sim/config/node.hpp"
#include "sim/config/text.hpp"

namespace oscar {

// Single values. ConfigError: a list or map, text that is none of the type, a quantity without its unit.
void read(const ConfigNode& node, bool& value);            ///< true or false
void read(const ConfigNode& node, std::uint32_t& value);   ///< decimal digits
void read(const ConfigNode& node, std::uint64_t& value);   ///< decimal digits
void read(const ConfigNode& node, int& value);             ///< decimal digits, perhaps after a minus
void read(const ConfigNode& node, double& value);          ///< finite
void read(const ConfigNode& node, std::string& value);     ///< any single value, as it is written
void read(const ConfigNode& node, Time& value);            ///< like 500ns
void read(const ConfigNode& node, Bytes& value);           ///< like 64KiB
void read(const ConfigNode& node, Bandwidth& value);       ///< like 400Gbps
void read(const ConfigNode& node, Frequency& value);       ///< like 1GHz
void read(const ConfigNode& node, Area& value);            ///< like 775um2
void read(const ConfigNode& node, Energy& value);          ///< like 0.87pJ
void read(const ConfigNode& node, Power& value);           ///< like 3.1uW
void read(const ConfigNode& node, EnergyPerBit& value);    ///< like 5.5pJ/bit

/// The text of one of choices(value).
template <ChoiceEnum E>
void read(const ConfigNode& node, E& value);

/// A map from keys of the field table. ConfigError: an unknown key, a value outside the range of its field.
template <FieldTable P>
void read(const ConfigNode& node, P& params);

/// A map with the parameters of the chosen kind and its name under `kind`, or the name alone. Without `kind` the
/// parameters belong to the kind that `value` holds: the default.
template <const auto& List>
void read(const ConfigNode& node, OneOf<List>& value);

/// null is "none"; anything else is a T.
template <class T>
void read(const ConfigNode& node, std::optional<T>& value);

/// A list; it replaces what `values` held.
template <class T>
void read(const ConfigNode& node, std::vector<T>& values);

/// The parameters at `node` over the defaults of `P`.
template <FieldTable P>
P read_params(const ConfigNode& node) {
    P params{};
    read(node, params);
    return params;
}

/// Reads a OneOf from a map that may also hold `extra_keys`, which belong to its owner; for the rest see read.
template <const auto& List>
void read_kind(const ConfigNode& node, OneOf<List>& value, std::initializer_list<std::string_view> extra_keys = {});

/// Reads the entry `key` of a map into `value` if there is one.
template <class T>
void read_key(const ConfigNode& node, std::string_view key, T& value) {
    if (const ConfigNode* entry = node.find(key)) read(*entry, value);
}

/// ConfigError unless the map `node` holds each of `keys` with a value.
void require_keys(const ConfigNode& node, std::initializer_list<std::string_view> keys);

/// ConfigError unless `node` is a list.
void require_list(const ConfigNode& node);

/// ConfigError unless `node` is a map whose keys are all in `valid_keys`.
void require_map(const ConfigNode& node, std::vector<std::string_view> valid_keys);

}   // namespace oscar

#include "sim/config/read_impl.hpp"

// The templates of read.hpp. Include that instead.
#pragma once

#include <algorithm>

#include "sim/config/read.hpp"

namespace oscar {
namespace read_detail {

/// The position in `names` of the text at `node`. ConfigError with suggestion and list if it is none of them.
std::size_t choose(const ConfigNode& node, std::span<const std::string_view> names);

/// ConfigError unless the entry of a list holds a value.
void require_value(const ConfigNode& entry);

/// The node that names the kind: `node` itself, its entry `kind`, or none.
const ConfigNode* kind_node(const ConfigNode& node);

/// A whole number; ConfigError, which names [min, max], if it is none of the type.
template <WholeNumber T>
void read_whole_number(const ConfigNode& node, T& value, T min, T max);

/// ConfigError: the value at `node` is outside [min, max], which are given as text.
[[noreturn]] void fail_range(const ConfigNode& node, const std::string& min, const std::string& max);

/// The parameter `entry` belongs to `kinds`, but its map names none and so is of the kind `held`.
[[noreturn]] void fail_without_kind(const ConfigNode& entry, std::string_view held,
                                    std::span<const std::string_view> kinds);

/// Reads `value`; ConfigError if it is outside [min, max].
template <Ranged T>
void read_within(const ConfigNode& node, T& value, const T& min, const T& max) {
    if constexpr (WholeNumber<T>) read_whole_number(node, value, min, max);
    else read(node, value);
    if (node.form != ConfigNode::Form::null && (value < min || max < value))
        fail_range(node, plain_text(min), plain_text(max));
}

/// Reads a field; ConfigError if it is bounded and the value is outside its range.
template <class Owner, class T>
void read_field(const ConfigNode& node, const Field<Owner, T>& field, T& value) {
    if constexpr (Ranged<T>) {
        if (field.bounded) return read_within(node, value, field.min, field.max);
    }
    read(node, value);
}

/// Reads an optional field, whose range binds all values but null.
template <class Owner, class T>
void read_field(const ConfigNode& node, const Field<Owner, std::optional<T>>& field, std::optional<T>& value) {
    if constexpr (Ranged<T>) {
        if (field.bounded && node.form != ConfigNode::Form::null) {
            if (!value) value.emplace();
            return read_within(node, *value, *field.min, *field.max);
        }
    }
    read(node, value);
}

/// Reads the fields that the map `node` names; the others keep their values. ConfigError: a key that is neither a field
/// nor in `extra_keys`.
template <FieldTable P>
void read_fields(const ConfigNode& node, P& params, std::vector<std::string_view> extra_keys) {
    for_each_field<P>([&](const auto& field) { extra_keys.push_back(field.key); });
    require_map(node, std::move(extra_keys));
    for_each_field<P>([&](const auto& field) {
        if (const ConfigNode* entry = node.find(field.key)) read_field(*entry, field, params.*field.member);
    });
}

/// Holds kind number `kind` with its defaults; if it is held already, its parameters stay.
template <const auto& List>
void hold_kind(OneOf<List>& value, std::size_t kind) {
    if (value.params.index() == kind) return;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        ((I == kind ? void(value.params.template emplace<I>()) : void()), ...);
    }
    (std::make_index_sequence<std::variant_size_v<typename OneOf<List>::Variant>>{});
}

template <FieldTable P>
bool has_field(std::string_view key) {
    bool found = false;
    for_each_field<P>([&](const auto& field) { found = found || field.key == key; });
    return found;
}

/// The kinds of `List` that have the parameter `key`.
template <const auto& List>
std::vector<std::string_view> kinds_with(std::string_view key) {
    std::vector<std::string_view> kinds;
    for_each_kind(List, [&]<class P>(const Kind<P>& kind) {
        if (has_field<P>(key)) kinds.push_back(kind.name);
    });
    return kinds;
}

/// True if the kind that `value` holds, or the owner of the map, has the parameter `key`.
template <const auto& List>
bool has_key(const OneOf<List>& value, std::span<const std::string_view> extra, std::string_view key) {
    const bool is_field = std::visit([&]<class P>(const P&) { return has_field<P>(key); }, value.params);
    return is_field || std::find(extra.begin(), extra.end(), key) != extra.end();
}

/// ConfigError if the map `node`, which names no kind, has a key that only kinds other than that of `value` know.
template <const auto& List>
void require_no_kind_needed(const ConfigNode& node, const OneOf<List>& value, std::span<const std::string_view> extra) {
    for (const ConfigNode& entry : node.children) {
        if (has_key(value, extra, entry.key)) continue;
        const std::vector<std::string_view> kinds = kinds_with<List>(entry.key);
        if (!kinds.empty()) fail_without_kind(entry, value.name(), kinds);
    }
}

/// Calls `read` with the map `node` without the entries that were written for another kind (ConfigNode::of_kind) and
/// that the one of `value` does not have. What no kind has stays, to be refused.
template <const auto& List>
void read_own_entries(const ConfigNode& node, const OneOf<List>& value, std::span<const std::string_view> extra,
                      auto&& read) {
    const auto is_foreign = [&](const ConfigNode& entry) {
        return !entry.of_kind.empty() && !has_key(value, extra, entry.key) && !kinds_with<List>(entry.key).empty();
    };
    if (std::none_of(node.children.begin(), node.children.end(), is_foreign)) return read(node);
    ConfigNode own = node;
    std::erase_if(own.children, is_foreign);
    read(own);
}

}   // namespace read_detail

template <ChoiceEnum E>
void read(const ConfigNode& node, E& value) {
    if (node.form == ConfigNode::Form::null) return;
    std::vector<std::string_view> names;
    for (const auto& choice : choices(value)) names.push_back(choice.text);
    value = choices(value)[read_detail::choose(node, names)].value;
}

template <FieldTable P>
void read(const ConfigNode& node, P& params) {
    if (node.form != ConfigNode::Form::null) read_detail::read_fields(node, params, {});
}

template <const auto& List>
void read_kind(const ConfigNode& node, OneOf<List>& value, std::initializer_list<std::string_view> extra_keys) {
    if (node.form == ConfigNode::Form::null) return;
    if (const ConfigNode* name = read_detail::kind_node(node)) {
        std::vector<std::string_view> names;
        for_each_kind(List, [&](const auto& kind) { names.push_back(kind.name); });
        read_detail::hold_kind(value, read_detail::choose(*name, names));
    }
    if (node.form == ConfigNode::Form::scalar) return;
    std::vector<std::string_view> keys(extra_keys);
    if (read_detail::kind_node(node) == nullptr) read_detail::require_no_kind_needed(node, value, keys);
    keys.push_back("kind");
    read_detail::read_own_entries(node, value, keys, [&](const ConfigNode& own) {
        std::visit([&](auto& params) { read_detail::read_fields(own, params, keys); }, value.params);
    });
}

template <const auto& List>
void read(const ConfigNode& node, OneOf<List>& value) {
    read_kind(node, value);
}

template <class T>
void read(const ConfigNode& node, std::optional<T>& value) {
    if (node.form == ConfigNode::Form::null) return value.reset();
    if (!value) value.emplace();
    read(node, *value);
}

template <class T>
void read(const ConfigNode& node, std::vector<T>& values) {
    if (node.form == ConfigNode::Form::null) return;
    require_list(node);
    values.clear();
    for (const ConfigNode& entry : node.children) {
        read_detail::require_value(entry);
        T value{};
        read(entry, value);
        values.push_back(std::move(value));
    }
}

}   // namespace oscar

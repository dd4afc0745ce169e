// The templates of read.hpp. Include that instead.
#pragma once

#include "sim/config/read.hpp"

namespace oscar::inline config {
namespace read_detail {

/// The position in `names` of the text at `node`. ConfigError with suggestion and list if it is none of them.
std::size_t choose(const ConfigNode& node, std::span<const std::string_view> names);

/// ConfigError unless the entry of a list holds a value.
void require_value(const ConfigNode& entry);

/// The node that names the kind: `node` itself, its entry `kind`, or none.
const ConfigNode* kind_node(const ConfigNode& node);

[[noreturn]] void fail_range(const ConfigNode& node, const std::string& min, const std::string& max);

template <class Owner, class T>
void check_range(const ConfigNode& node, const Field<Owner, T>& field, const T& value) {
    if constexpr (Ranged<T>) {
        if (field.bounded && (value < field.min || field.max < value))
            fail_range(node, plain_text(field.min), plain_text(field.max));
    }
}

template <class Owner, class T>
void check_range(const ConfigNode& node, const Field<Owner, std::optional<T>>& field, const std::optional<T>& value) {
    if constexpr (Ranged<T>) {
        if (field.bounded && value && (*value < *field.min || *field.max < *value))
            fail_range(node, plain_text(*field.min), plain_text(*field.max));
    }
}

template <FieldTable P>
void read_fields(const ConfigNode& node, P& params, std::vector<std::string_view> known) {
    for_each_field<P>([&](const auto& field) { known.push_back(field.key); });
    require_map(node, std::move(known));
    for_each_field<P>([&](const auto& field) {
        const ConfigNode* entry = node.find(field.key);
        if (entry == nullptr) return;
        read(*entry, params.*field.member);
        if (entry->form != ConfigNode::Form::null) check_range(*entry, field, params.*field.member);
    });
}

/// Holds kind number `wanted` with its defaults; if it is held already, its parameters stay.
template <const auto& List>
void hold_kind(OneOf<List>& value, std::size_t wanted) {
    if (value.params.index() == wanted) return;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        ((I == wanted ? void(value.params.template emplace<I>()) : void()), ...);
    }
    (std::make_index_sequence<std::variant_size_v<typename OneOf<List>::Variant>>{});
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
    std::vector<std::string_view> known(extra_keys);
    known.push_back("kind");
    std::visit([&](auto& params) { read_detail::read_fields(node, params, known); }, value.params);
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

}   // namespace oscar::inline config

#include "sim/config/read.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "models/core/quantity.hpp"
#include "sim/config/suggest.hpp"

namespace oscar {
namespace {

using Form = ConfigNode::Form;

void require_scalar(const ConfigNode& node, std::string_view example) {
    if (node.form != Form::scalar)
        node.fail(fmt::format("is {}, but a single value is due; write it like {}", to_text(node.form), example));
}

template <class T>
void read_any(const ConfigNode& node, T& value) {
    read_detail::read_whole_number(node, value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
}

template <class T, class Parse>
void read_quantity(const ConfigNode& node, T& value, std::string_view example, Parse parse) {
    if (node.form == Form::null) return;
    require_scalar(node, example);
    try {
        value = parse(node.text);
    } catch (const BadQuantity& error) {
        node.fail(error.what());
    }
}

}   // namespace

void read(const ConfigNode& node, bool& value) {
    if (node.form == Form::null) return;
    require_scalar(node, "true");
    if (node.text != "true" && node.text != "false")
        node.fail(fmt::format("{} is neither true nor false; write true or false", in_quotes(node.text)));
    value = node.text == "true";
}

void read(const ConfigNode& node, std::uint32_t& value) { read_any(node, value); }
void read(const ConfigNode& node, std::uint64_t& value) { read_any(node, value); }
void read(const ConfigNode& node, int& value) { read_any(node, value); }

void read(const ConfigNode& node, double& value) {
    if (node.form == Form::null) return;
    require_scalar(node, "0.5");
    const char* const end = node.text.data() + node.text.size();
    double number = 0;
    const auto [stop, error] = std::from_chars(node.text.data(), end, number);
    if (error != std::errc{} || stop != end || !std::isfinite(number))
        node.fail(fmt::format("{} is no finite number; write it like 0.5 or 1e-3", in_quotes(node.text)));
    value = number;
}

void read(const ConfigNode& node, std::string& value) {
    if (node.form == Form::null) return;
    require_scalar(node, "\"some text\"");
    value = node.text;
}

void read(const ConfigNode& node, Time& value) { read_quantity(node, value, "500ns", parse_time); }
void read(const ConfigNode& node, Bytes& value) { read_quantity(node, value, "64KiB", parse_bytes); }
void read(const ConfigNode& node, Bandwidth& value) { read_quantity(node, value, "400Gbps", parse_bandwidth); }
void read(const ConfigNode& node, Frequency& value) { read_quantity(node, value, "1GHz", parse_frequency); }
void read(const ConfigNode& node, Area& value) { read_quantity(node, value, "775um2", parse_area); }
void read(const ConfigNode& node, Energy& value) { read_quantity(node, value, "0.87pJ", parse_energy); }
void read(const ConfigNode& node, Power& value) { read_quantity(node, value, "3.1uW", parse_power); }
void read(const ConfigNode& node, EnergyPerBit& value) {
    read_quantity(node, value, "5.5pJ/bit", parse_energy_per_bit);
}

void require_keys(const ConfigNode& node, std::initializer_list<std::string_view> keys) {
    for (const std::string_view key : keys) {
        const ConfigNode entry = node.child(key);
        if (entry.form == Form::null) entry.fail(fmt::format("is missing; write {}: VALUE", key));
    }
}

void require_list(const ConfigNode& node) {
    if (node.form != Form::list)
        node.fail(fmt::format("is {}, but a list is due; write it like [first, second]", to_text(node.form)));
}

void require_map(const ConfigNode& node, std::vector<std::string_view> valid_keys) {
    std::sort(valid_keys.begin(), valid_keys.end());
    const std::string names = valid_keys.empty() ? "none" : fmt::format("{}", fmt::join(valid_keys, ", "));
    if (node.form != Form::map)
        node.fail(fmt::format("is {}, but a map of parameters is due; known: {}", to_text(node.form), names));
    for (const ConfigNode& entry : node.children)
        if (!std::binary_search(valid_keys.begin(), valid_keys.end(), entry.key))
            entry.fail_at_key(
                fmt::format("no such parameter{}; known: {}", did_you_mean(entry.key, valid_keys), names));
}

namespace read_detail {

template <WholeNumber T>
void read_whole_number(const ConfigNode& node, T& value, T min, T max) {
    if (node.form == Form::null) return;
    require_scalar(node, "64");
    const char* const end = node.text.data() + node.text.size();
    T number{};
    const auto [stop, error] = std::from_chars(node.text.data(), end, number);
    const auto count = parse_count(node.text);
    if (count && std::in_range<T>(*count)) number = static_cast<T>(*count);
    else if (error != std::errc{} || stop != end)
        node.fail(fmt::format("{} is no whole number from {} to {}; write digits, like {}", in_quotes(node.text), min,
                              max, std::clamp(T{64}, min, max)));
    value = number;
}

template void read_whole_number(const ConfigNode&, std::uint32_t&, std::uint32_t, std::uint32_t);
template void read_whole_number(const ConfigNode&, std::uint64_t&, std::uint64_t, std::uint64_t);
template void read_whole_number(const ConfigNode&, int&, int, int);

std::size_t choose(const ConfigNode& node, std::span<const std::string_view> names) {
    require_scalar(node, names.empty() ? "" : names.front());
    const auto found = std::find(names.begin(), names.end(), node.text);
    if (found == names.end())
        node.fail(fmt::format("{} is not known{}; choose one of {}", in_quotes(node.text),
                              did_you_mean(node.text, names), fmt::join(names, ", ")));
    return static_cast<std::size_t>(found - names.begin());
}

void require_value(const ConfigNode& entry) {
    if (entry.form == Form::null) entry.fail("is empty; write a value or remove the entry");
}

const ConfigNode* kind_node(const ConfigNode& node) {
    if (node.form == Form::scalar) return &node;
    const ConfigNode* name = node.form == Form::map ? node.find("kind") : nullptr;
    return name != nullptr && name->form != Form::null ? name : nullptr;
}

void fail_range(const ConfigNode& node, const std::string& min, const std::string& max) {
    node.fail(fmt::format("{} is out of range; choose {} to {}", node.text, min, max));
}

void fail_without_kind(const ConfigNode& entry, std::string_view held, std::span<const std::string_view> kinds) {
    entry.fail_at_key(fmt::format("belongs to {}, but its map has no kind, which makes it {}; write kind: {} beside it",
                                  fmt::join(kinds, ", "), held, kinds.front()));
}

}   // namespace read_detail
}   // namespace oscar

// Single values as the text that a configuration would hold.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <optional>
#include <string>
#include <type_traits>

#include "models/core/fields.hpp"
#include "models/core/physical.hpp"
#include "models/core/quantity.hpp"

namespace oscar {

template <class T>
concept Quantity =
    std::same_as<T, Time> || std::same_as<T, Bytes> || std::same_as<T, Bandwidth> || std::same_as<T, Frequency> ||
    std::same_as<T, Area> || std::same_as<T, Energy> || std::same_as<T, Power> || std::same_as<T, EnergyPerBit>;

/// Numbers and quantities: the types for which the range of a Field is checked.
template <class T>
concept Ranged = Quantity<T> ||(std::is_arithmetic_v<T> && !std::same_as<T, bool>);

template <class T>
concept WholeNumber = std::integral<T> && !std::same_as<T, bool>;

/// The shortest decimal number that reads back as the same double: "0.1", "8", "1e-30".
inline std::string number_text(double value) { return fmt::format("{}", value); }

inline std::string plain_text(bool value) { return value ? "true" : "false"; }
inline std::string plain_text(double value) { return number_text(value); }
template <WholeNumber T>
std::string plain_text(T value) {
    return std::to_string(value);
}
template <class T>
requires Quantity<T> || ChoiceEnum<T> std::string plain_text(T value) { return std::string(oscar::to_text(value)); }

/// `text`, cut after `most` bytes, or up to three less, where a character of UTF-8 would be cut.
inline std::string shortened(std::string_view text, std::size_t most = 60) {
    if (text.size() <= most) return std::string(text);
    std::size_t shown = most;
    while (shown + 3 > most && (text[shown] & 0xc0) == 0x80) --shown;
    return fmt::format("{}…", text.substr(0, shown));
}

/// `text` in quotes for an error message, cut after 60 characters.
inline std::string in_quotes(std::string_view text) { return fmt::format("'{}'", shortened(text)); }

}   // namespace oscar

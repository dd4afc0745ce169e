// `oscar-sim describe part` and `describe machine`: the shipped parts of machines, and machines made of them.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "sim/config/find.hpp"

namespace oscar {

/// What is shipped for an experiment to build on.
struct BaseFamily {
    std::string_view name;     ///< in the command
    std::string_view folder;   ///< of configs/
};
inline constexpr std::array base_families{BaseFamily{"part", folders_of_parts[0]},
                                          BaseFamily{"machine", folders_of_parts[1]}};

/// A line for each file of the family: its name, and the first sentence of the comment that it begins with. Lines keep
/// to `width` characters.
std::string list_of_bases(const BaseFamily& family, std::size_t width);

/// Where the part or machine is, and its file as it is written: its source, what it sets and what it cannot say. Throws
/// InputError for an unknown name, naming the nearest.
std::string text_of_base(const BaseFamily& family, const std::string& name);

}   // namespace oscar

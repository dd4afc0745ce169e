// `oscar-sim describe part`: the shipped parts of machines.
#pragma once

#include <cstddef>
#include <string>

namespace oscar {

/// A line for each file of configs/parts: its name, and the first sentence of the comment that it begins with. Lines
/// keep to `width` characters.
std::string list_of_parts(std::size_t width);

/// Where the part is, and its file as it is written: its source, what it sets and what it cannot say. Throws InputError
/// for an unknown name, naming the nearest.
std::string text_of_part(const std::string& name);

}   // namespace oscar

// Refusal of a results folder that cannot take a sweep.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string_view>

#include "sim/config/error.hpp"

namespace oscar {

/// Throws an InputError that names the file or folder, the reason and the remedy.
[[noreturn]] inline void refuse(const std::filesystem::path& place, std::string_view why) {
    throw InputError(fmt::format("{}: {}; choose another folder with -o DIR", place.string(), why));
}

}   // namespace oscar

// JSON read with limits of size, depth and keys, so that no file exhausts stack, memory or patience.
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

namespace oscar {

/// What a JSON document may have at most. A report of 61,755 ranks and 25 methods keeps within them.
struct JsonLimits {
    std::size_t bytes = 256 << 20;
    std::size_t depth = 100;                   ///< lists and maps within each other
    std::size_t values = 20'000'000;           ///< each takes 16 bytes of memory or more
    std::size_t pairs_of_keys = 500'000'000;   ///< of one map, over all maps: keys are compared one by one
};

/// A text is no JSON, or beyond the limits. what() reads after the file's name: ":3:14: is no JSON" or ": is nested …".
struct BadJson : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The value that `text` is. BadJson.
nlohmann::ordered_json parse_json(std::string_view text, const JsonLimits& limits = {});

/// The value in `file`. InputError, with `remedy`: no plain file, no JSON, beyond the limits.
nlohmann::ordered_json read_json(const std::filesystem::path& file, std::string_view remedy);

}   // namespace oscar

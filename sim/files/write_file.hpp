// Whole files written at once.
#pragma once

#include <filesystem>
#include <string_view>

namespace oscar::inline files {

/// Makes or replaces `file` with `text`. If it cannot, nothing of the file stays; throws as fail_to_write.
void write_file(const std::filesystem::path& file, std::string_view text, std::string_view elsewhere);

}   // namespace oscar::inline files

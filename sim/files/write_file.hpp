// Whole files written at once.
#pragma once

#include <filesystem>
#include <string_view>

namespace oscar {

/// Makes or replaces `file` with `text`. If it cannot, nothing of the file stays; throws as fail_to_write.
void write_file(const std::filesystem::path& file, std::string_view text, std::string_view elsewhere);

/// Puts `text` in place of `file` at once: it is written beside under a temporary name, brought to the disk, renamed,
/// and the folder is brought to the disk. Whatever ends the program or the machine, the file is the older or the new
/// one. A link stays, and its target is replaced; a device, a pipe or an open descriptor (/dev/stdout) is written into.
/// Throws as fail_to_write, of `file`; a folder, a socket and a loop of links are refused.
void replace_file(const std::filesystem::path& file, std::string_view text, std::string_view elsewhere);

/// Tests by making a file in `folder` and removing it. Returns 0, or the errno of what failed.
int why_not_writable(const std::filesystem::path& folder);

/// Brings a file, or the entries of a folder, to the disk (fsync): 0, or the errno of what failed. File systems that
/// cannot do so for folders are content.
int sync_to_disk(const std::filesystem::path& path);

}   // namespace oscar

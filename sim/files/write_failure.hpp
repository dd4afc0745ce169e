// Errors of writing files: a wrong place, or a disk that is full or broken.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string_view>

namespace oscar {

/// A file cannot be written though its place is right: the disk is full or broken. The program ends with status 1.
struct WriteFailure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// True if the errno `error` says that a disk, a quota or the limit of a file's size is exhausted.
bool is_lack_of_room(int error);

/// Throws for a `path` that cannot be written because of the errno `error`; `elsewhere` advises another place, like
/// "choose another folder with -o DIR". InputError if the place is at fault (no permission, a file where a folder is
/// due, read-only); WriteFailure otherwise, which names a full disk.
[[noreturn]] void fail_to_write(const std::filesystem::path& path, int error, std::string_view elsewhere);

}   // namespace oscar

// What stands at the place where a file is to be written.
#pragma once

#include <cstdint>
#include <filesystem>

namespace oscar {

/// A place to write to, after symbolic links.
struct WritePlace {
    enum class Kind : std::uint8_t {
        plain,        ///< a plain file, or nothing: a file made beside it can take its name
        stream,       ///< a device, a pipe, or what /proc names: is written into and stays
        descriptor,   ///< an open descriptor of this process: /dev/stdout, /dev/fd/3, /proc/self/fd/3
        refused       ///< a folder, a socket, links that end nowhere
    };
    Kind kind = Kind::plain;
    std::filesystem::path path;   ///< where the links end
    int error = 0;                ///< errno of what is refused
    int descriptor = -1;
};

/// Follows the links at `file`. A link to nothing is a place for a new file.
WritePlace place_to_write(const std::filesystem::path& file);

/// A new descriptor for writing to a `stream` or `descriptor`, to be closed; -1 with errno if there is none. Opening a
/// named pipe waits for a reader, as a shell does.
int open_stream(const WritePlace& place);

/// True if what is written to `file` is printed, so that nothing else should be.
bool is_standard_output(const std::filesystem::path& file);

}   // namespace oscar

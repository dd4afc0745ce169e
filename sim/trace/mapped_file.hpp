// A file as read-only memory.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace oscar {

/// Maps a whole file read-only for as long as the object lives. Pages come from the file when they are first touched,
/// so opening costs no memory, whatever the size. The file must not shrink meanwhile.
class MappedFile {
public:
    /// TraceError: no such file, not a regular file, unreadable.
    explicit MappedFile(const std::filesystem::path& file);
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    ~MappedFile();

    /// The bytes; they do not move when the object does.
    std::span<const std::byte> bytes() const { return bytes_; }

private:
    std::span<const std::byte> bytes_;
};

}   // namespace oscar

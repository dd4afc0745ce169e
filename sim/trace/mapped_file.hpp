// Read-only memory-mapped file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>

namespace oscar {

/// Maps a whole file read-only for as long as the object lives. Pages come when they are first touched, so opening
/// costs no memory, whatever the size. The file must not shrink meanwhile: see end_if_a_mapped_file_shrinks,
/// mappings.hpp.
class MappedFile {
public:
    /// TraceError: no such file, not a regular file, unreadable.
    explicit MappedFile(const std::filesystem::path& file);
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    ~MappedFile();

    /// The bytes; they do not move when the object does.
    std::span<const std::byte> bytes() const { return bytes_; }

    /// Gives back the memory of the whole pages within `part` of the bytes; they come from the file again when touched.
    /// Code that walks through a file bigger than memory calls this for the part that it has read.
    void forget(std::span<const std::byte> part) const;

    /// Calls f(block) for blocks of 16 MiB from the start of `part` to its end, as long as f returns true. Resident
    /// memory stays below 256 MiB whatever the size.
    void walk(std::span<const std::byte> part, const std::function<bool(std::span<const std::byte>)>& f) const;

private:
    std::span<const std::byte> bytes_;
};

}   // namespace oscar

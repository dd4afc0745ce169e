// ZIP archives as numpy.savez writes them: entries stored or deflated, ZIP64 sizes; no encryption, no parts.
// Format: APPNOTE.TXT 6.3, sections 4.3 and 4.5.3. Nothing here writes a file under a name that an archive gives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace oscar::inline trace {

/// One file of an archive.
struct ZipEntry {
    std::string name;
    bool deflated = false;
    std::optional<std::uint32_t> crc;    ///< none: not checked
    std::uint64_t size = 0;              ///< unpacked, in bytes
    std::span<const std::byte> packed;   ///< as it lies in the archive
};

/// All entries in the order of the archive's directory; `name` is how errors call the archive.
/// TraceError: no archive, cut off, encrypted, a method other than stored and deflated; entries that overlap, have the
/// same name, have a name with an empty part, `.`, `..`, a backslash or a control character; a size that no deflate
/// stream of that length can have (it unpacks at most 1032 to 1).
std::vector<ZipEntry> read_zip_directory(std::span<const std::byte> archive, std::string_view name);

/// Calls f(block) for the unpacked bytes in order, at most a mebibyte at once, as long as f returns true. Memory does
/// not depend on the entry. `done` hears of packed bytes that are no longer needed. TraceError: a damaged stream, one
/// that is longer or shorter than `size`, a checksum that differs (at the end).
void unpack(const ZipEntry& entry, std::string_view name, const std::function<bool(std::span<const std::byte>)>& f,
            const std::function<void(std::span<const std::byte>)>& done = {});

}   // namespace oscar::inline trace

// ZIP archives as numpy.savez writes them, read by libzip: entries stored or deflated, without encryption.
// Nothing here writes a file under a name that an archive gives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct zip;   // of libzip

namespace oscar {

/// One file of an archive; valid as long as the bytes of the archive are.
struct ZipEntry {
    std::string name;
    std::uint64_t size = 0;   ///< unpacked, in bytes
    std::uint64_t index = 0;
    std::shared_ptr<::zip> archive;
};

/// All entries in the order of the archive's directory; `name` is how errors call the archive.
/// TraceError: no archive, cut off, inconsistent, encrypted, a method other than stored and deflated; entries that have
/// the same name or overlap so that together they are larger than the archive; a name with an empty part, `.`, `..`, a
/// backslash or a control character; a size that no deflate stream of that length can have (it unpacks at most 1032
/// to 1).
std::vector<ZipEntry> read_zip_directory(std::span<const std::byte> archive, std::string_view name);

/// Calls f(block) for the unpacked bytes in order, at most a mebibyte at once, as long as f returns true. Memory does
/// not depend on the entry. TraceError: a damaged stream, one that is longer or shorter than `size`, a checksum that
/// differs (at the end).
void unpack(const ZipEntry& entry, std::string_view name, const std::function<bool(std::span<const std::byte>)>& f);

}   // namespace oscar

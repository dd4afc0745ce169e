// XXH3 of whole files, by which a trace of format 2 knows its arrays.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

struct XXH3_state_s;

namespace oscar {

/// XXH3 with 64 bits and seed 0 over bytes that come one after the other.
class FileHash {
public:
    FileHash();
    /// Appends bytes; the hash does not depend on how they are cut into parts.
    void add(std::span<const std::byte> bytes);
    /// The hash of all that was added: 16 hexadecimal digits, as `xxhsum -H3` prints them.
    std::string text() const;

private:
    std::unique_ptr<XXH3_state_s, void (*)(XXH3_state_s*)> state_;
};

/// The hash of all bytes of a file; resident memory does not grow with it. TraceError: see MappedFile.
std::string file_hash(const std::filesystem::path& file);

}   // namespace oscar

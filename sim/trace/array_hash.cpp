#include "sim/trace/array_hash.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <new>

#include "sim/trace/mapped_file.hpp"

namespace oscar {

FileHash::FileHash() : state_(::XXH3_createState(), [](XXH3_state_t* state) { ::XXH3_freeState(state); }) {
    if (state_ == nullptr) throw std::bad_alloc();
    ::XXH3_64bits_reset(state_.get());
}

void FileHash::add(std::span<const std::byte> bytes) { ::XXH3_64bits_update(state_.get(), bytes.data(), bytes.size()); }

std::string FileHash::text() const { return fmt::format("{:016x}", ::XXH3_64bits_digest(state_.get())); }

std::string file_hash(const std::filesystem::path& path) {
    const MappedFile file(path);
    FileHash hash;
    file.walk(file.bytes(), [&](std::span<const std::byte> block) {
        hash.add(block);
        return true;
    });
    return hash.text();
}

}   // namespace oscar

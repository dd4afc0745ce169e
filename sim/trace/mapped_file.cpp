#include "sim/trace/mapped_file.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

#include "sim/config/regular_file.hpp"
#include "sim/trace/error.hpp"
#include "sim/trace/mappings.hpp"

namespace oscar {
namespace {

[[noreturn]] void fail_file(const std::filesystem::path& file, std::string_view what) {
    throw TraceError(fmt::format("{}: {}", file.string(), what));
}

/// Advice for naming a file that can be opened.
std::string_view advice(CannotOpen::Reason reason) {
    switch (reason) {
        case CannotOpen::Reason::missing:
            return "; trace.yaml must name files of its folder";
        case CannotOpen::Reason::no_regular_file:
            return "; an array is a file that numpy.save wrote";
        default:
            return "";
    }
}

std::span<const std::byte> map(const std::filesystem::path& path) try {
    const RegularFile file(path);   // the mapping outlives its descriptor
    if (file.size() == 0) return {};
    void* const start = ::mmap(nullptr, file.size(), PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
    if (start == MAP_FAILED) fail_file(path, fmt::format("cannot be mapped ({})", std::strerror(errno)));
    return {static_cast<const std::byte*>(start), file.size()};
} catch (const CannotOpen& error) {
    fail_file(path, fmt::format("{}{}", error.what(), advice(error.reason)));
}

}   // namespace

MappedFile::MappedFile(const std::filesystem::path& file) : bytes_(map(file)) {
    if (!bytes_.empty()) note_mapping(bytes_, file.string());
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
}

// A mapped_region of Boost.Interprocess gives back all its pages or none.
void MappedFile::forget(std::span<const std::byte> part) const {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto start = reinterpret_cast<std::uintptr_t>(part.data());
    const std::uintptr_t before = (page - start % page) % page, last = (start + part.size()) / page * page;
    if (start + before < last)   // a mapping is of nobody's type
        ::madvise(const_cast<std::byte*>(part.data() + before), last - start - before, MADV_DONTNEED);
}

void MappedFile::walk(std::span<const std::byte> part, const std::function<bool(std::span<const std::byte>)>& f) const {
    constexpr std::size_t block_bytes = std::size_t{16} << 20, keep_bytes = std::size_t{256} << 20;
    for (std::size_t at = 0; at < part.size(); at += block_bytes) {
        const std::span<const std::byte> block = part.subspan(at, std::min(block_bytes, part.size() - at));
        if (!f(block)) return;
        if (part.size() > keep_bytes) forget(block);
    }
}

MappedFile::~MappedFile() {
    if (bytes_.empty()) return;
    forget_mapping(bytes_);
    ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}   // namespace oscar

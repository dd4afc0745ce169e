#include "sim/trace/mapped_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

#include "sim/trace/error.hpp"

namespace oscar {
namespace {

/// Closes a file descriptor at the end of its scope; the mapping outlives it.
struct Descriptor {
    int number;
    ~Descriptor() {
        if (number >= 0) ::close(number);
    }
};

[[noreturn]] void fail(const std::filesystem::path& file, std::string_view what) {
    throw TraceError(fmt::format("{}: {}", file.string(), what));
}

}   // namespace

MappedFile::MappedFile(const std::filesystem::path& file) {
    const Descriptor descriptor{::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (descriptor.number < 0 && errno == ENOENT) fail(file, "no such file; trace.yaml must name files of its folder");
    if (descriptor.number < 0) fail(file, fmt::format("cannot be read ({})", std::strerror(errno)));
    struct stat status {};
    if (::fstat(descriptor.number, &status) != 0) fail(file, std::strerror(errno));
    if (!S_ISREG(status.st_mode)) fail(file, "is no regular file; an array is a file that numpy.save wrote");
    if (status.st_size == 0) return;   // nothing to map
    const auto size = static_cast<std::size_t>(status.st_size);
    void* const start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor.number, 0);
    if (start == MAP_FAILED) fail(file, fmt::format("cannot be mapped ({})", std::strerror(errno)));
    bytes_ = {static_cast<const std::byte*>(start), size};
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
}

void MappedFile::forget(std::span<const std::byte> part) const {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto start = reinterpret_cast<std::uintptr_t>(part.data());
    const std::uintptr_t first = (start + page - 1) / page * page, last = (start + part.size()) / page * page;
    if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
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
    if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}   // namespace oscar

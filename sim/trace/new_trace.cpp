#include "sim/trace/new_trace.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "sim/config/error.hpp"
#include "sim/trace/npy.hpp"

namespace oscar {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_write(const fs::path& file, int error) {
    throw std::runtime_error(fmt::format("{}: cannot be written ({})", file.string(), std::strerror(error)));
}

void check_free(const fs::path& target) {
    std::error_code error;
    const fs::file_status status = fs::symlink_status(target, error);
    if (!fs::exists(status)) return;
    if (!fs::is_directory(status))
        throw InputError(fmt::format("{}: exists and is no folder; name a new folder", target.string()));
    if (!fs::is_empty(target, error) || error)
        throw InputError(fmt::format("{}: exists and is not empty; name a new folder", target.string()));
}

/// The topmost part of `path` that does not exist; empty if all do.
fs::path first_missing(fs::path path) {
    fs::path missing;
    for (; !path.empty() && !fs::exists(path); path = path.parent_path()) missing = path;
    return missing;
}

}   // namespace

NewFolder::NewFolder(fs::path target) : target_(std::move(target)) {
    if (target_.filename().empty()) target_ = target_.parent_path();   // "out/"
    check_free(target_);
    target_ = fs::absolute(target_).lexically_normal();
    const fs::path parent = target_.parent_path();
    path_ = parent / fmt::format(".{}.{}.part", target_.filename().string(), ::getpid());
    std::error_code error;
    made_parent_ = first_missing(parent);
    fs::create_directories(parent, error);
    if (!error) fs::create_directory(path_, error);
    if (!error) return;
    throw InputError(
        fmt::format("{}: cannot be made ({}); name a folder that you may write", target_.string(), error.message()));
}

NewFolder::~NewFolder() {
    if (committed_) return;
    std::error_code error;
    fs::remove_all(path_, error);
    // Parents that were made for this folder go, too, unless something else lies in them by now.
    for (fs::path parent = path_.parent_path(); !made_parent_.empty(); parent = parent.parent_path())
        if (!fs::remove(parent, error) || parent == made_parent_) break;
}

void NewFolder::write_text(const std::string& file, std::string_view text) const {
    const int descriptor = ::open((path_ / file).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0) cannot_write(path_ / file, errno);
    ssize_t written = 0;
    while (!text.empty() && (written = ::write(descriptor, text.data(), text.size())) > 0)
        text.remove_prefix(static_cast<std::size_t>(written));
    const int error = errno;
    ::close(descriptor);
    if (!text.empty()) cannot_write(path_ / file, error);
}

void NewFolder::commit() {
    if (::rename(path_.c_str(), target_.c_str()) != 0) {
        if (errno == ENOTEMPTY || errno == EEXIST)
            throw InputError(fmt::format("{}: exists and is not empty; name a new folder", target_.string()));
        cannot_write(target_, errno);
    }
    committed_ = true;
}

NewArray::NewArray(const fs::path& file, std::string_view dtype, ValueType type, std::uint64_t rows,
                   std::uint64_t columns)
    : file_(file), columns_(columns), width_(bytes_of(type)) {
    const std::string front = npy_front(dtype, {rows, columns});
    front_ = front.size();
    const std::uint64_t size = front_ + value_bytes({rows, columns}, type, file.string());
    descriptor_ = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0) cannot_write(file, errno);
    if (::pwrite(descriptor_, front.data(), front_, 0) != static_cast<ssize_t>(front_) ||
        ::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) {
        const int error = errno;
        ::close(descriptor_);
        cannot_write(file, error);
    }
}

NewArray::~NewArray() { ::close(descriptor_); }

void NewArray::put(std::uint64_t row, std::uint64_t first, std::span<const std::byte> stored) {
    std::uint64_t at = front_ + (row * columns_ + first) * width_;
    while (!stored.empty()) {
        const ssize_t written = ::pwrite(descriptor_, stored.data(), stored.size(), static_cast<off_t>(at));
        if (written <= 0) cannot_write(file_, errno);
        stored = stored.subspan(static_cast<std::size_t>(written));
        at += static_cast<std::uint64_t>(written);
    }
}

std::string iteration_file(std::size_t position) { return fmt::format("iteration-{:05}.npy", position); }

}   // namespace oscar

#include "sim/trace/new_trace.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "sim/config/error.hpp"
#include "sim/files/write_failure.hpp"
#include "sim/files/write_file.hpp"
#include "sim/trace/array_hash.hpp"
#include "sim/trace/npy.hpp"

namespace oscar {
namespace {

namespace fs = std::filesystem;

constexpr const char* elsewhere = "name a folder that you may write";

void check_free(const fs::path& target) {
    std::error_code error;
    const fs::file_status status = fs::symlink_status(target, error);
    if (!fs::exists(status)) return;
    if (!fs::is_directory(status))
        throw InputError(fmt::format("{}: exists and is no folder; name a new folder", target.string()));
    if (!fs::is_empty(target, error) || error)
        throw InputError(fmt::format("{}: exists and is not empty; name a new folder", target.string()));
}

}   // namespace

NewFolder::NewFolder(fs::path target) : target_(std::move(target)) {
    if (target_.filename().empty()) target_ = target_.parent_path();   // "out/"
    check_free(target_);
    target_ = fs::absolute(target_).lexically_normal();
    path_ = target_.parent_path() / fmt::format(".{}.{}.part", target_.filename().string(), ::getpid());
    pending_.emplace(path_, PendingFolder::Files::go, elsewhere);
}

void NewFolder::write_text(const std::string& file, std::string_view text) const {
    write_file(path_ / file, text, elsewhere);
}

void NewFolder::commit() {
    for (const fs::directory_entry& entry : fs::directory_iterator(path_))
        if (const int error = sync_to_disk(entry.path())) fail_to_write(target_, error, elsewhere);
    if (const int error = sync_to_disk(path_)) fail_to_write(target_, error, elsewhere);
    if (::rename(path_.c_str(), target_.c_str()) != 0) {
        if (errno == ENOTEMPTY || errno == EEXIST)
            throw InputError(fmt::format("{}: exists and is not empty; name a new folder", target_.string()));
        fail_to_write(target_, errno, elsewhere);
    }
    pending_->keep();
    if (const int error = sync_to_disk(target_.parent_path())) fail_to_write(target_, error, elsewhere);
}

void write_manifest(const NewFolder& folder, TraceManifest manifest) {
    manifest.format = trace_format;
    for (TraceIteration& iteration : manifest.iterations) iteration.hash = file_hash(folder.path() / iteration.file);
    folder.write_text("trace.yaml", manifest_text(manifest));
}

NewArray::NewArray(const fs::path& file, std::string_view dtype, ValueType type, std::uint64_t rows,
                   std::uint64_t columns)
    : file_(file), columns_(columns), width_(bytes_of(type)) {
    const std::string front = npy_front(dtype, {rows, columns});
    front_ = front.size();
    const std::uint64_t size = front_ + value_bytes({rows, columns}, type, file.string());
    descriptor_ = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail_to_write(file, errno, elsewhere);
    try {
        write_at(0, std::as_bytes(std::span(front)));
        if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) fail_to_write(file, errno, elsewhere);
    } catch (...) {
        ::close(descriptor_);
        throw;
    }
}

NewArray::~NewArray() { ::close(descriptor_); }

void NewArray::put(std::uint64_t row, std::uint64_t first, std::span<const std::byte> stored) {
    write_at(front_ + (row * columns_ + first) * width_, stored);
}

void NewArray::write_at(std::uint64_t at, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(at));
        if (written < 0 && errno != EINTR) fail_to_write(file_, errno, elsewhere);
        if (written < 0) continue;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
        at += static_cast<std::uint64_t>(written);
    }
}

std::string iteration_file(std::size_t position) { return fmt::format("iteration-{:05}.npy", position); }

}   // namespace oscar

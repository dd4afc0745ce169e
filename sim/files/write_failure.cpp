#include "sim/files/write_failure.hpp"

#include <fmt/format.h>

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "sim/config/error.hpp"

namespace oscar {
namespace {

template <std::size_t N>
bool is_one_of(int error, const std::array<int, N>& errors) {
    return std::find(errors.begin(), errors.end(), error) != errors.end();
}

bool is_wrong_place(int error) {
    return is_one_of(error, std::array{EACCES, EPERM, EROFS, ENOENT, ENOTDIR, EISDIR, EEXIST, ENOTEMPTY, ENAMETOOLONG,
                                       ELOOP, EINVAL, ENXIO, EBADF});
}

/// What forbids a file as large, and the remedy: the limit of the process, or the file system.
std::string limit_of_size() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return "the file system takes no file as large; write less";
    return fmt::format("a file may have at most {} bytes (ulimit -f); raise that limit", limit.rlim_cur);
}

}   // namespace

bool is_lack_of_room(int error) { return is_one_of(error, std::array{ENOSPC, EDQUOT, EFBIG}); }

void fail_to_write(const std::filesystem::path& path, int error, std::string_view elsewhere) {
    const char* const reason = std::strerror(error);
    if (is_wrong_place(error))
        throw InputError(fmt::format("{}: cannot be written ({}); {}", path.string(), reason, elsewhere));
    if (error == EFBIG)
        throw WriteFailure(fmt::format("{}: cannot be written, {}, or {}", path.string(), limit_of_size(), elsewhere));
    if (is_lack_of_room(error))
        throw WriteFailure(fmt::format("{}: cannot be written, the disk is full ({}); free some space or {}",
                                       path.string(), reason, elsewhere));
    throw WriteFailure(fmt::format("{}: cannot be written ({}); {}", path.string(), reason, elsewhere));
}

}   // namespace oscar

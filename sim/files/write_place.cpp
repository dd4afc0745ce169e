#include "sim/files/write_place.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <string>
#include <system_error>

namespace oscar {
namespace {

namespace fs = std::filesystem;
using Kind = WritePlace::Kind;

constexpr int most_links = 40;   // as many as Linux follows

/// The folder of `path` without links; empty where there is none.
fs::path real_folder(const fs::path& path) {
    std::error_code none;
    const fs::path folder = path.parent_path();
    return fs::canonical(folder.empty() ? "." : folder, none);
}

/// The descriptor of this process that `name` is in `folder`; -1 if it is none.
int own_descriptor(const fs::path& folder, const std::string& name) {
    std::error_code none;
    if (folder.empty()) return -1;
    if (folder != fs::canonical("/proc/self/fd", none) && folder != fs::canonical("/proc/thread-self/fd", none))
        return -1;
    int number = -1;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    return error == std::errc{} && end == name.data() + name.size() ? number : -1;
}

/// True for a folder of /proc: what it names is no file that another could replace.
bool is_of_proc(const fs::path& folder) { return (folder / "").native().starts_with("/proc/"); }

WritePlace place_of(const fs::path& path, mode_t mode) {
    if (S_ISDIR(mode)) return {Kind::refused, path, EISDIR, -1};
    if (S_ISSOCK(mode)) return {Kind::refused, path, ENXIO, -1};
    return {S_ISREG(mode) ? Kind::plain : Kind::stream, path, 0, -1};
}

}   // namespace

WritePlace place_to_write(const fs::path& file) {
    fs::path path = file;
    for (int links = 0; links <= most_links; ++links) {
        const fs::path folder = real_folder(path);
        if (const int number = own_descriptor(folder, path.filename()); number >= 0)
            return {Kind::descriptor, path, 0, number};
        if (is_of_proc(folder)) return {Kind::stream, path, 0, -1};
        struct stat status {};
        if (::lstat(path.c_str(), &status) != 0)
            return errno == ENOENT ? WritePlace{Kind::plain, path, 0, -1} : WritePlace{Kind::refused, path, errno, -1};
        if (!S_ISLNK(status.st_mode)) return place_of(path, status.st_mode);
        std::error_code error;
        const fs::path target = fs::read_symlink(path, error);
        if (error) return {Kind::refused, path, error.value(), -1};
        path = path.parent_path() / target;   // an absolute target replaces the folder
    }
    return {Kind::refused, file, ELOOP, -1};
}

int open_stream(const WritePlace& place) {
    if (place.kind == Kind::descriptor) return ::fcntl(place.descriptor, F_DUPFD_CLOEXEC, 0);
    return ::open(place.path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
}

bool is_standard_output(const std::filesystem::path& file) { return place_to_write(file).descriptor == STDOUT_FILENO; }

}   // namespace oscar

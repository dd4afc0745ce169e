#include "sim/files/write_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>

#include "sim/files/write_failure.hpp"
#include "sim/files/write_place.hpp"

namespace oscar {
namespace {

/// A name beside the file that no other process takes.
std::filesystem::path temporary_name(const std::filesystem::path& file) {
    return file.parent_path() / ("." + file.filename().string() + ".tmp" + std::to_string(::getpid()));
}

/// Waits until a pipe or a terminal that another process has made non-blocking takes more.
void wait_for_room(int descriptor) {
    pollfd room{descriptor, POLLOUT, 0};
    ::poll(&room, 1, -1);
}

/// 0, or the errno of what failed.
int write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno == EAGAIN) wait_for_room(descriptor);
        else if (written < 0 && errno != EINTR) return errno;
        if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

enum class Durable : bool { no, yes };

/// Makes or replaces a file: 0, or the errno of what failed, and then nothing of the file stays.
int make_file(const std::filesystem::path& file, std::string_view text, Durable durable) {
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0) return errno;
    int error = write_all(descriptor, text);
    if (error == 0 && durable == Durable::yes && ::fsync(descriptor) != 0) error = errno;
    if (::close(descriptor) != 0 && error == 0) error = errno;
    if (error != 0) ::unlink(file.c_str());
    return error;
}

/// Writes into what is there and stays: 0, or the errno of what failed.
int write_into(const WritePlace& place, std::string_view text) {
    std::fflush(nullptr);   // what was printed before stands before it
    const int descriptor = open_stream(place);
    if (descriptor < 0) return errno;
    int error = write_all(descriptor, text);
    if (::close(descriptor) != 0 && error == 0) error = errno;
    return error;
}

/// 0, or the errno of what failed; nothing stays beside `file` then.
int replace_by_rename(const std::filesystem::path& file, std::string_view text) {
    const std::filesystem::path temporary = temporary_name(file);
    if (const int error = make_file(temporary, text, Durable::yes)) return error;
    if (::rename(temporary.c_str(), file.c_str()) != 0) {
        const int error = errno;
        ::unlink(temporary.c_str());
        return error;
    }
    const std::filesystem::path folder = file.parent_path();
    return sync_to_disk(folder.empty() ? "." : folder);
}

}   // namespace

void write_file(const std::filesystem::path& file, std::string_view text, std::string_view elsewhere) {
    if (const int error = make_file(file, text, Durable::no)) fail_to_write(file, error, elsewhere);
}

void replace_file(const std::filesystem::path& file, std::string_view text, std::string_view elsewhere) {
    const WritePlace place = place_to_write(file);
    if (place.kind == WritePlace::Kind::refused) fail_to_write(file, place.error, elsewhere);
    const bool is_plain = place.kind == WritePlace::Kind::plain;
    if (const int error = is_plain ? replace_by_rename(place.path, text) : write_into(place, text))
        fail_to_write(file, error, elsewhere);
}

int why_not_writable(const std::filesystem::path& folder) {
    const std::filesystem::path probe = temporary_name(folder / "writable");
    if (const int error = make_file(probe, "", Durable::no)) return error;
    return ::unlink(probe.c_str()) == 0 ? 0 : errno;
}

int sync_to_disk(const std::filesystem::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return errno;
    int error = ::fsync(descriptor) == 0 ? 0 : errno;
    if (error == EINVAL || error == EROFS) error = 0;   // the file system has no such thing
    ::close(descriptor);
    return error;
}

}   // namespace oscar

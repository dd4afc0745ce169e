#include "sim/files/write_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "sim/files/write_failure.hpp"

namespace oscar::inline files {
namespace {

/// 0, or the errno of what failed.
int write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno != EINTR) return errno;
        if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

}   // namespace

void write_file(const std::filesystem::path& file, std::string_view text, std::string_view elsewhere) {
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0) fail_to_write(file, errno, elsewhere);
    int error = write_all(descriptor, text);
    if (::close(descriptor) != 0 && error == 0) error = errno;
    if (error == 0) return;
    ::unlink(file.c_str());
    fail_to_write(file, error, elsewhere);
}

}   // namespace oscar::inline files

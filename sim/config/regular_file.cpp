#include "sim/config/regular_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace oscar {
namespace {

[[noreturn]] void refuse(int error) {
    if (error == ENOENT) throw CannotOpen(CannotOpen::Reason::missing, "no such file");
    throw CannotOpen(CannotOpen::Reason::unreadable, fmt::format("cannot be read ({})", std::strerror(error)));
}

}   // namespace

RegularFile::RegularFile(const std::filesystem::path& file)
    : descriptor_(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {   // opening a pipe would wait otherwise
    if (descriptor_ < 0 && errno == ENXIO)
        throw CannotOpen(CannotOpen::Reason::no_regular_file, "is a socket or a device");
    if (descriptor_ < 0) refuse(errno);
    struct stat status {};
    const int error = ::fstat(descriptor_, &status) != 0 ? errno : 0;
    if (error == 0 && S_ISREG(status.st_mode)) {
        size_ = static_cast<std::uintmax_t>(status.st_size);
        return;
    }
    ::close(descriptor_);
    if (error != 0) refuse(error);
    throw CannotOpen(CannotOpen::Reason::no_regular_file,
                     S_ISDIR(status.st_mode) ? "is a folder" : "is a pipe or a device");
}

RegularFile::~RegularFile() { ::close(descriptor_); }

}   // namespace oscar

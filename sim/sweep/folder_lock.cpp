#include "sim/sweep/folder_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "sim/config/error.hpp"
#include "sim/files/write_failure.hpp"
#include "sim/sweep/refuse.hpp"

namespace oscar {
namespace {

/// The whole file.
struct flock write_lock() {
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    return lock;
}

}   // namespace

// A file_lock of Boost.Interprocess does not tell who holds it.
FolderLock::FolderLock(const std::filesystem::path& folder)
    : file_(::open((folder / ".sweep.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (file_ < 0 && is_lack_of_room(errno)) fail_to_write(folder, errno, "choose another folder with -o DIR");
    if (file_ < 0) refuse(folder, fmt::format("cannot be locked ({})", std::strerror(errno)));
    struct flock lock = write_lock();
    if (::fcntl(file_, F_SETLK, &lock) == 0) return;
    ::fcntl(file_, F_GETLK, &lock);   // who holds it
    ::close(file_);
    refuse(folder, fmt::format("process {} runs a sweep there; wait for it", lock.l_pid));
}

FolderLock::~FolderLock() { ::close(file_); }

}   // namespace oscar

// What another process does just before this one makes a folder. For one source of a test program: it defines mkdir.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <string>
#include <utility>

namespace oscar::testing {

inline std::filesystem::path awaited_folder;
inline std::function<void()> meanwhile;

/// Calls `act` once: when this process is about to make `folder`.
inline void when_made(const std::filesystem::path& folder, std::function<void()> act) {
    awaited_folder = folder;
    meanwhile = std::move(act);
}

}   // namespace oscar::testing

/// Before that of the C library, in all of the program.
extern "C" int mkdir(const char* path, mode_t mode) noexcept {
    using oscar::testing::meanwhile;
    if (meanwhile && oscar::testing::awaited_folder == path) std::exchange(meanwhile, nullptr)();
    return static_cast<int>(::syscall(SYS_mkdirat, AT_FDCWD, path, mode));
}

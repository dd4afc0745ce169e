#include "sim/files/pending_folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/files/ending_signals.hpp"
#include "sim/files/write_failure.hpp"

namespace oscar {
namespace {

namespace fs = std::filesystem;

/// A pending folder where a signal handler finds it: plain memory, absolute path.
struct Slot {
    volatile std::sig_atomic_t taken = 0;
    std::array<char, PATH_MAX> path{};
    int made = 0;   ///< folders at the end of the path that were missing
    PendingFolder::Files files{};
};

std::array<Slot, 8> slots;

// All below, down to remove(Slot), is async-signal-safe: system calls on memory that is there.

/// Removes the files of the folder `descriptor`; gives how many.
int remove_some_files(int descriptor) {
    alignas(dirent64) std::array<char, 4096> entries;
    int removed = 0;
    ::lseek(descriptor, 0, SEEK_SET);
    while (const long bytes = ::syscall(SYS_getdents64, descriptor, entries.data(), entries.size())) {
        if (bytes < 0) break;
        for (long at = 0; at < bytes;) {
            const auto* entry = reinterpret_cast<const dirent64*>(&entries[static_cast<std::size_t>(at)]);
            removed += ::unlinkat(descriptor, entry->d_name, 0) == 0;
            at += entry->d_reclen;
        }
    }
    return removed;
}

void remove_files(const char* folder) {
    const int descriptor = ::open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    while (remove_some_files(descriptor) > 0) {   // again, for removing may have moved entries past the reader
    }
    ::close(descriptor);
}

void remove(const Slot& slot) {
    std::array<char, PATH_MAX> path = slot.path;
    if (slot.made > 0 && slot.files == PendingFolder::Files::go) remove_files(path.data());
    for (int i = 0; i < slot.made; ++i) {
        ::rmdir(path.data());   // fails where something lies in it, and then for its parents as well
        if (char* const end = std::strrchr(path.data(), '/')) *end = '\0';
    }
}

/// `folder` as an absolute path without "." and "..", and without a '/' at its end.
fs::path full_path(const fs::path& folder) {
    const fs::path full = fs::absolute(folder).lexically_normal();
    return full.filename().empty() && full.has_relative_path() ? full.parent_path() : full;
}

/// The folders down to `path`, and with it, that do not exist; the topmost is the last.
std::vector<fs::path> missing_folders(fs::path path) {
    std::vector<fs::path> missing;
    std::error_code ignored;
    for (; path.has_relative_path() && !fs::exists(fs::symlink_status(path, ignored)); path = path.parent_path())
        missing.push_back(path);
    return missing;
}

std::size_t take_slot(const fs::path& path, std::size_t made, PendingFolder::Files files) {
    const auto free = std::find_if(slots.begin(), slots.end(), [](const Slot& slot) { return slot.taken == 0; });
    if (free == slots.end()) throw std::logic_error("too many pending folders at a time");
    std::copy_n(path.c_str(), path.native().size() + 1, free->path.begin());
    free->made = static_cast<int>(made);
    free->files = files;
    free->taken = 1;
    return static_cast<std::size_t>(free - slots.begin());
}

}   // namespace

PendingFolder::PendingFolder(const fs::path& folder, Files files, std::string_view elsewhere) {
    const fs::path path = full_path(folder);
    if (path.native().size() >= PATH_MAX) fail_to_write(folder, ENAMETOOLONG, elsewhere);
    const std::vector<fs::path> missing = missing_folders(path);
    before_ending(remove_pending_folders);
    slot_ = take_slot(path, missing.size(), files);
    for (auto next = missing.rbegin(); next != missing.rend(); ++next) {
        is_new_ = ::mkdir(next->c_str(), 0777) == 0;
        const int error = errno;
        if (is_new_ || error == EEXIST) continue;
        remove(slots[slot_]);
        keep();
        fail_to_write(folder, error, elsewhere);
    }
    if (!is_new_) slots[slot_].made = 0;   // another process has made it meanwhile
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) return;
    keep();
    fail_to_write(folder, ENOTDIR, elsewhere);
}

PendingFolder::~PendingFolder() {
    if (slots[slot_].taken != 0) remove(slots[slot_]);
    keep();
}

void PendingFolder::keep() { slots[slot_].taken = 0; }

void remove_pending_folders() {
    for (const Slot& slot : slots)
        if (slot.taken != 0) remove(slot);
}

}   // namespace oscar

// One sweep at a time in a folder.
#pragma once

#include <filesystem>

namespace oscar {

/// Holds the lock of a folder until it or the process ends, however that ends. Child processes do not inherit it.
class FolderLock {
public:
    /// InputError, which names the process that holds the lock: there is one.
    explicit FolderLock(const std::filesystem::path& folder);
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

private:
    int file_;
};

}   // namespace oscar

// Regular files opened for reading; pipes, devices and folders are refused before anything waits for them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace oscar {

/// A file cannot be opened for reading. what() tells why, without the file's name: "no such file".
struct CannotOpen : std::runtime_error {
    enum class Reason : std::uint8_t { missing, no_regular_file, unreadable };
    CannotOpen(Reason why, const std::string& what) : std::runtime_error(what), reason(why) {}
    Reason reason;
};

/// The descriptor of a regular file, open for reading until the object goes.
class RegularFile {
public:
    /// CannotOpen: no such file; a folder, pipe, device or socket; no permission. Never blocks.
    explicit RegularFile(const std::filesystem::path& file);
    RegularFile(const RegularFile&) = delete;
    RegularFile& operator=(const RegularFile&) = delete;
    ~RegularFile();

    int descriptor() const { return descriptor_; }   ///< closed by the destructor
    std::uintmax_t size() const { return size_; }    ///< in bytes, when it was opened

private:
    int descriptor_;
    std::uintmax_t size_ = 0;
};

}   // namespace oscar

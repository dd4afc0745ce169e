// Folders that a command makes and that must not stay behind if it fails or is interrupted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>

namespace oscar {

/// A folder that is removed again when the object goes, with the parents that were made for it, as far as they are
/// empty; and just so when SIGINT, SIGTERM or SIGHUP ends the program. What was there before stays.
class PendingFolder {
public:
    /// The fate of files in the folder when the object goes: they stay, and the folder with them, or they go with the
    /// folder.
    enum class Files : std::uint8_t { stay, go };

    /// Makes `folder` and its missing parents. Throws as fail_to_write. std::logic_error: more than eight at a time.
    PendingFolder(const std::filesystem::path& folder, Files files, std::string_view elsewhere);
    PendingFolder(const PendingFolder&) = delete;
    PendingFolder& operator=(const PendingFolder&) = delete;
    ~PendingFolder();

    /// True if this object made the folder; false if it was there before.
    bool is_new() const { return is_new_; }
    /// From now on the folder and its parents stay.
    void keep();

private:
    std::size_t slot_;
    bool is_new_ = false;
};

/// Removes all pending folders of the process; for handlers of signals that end it (async-signal-safe).
void remove_pending_folders();

}   // namespace oscar

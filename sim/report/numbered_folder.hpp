// Results of each run in a folder of their own, so that earlier ones stay.
#pragma once

#include <filesystem>
#include <optional>

#include "sim/report/write.hpp"

namespace oscar {

/// `parent/004` where 003 is the last there, and the links `parent/latest` to it and `parent/report.json` to the report
/// in it. Of several processes at once, each has its own.
class NumberedFolder {
public:
    /// Throws as OutputFolder.
    explicit NumberedFolder(const std::filesystem::path& parent);

    const std::filesystem::path& path() const { return path_; }   ///< made by the constructor, like parent/004
    /// Lets `latest` and `report.json` lead here, where the file system has links.
    void link_as_latest() const;

private:
    std::filesystem::path path_;
    std::optional<OutputFolder> folder_;
};

/// Removes `parent/report.json` where it is the link that a NumberedFolder has made, before a run writes its own there.
void remove_link_to_latest(const std::filesystem::path& parent);

}   // namespace oscar

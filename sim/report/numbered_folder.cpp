#include "sim/report/numbered_folder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>

namespace oscar {
namespace {

namespace fs = std::filesystem;

constexpr const char* report_of_latest = "latest/report.json";

/// 0 for a name that is no number.
unsigned number_of(const std::string& name) {
    unsigned number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    return error == std::errc{} && end == name.data() + name.size() ? number : 0;
}

unsigned highest_number(const fs::path& parent) {
    unsigned highest = 0;
    std::error_code none;   // where there is no folder yet
    for (const fs::directory_entry& entry : fs::directory_iterator(parent, none))
        highest = std::max(highest, number_of(entry.path().filename().string()));
    return highest;
}

/// Where a device, a pipe or a folder has the name, it stays.
void replace_link(const fs::path& link, const fs::path& target) {
    std::error_code none;
    if (const auto there = fs::symlink_status(link, none).type();
        there != fs::file_type::not_found && there != fs::file_type::symlink && there != fs::file_type::regular)
        return;
    const fs::path temporary = link.string() + std::to_string(::getpid());
    std::error_code error;
    fs::create_symlink(target, temporary, error);
    fs::rename(temporary, link, error);
    fs::remove(temporary, none);   // where the link could not be put there
}

}   // namespace

NumberedFolder::NumberedFolder(const fs::path& parent) {
    for (unsigned number = highest_number(parent) + 1; !folder_ || !folder_->is_new(); ++number) {
        path_ = parent / fmt::format("{:03}", number);
        folder_.emplace(path_);
    }
}

void NumberedFolder::link_as_latest() const {
    replace_link(path_.parent_path() / "latest", path_.filename());
    replace_link(path_.parent_path() / "report.json", report_of_latest);
}

void remove_link_to_latest(const fs::path& parent) {
    std::error_code none;
    const fs::path link = parent / "report.json";
    if (fs::read_symlink(link, none) == report_of_latest) fs::remove(link, none);
}

}   // namespace oscar

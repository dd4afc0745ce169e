#include "sim/config/find.hpp"

namespace oscar::inline config {

namespace fs = std::filesystem;

std::optional<fs::path> find_beside(const fs::path& wanted, const fs::path& file) {
    if (wanted.is_absolute() || fs::exists(wanted)) return wanted;
    for (fs::path folder = fs::absolute(file).parent_path(); folder.has_relative_path(); folder = folder.parent_path())
        if (fs::exists(folder / wanted)) return folder / wanted;
    return std::nullopt;
}

}   // namespace oscar::inline config

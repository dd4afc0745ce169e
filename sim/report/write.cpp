#include "sim/report/write.hpp"

#include "sim/files/write_failure.hpp"
#include "sim/files/write_file.hpp"

namespace oscar {
namespace {

constexpr const char* elsewhere = "choose another folder with -o DIR";

}   // namespace

OutputFolder::OutputFolder(const std::filesystem::path& folder)
    : folder_(folder, PendingFolder::Files::stay, elsewhere) {
    if (const int error = why_not_writable(folder)) fail_to_write(folder, error, elsewhere);
}

void write_by_rename(const std::filesystem::path& file, const std::string& text) {
    replace_file(file, text, elsewhere);
}

}   // namespace oscar

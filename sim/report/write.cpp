#include "sim/report/write.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "sim/files/write_failure.hpp"
#include "sim/files/write_file.hpp"

namespace oscar::inline report {
namespace {

constexpr const char* elsewhere = "choose another folder with -o DIR";

std::string with_process(const std::string& name) { return name + std::to_string(::getpid()); }

}   // namespace

OutputFolder::OutputFolder(const std::filesystem::path& folder)
    : folder_(folder, PendingFolder::Files::stay, elsewhere) {
    const std::filesystem::path probe = folder / with_process(".writable");
    write_file(probe, "", elsewhere);
    ::unlink(probe.c_str());
}

void write_by_rename(const std::filesystem::path& file, const std::string& text) {
    const std::filesystem::path temporary = with_process(file.string() + ".tmp");
    write_file(temporary, text, elsewhere);
    if (std::rename(temporary.c_str(), file.c_str()) == 0) return;
    const int error = errno;
    ::unlink(temporary.c_str());
    fail_to_write(file, error, elsewhere);
}

}   // namespace oscar::inline report

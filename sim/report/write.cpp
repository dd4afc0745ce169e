#include "sim/report/write.hpp"

#include <unistd.h>

#include <fstream>

#include "sim/config/error.hpp"

namespace oscar {

void write_by_rename(const std::filesystem::path& file, const std::string& text) {
    const std::filesystem::path temporary = file.string() + ".tmp" + std::to_string(getpid());
    std::ofstream out(temporary, std::ios::binary);
    out << text << std::flush;
    std::error_code error;
    if (out) std::filesystem::rename(temporary, file, error);
    if (!out || error) {
        std::error_code ignored;
        std::filesystem::remove(temporary, ignored);
        throw InputError(file.string() + ": cannot be written" + (error ? " (" + error.message() + ")" : "") +
                         "; choose another folder with -o DIR");
    }
}

void check_writable(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        throw InputError(folder.string() + ": cannot be made (" + error.message() +
                         "); choose another folder with -o DIR");
    const auto probe = folder / (".writable" + std::to_string(getpid()));
    write_by_rename(probe, "");
    std::filesystem::remove(probe, error);
}

}   // namespace oscar

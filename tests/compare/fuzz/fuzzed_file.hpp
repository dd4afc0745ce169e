// A file that a fuzzer writes anew for each input, for readers that take a path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace oscar::test {

/// In a folder of its own, which goes with it.
class FuzzedFile {
public:
    explicit FuzzedFile(const std::string& name) {
        std::string place = (std::filesystem::temp_directory_path() / "fuzz-XXXXXX").string();
        if (::mkdtemp(place.data()) == nullptr) std::abort();
        folder_ = place;
        path_ = folder_ / name;
    }
    FuzzedFile(const FuzzedFile&) = delete;
    FuzzedFile& operator=(const FuzzedFile&) = delete;
    ~FuzzedFile() {
        std::error_code none;
        std::filesystem::remove_all(folder_, none);
    }

    /// The file has these bytes, and nothing lies beside it.
    void write(const std::uint8_t* data, std::size_t size) const {
        for (const auto& entry : std::filesystem::directory_iterator(folder_)) std::filesystem::remove(entry);
        std::ofstream file(path_, std::ios::binary);
        if (!file.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size)).flush()) std::abort();
    }
    const std::filesystem::path& folder() const { return folder_; }
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path folder_, path_;
};

}   // namespace oscar::test

// Trace folders and .npy files made by the tests.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/error.hpp"

namespace oscar::testing {

/// A folder that vanishes with the object.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string pattern = std::filesystem::temp_directory_path() / "oscar-trace-XXXXXX";
        path_ = ::mkdtemp(pattern.data());
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() { std::filesystem::remove_all(path_); }

    const std::filesystem::path& path() const { return path_; }

    /// Writes `content` to the file `name` and gives its path.
    std::filesystem::path write(std::string_view name, std::string_view content) const {
        std::ofstream(path_ / name, std::ios::binary) << content;
        return path_ / name;
    }

private:
    std::filesystem::path path_;
};

/// The bytes of `values` as they lie in memory.
inline std::string bytes_of(const std::vector<float>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

/// The bytes before the values of an .npy file: magic, version, length, and `dictionary` padded with `padding` spaces.
inline std::string npy_front(std::string_view dictionary, int version = 1, std::size_t padding = 0) {
    const std::string text = std::string(dictionary) + std::string(padding, ' ') + "\n";
    std::string front = "\x93NUMPY";
    front += {static_cast<char>(version), '\0'};
    for (int i = 0; i < (version == 1 ? 2 : 4); ++i) front += static_cast<char>(text.size() >> (8 * i) & 0xff);
    return front + text;
}

/// `dictionary` with the spaces that make the values start at a multiple of 64 bytes, as numpy writes it.
inline std::string aligned_front(std::string_view dictionary, int version = 1) {
    return npy_front(dictionary, version, 63 - (npy_front(dictionary, version).size() + 63) % 64);
}

/// An .npy file of fp32 values of shape [rows, columns].
inline std::string npy_file(std::size_t rows, std::size_t columns, const std::vector<float>& values) {
    const std::string shape = "(" + std::to_string(rows) + ", " + std::to_string(columns) + ")";
    return aligned_front("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }") + bytes_of(values);
}

/// The text of the InputError of type `Error` that `call` throws, without the folder that precedes file names.
template <class Error, class Call>
std::string error_of(const TemporaryFolder& folder, Call call) {
    std::string text = "no error";
    try {
        call();
    } catch (const Error& error) {
        text = error.what();
    }
    const std::string prefix = folder.path().string() + "/";
    for (std::size_t at = 0; (at = text.find(prefix)) != std::string::npos;) text.erase(at, prefix.size());
    return text;
}

}   // namespace oscar::testing

// Trace folders being written: everything goes to a folder beside the wanted one, which takes its name when complete.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/trace/manifest.hpp"
#include "sim/trace/value_type.hpp"

namespace oscar {

/// A folder that appears under its name whole or not at all. What was written vanishes unless commit() was called.
class NewFolder {
public:
    /// Missing parents are made. InputError: `target` is there and is no empty folder; a folder cannot be made.
    explicit NewFolder(std::filesystem::path target);
    NewFolder(const NewFolder&) = delete;
    NewFolder& operator=(const NewFolder&) = delete;
    ~NewFolder();

    /// Where to write until commit().
    const std::filesystem::path& path() const { return path_; }
    void write_text(const std::string& file, std::string_view text) const;
    /// Gives the folder its name.
    void commit();

private:
    std::filesystem::path target_, path_, made_parent_;   // made_parent_: the topmost parent that was missing
    bool committed_ = false;
};

/// An .npy array being written in any order; unwritten values are zero. numpy has no bf16: its bits are saved as '<u2'
/// for a trace.yaml that says dtype: bf16, or as '<V2', which says so by itself.
class NewArray {
public:
    /// std::runtime_error: the file cannot be made.
    NewArray(const std::filesystem::path& file, std::string_view dtype, ValueType type, std::uint64_t rows,
             std::uint64_t columns);
    NewArray(const NewArray&) = delete;
    NewArray& operator=(const NewArray&) = delete;
    ~NewArray();

    /// Writes stored values from value `first` of row `row` on; they may run on into the next rows.
    /// std::runtime_error: the disk is full.
    void put(std::uint64_t row, std::uint64_t first, std::span<const std::byte> stored);

private:
    std::filesystem::path file_;
    int descriptor_ = -1;
    std::uint64_t front_ = 0, columns_, width_;
};

/// iteration-00007.npy
std::string iteration_file(std::size_t position);

}   // namespace oscar

// Trace folders being written: everything goes to a folder beside the wanted one, which takes its name when complete.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/files/pending_folder.hpp"
#include "sim/trace/manifest.hpp"
#include "sim/trace/value_type.hpp"

namespace oscar {

/// A folder that appears under its name whole or not at all. What was written vanishes unless commit() was called, also
/// when a signal ends the program.
class NewFolder {
public:
    /// Missing parents are made. InputError: `target` is there and is no empty folder; a folder cannot be made.
    /// WriteFailure: the disk is full.
    explicit NewFolder(std::filesystem::path target);
    NewFolder(const NewFolder&) = delete;
    NewFolder& operator=(const NewFolder&) = delete;

    /// The folder to write to until commit().
    const std::filesystem::path& path() const { return path_; }
    /// Throws as fail_to_write.
    void write_text(const std::string& file, std::string_view text) const;
    /// Brings the files to the disk, then gives the folder its name. Throws as fail_to_write.
    void commit();

private:
    std::filesystem::path target_, path_;
    std::optional<PendingFolder> pending_;
};

/// An .npy array being written in any order; unwritten values are zero. numpy has no bf16: its bits are saved as '<u2'
/// for a trace.yaml that says dtype: bf16, or as '<V2', which says so by itself.
class NewArray {
public:
    /// Throws as fail_to_write.
    NewArray(const std::filesystem::path& file, std::string_view dtype, ValueType type, std::uint64_t rows,
             std::uint64_t columns);
    NewArray(const NewArray&) = delete;
    NewArray& operator=(const NewArray&) = delete;
    ~NewArray();

    /// Writes stored values from value `first` of row `row` on; they may run on into the next rows.
    /// WriteFailure: the disk is full.
    void put(std::uint64_t row, std::uint64_t first, std::span<const std::byte> stored);

private:
    void write_at(std::uint64_t at, std::span<const std::byte> bytes);

    std::filesystem::path file_;
    int descriptor_ = -1;
    std::uint64_t front_ = 0, columns_, width_;
};

/// Writes trace.yaml, in format 2: `manifest` with the hashes of its arrays, which lie complete in the folder.
void write_manifest(const NewFolder& folder, TraceManifest manifest);

/// iteration-00007.npy
std::string iteration_file(std::size_t position);

}   // namespace oscar

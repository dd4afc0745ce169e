// Result files appear whole or not at all.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "models/timing/signal.hpp"
#include "sim/files/pending_folder.hpp"

namespace oscar {

/// A folder for results. Where nothing has been written into it when the object goes, it goes too, with the parents
/// that were made for it; also when a signal ends the program.
class OutputFolder {
public:
    /// Makes `folder` if it is missing and checks that a file can be written there. Throws as fail_to_write.
    explicit OutputFolder(const std::filesystem::path& folder);
    bool is_new() const { return folder_.is_new(); }   ///< this object has made it

private:
    PendingFolder folder_;
};

/// Replaces `file` as replace_file does, with the advice to choose another folder in its errors.
void write_by_rename(const std::filesystem::path& file, const std::string& text);

/// The text of a VCD file, with times in picoseconds. Parts of names, between dots, are scopes below `top`; each signal
/// is as wide as its largest value.
std::string to_vcd(std::span<const Signal> signals, const std::string& top);

}   // namespace oscar

// Arrays in numpy's .npy format (versions 1 to 3):
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/trace/mapped_file.hpp"

namespace oscar {

/// What stands before the values of an array.
struct NpyHeader {
    std::string dtype;   ///< numpy's text: "<f4" is little-endian fp32
    bool fortran_order = false;
    std::vector<std::uint64_t> shape;
    std::size_t data_offset = 0;   ///< of the first value in the file, in bytes
};

/// The header at the front of `file`; `name` is how errors call it.
/// TraceError: not an .npy file, a header that is cut off or malformed, a version that is unknown.
NpyHeader parse_npy_header(std::span<const std::byte> file, std::string_view name);

/// "[8, 32000]"
std::string shape_text(const std::vector<std::uint64_t>& shape);

/// A table of fp32 values, row after row, in a mapped file. Opening reads the header only; values come when touched.
class NpyArray {
public:
    /// TraceError: whatever MappedFile and parse_npy_header refuse; values that are not little-endian fp32 in C order;
    /// other than two dimensions; a file longer or shorter than its shape says.
    static NpyArray open(const std::filesystem::path& file);

    const NpyHeader& header() const { return header_; }
    std::uint64_t rows() const { return header_.shape[0]; }
    std::uint64_t columns() const { return header_.shape[1]; }

    /// All values, [rows, columns]; valid as long as the array lives, also after a move.
    std::span<const float> values() const { return values_; }

private:
    NpyArray(MappedFile file, NpyHeader header, std::size_t count);

    MappedFile file_;
    NpyHeader header_;
    std::vector<float> copy_;   // of values that do not lie on a multiple of four bytes; empty otherwise
    std::span<const float> values_;
};

}   // namespace oscar

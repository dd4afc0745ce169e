// Arrays in numpy's .npy format (versions 1 to 3), which no library of Debian 12 maps:
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/trace/mapped_file.hpp"
#include "sim/trace/value_type.hpp"

namespace oscar {

/// The header of an array's file.
struct NpyHeader {
    std::string dtype;   ///< numpy's text: "<f4" is little-endian fp32
    bool fortran_order = false;
    std::vector<std::uint64_t> shape;
    std::size_t data_offset = 0;   ///< of the first value in the file, in bytes
};

/// The header at the front of `file`; `name` is how errors call it.
/// TraceError: not an .npy file, a header that is cut off or malformed, a version that is unknown.
NpyHeader parse_npy_header(std::span<const std::byte> file, std::string_view name);

/// The bytes before the values of an array of this type and shape, padded to a multiple of 64 as numpy does. Law:
/// parse_npy_header gives it back.
std::string npy_front(std::string_view dtype, const std::vector<std::uint64_t>& shape);

/// "[8, 32000]"
std::string shape_text(const std::vector<std::uint64_t>& shape);

/// The type of the values: '<f4', '<f2', '<V2' (what numpy.save makes of a bfloat16 array) and 'bfloat16'. Bare words
/// of two bytes, '<u2' and '|V2', are bf16 if `declared` says so. TraceError: another type, or another than `declared`.
ValueType value_type(const NpyHeader& header, std::optional<ValueType> declared, std::string_view name);

/// Bytes of all values; TraceError if they exceed 2^64.
std::uint64_t value_bytes(const std::vector<std::uint64_t>& shape, ValueType type, std::string_view name);

/// A table of values, row after row, in a mapped file. Opening reads the header only; values come when touched.
class NpyArray {
public:
    /// TraceError: whatever MappedFile, parse_npy_header and value_type refuse; values not in C order; other than two
    /// dimensions; a file longer or shorter than its shape says.
    static NpyArray open(const std::filesystem::path& file, std::optional<ValueType> declared = {});

    const NpyHeader& header() const { return header_; }
    ValueType type() const { return type_; }   ///< bf16 also for bare words declared so
    std::uint64_t rows() const { return header_.shape[0]; }
    std::uint64_t columns() const { return header_.shape[1]; }   ///< values of a row

    /// All values as stored, [rows, columns]; valid as long as the array lives, also after a move.
    std::span<const std::byte> bytes() const { return file_.bytes().subspan(header_.data_offset); }
    /// `count` values as stored, from value `first` of row `row` on.
    std::span<const std::byte> bytes(std::uint64_t row, std::uint64_t first, std::uint64_t count) const;

    /// True if the values are fp32 on multiples of four bytes, so that row() can show them where they lie.
    bool in_place() const;
    /// The values of a row where they lie in the file; only if in_place().
    std::span<const float> row(std::uint64_t row) const;

    const MappedFile& file() const { return file_; }   ///< for its walk and forget

private:
    NpyArray(MappedFile file, NpyHeader header, ValueType type);

    MappedFile file_;
    NpyHeader header_;
    ValueType type_;
};

}   // namespace oscar

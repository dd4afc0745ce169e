// Arrays of other programs: .npy, .npz (numpy.savez, savez_compressed) and .safetensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/trace/mapped_file.hpp"
#include "sim/trace/value_type.hpp"
#include "sim/trace/zip.hpp"

namespace oscar {

/// One array of a file; its values are read with read_values.
struct ImportArray {
    std::string name;   ///< as the file calls it, without .npy
    std::string what;   ///< how errors call it: grads.npz:arr_0
    std::vector<std::uint64_t> shape;
    ValueType type = ValueType::f4;
    std::variant<std::span<const std::byte>, ZipEntry> content;   ///< bytes of the file, or an entry of an .npz
    std::size_t front = 0;                                        ///< bytes of `content` before the values
};

enum class ImportFormat : std::uint8_t { npy, npz, safetensors };

/// The format by the file's first bytes, else by the ending of `name`. TraceError: neither tells.
ImportFormat import_format(std::span<const std::byte> file, std::string_view name);

/// The arrays of a file in its own order (safetensors: of the values). Each has the number of bytes that its shape
/// says; memory does not depend on what shapes claim. TraceError: see read_zip_directory, read_safetensors,
/// parse_npy_header, value_type; an array in Fortran order; an entry that is no .npy; a control character in a name.
std::vector<ImportArray> list_arrays(std::span<const std::byte> file, ImportFormat format, std::string_view name);

/// Calls f(first, values) for all values in order as fp32, `first` counting the values before; at most 2^19 at once.
/// TraceError: see unpack; a value that is NaN or infinite.
void read_values(const ImportArray& array,
                 const std::function<void(std::uint64_t first, std::span<const float> values)>& f);

/// A file and its arrays.
class ImportFile {
public:
    /// TraceError: see MappedFile, import_format, list_arrays.
    static ImportFile open(const std::filesystem::path& file);
    const std::vector<ImportArray>& arrays() const { return arrays_; }   ///< in the order of list_arrays
    /// Reads the values of one of arrays(), as read_values; resident memory does not grow with the file.
    void read(const ImportArray& array,
              const std::function<void(std::uint64_t first, std::span<const float> values)>& f) const;

private:
    explicit ImportFile(MappedFile file) : file_(std::move(file)) {}
    MappedFile file_;
    std::vector<ImportArray> arrays_;
};

}   // namespace oscar

#include "sim/trace/import_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "sim/config/text.hpp"
#include "sim/trace/error.hpp"
#include "sim/trace/npy.hpp"
#include "sim/trace/safetensors.hpp"

namespace oscar {
namespace {

using View = std::span<const std::byte>;

void check_name(const ImportArray& array) {
    const bool plain =
        std::none_of(array.name.begin(), array.name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
    if (!plain || array.name.empty()) fail(array.what, "has an empty name or one with control characters; rename it");
}

/// The array of an .npy whose first bytes are `start` and which has `size` bytes in all.
ImportArray npy_array(std::string name, std::string what, View start, std::uint64_t size) {
    NpyHeader header = parse_npy_header(start, what);
    if (header.fortran_order) fail(what, "is in Fortran order; save numpy.ascontiguousarray(array)");
    ImportArray array{std::move(name), std::move(what), std::move(header.shape), {}, {}, header.data_offset};
    array.type = value_type(header, {}, array.what);
    const std::uint64_t expected = value_bytes(array.shape, array.type, array.what), found = size - array.front;
    if (expected != found)
        fail(array.what, fmt::format("{}: shape {} takes {} bytes of values, found {}; save it again",
                                     found < expected ? "is cut off" : "has bytes after its end",
                                     shape_text(array.shape), expected, found));
    return array;
}

/// The first bytes of an entry: enough for any header of version 1.
std::vector<std::byte> start_of(const ZipEntry& entry, std::string_view what) {
    constexpr std::size_t enough = 1U << 17;
    std::vector<std::byte> start;
    unpack(entry, what, [&](View block) {
        const View part = block.first(std::min(block.size(), enough - start.size()));
        start.insert(start.end(), part.begin(), part.end());
        return start.size() < enough;
    });
    return start;
}

std::vector<ImportArray> npz_arrays(View file, std::string_view name) {
    std::vector<ImportArray> arrays;
    for (ZipEntry& entry : read_zip_directory(file, name)) {
        constexpr std::string_view ending = ".npy";
        std::string what = fmt::format("{}:{}", name, entry.name);
        if (!entry.name.ends_with(ending)) fail(what, "is no array; write the archive with numpy.savez");
        const std::vector<std::byte> start = start_of(entry, what);
        std::string array_name = entry.name.substr(0, entry.name.size() - ending.size());
        arrays.push_back(npy_array(std::move(array_name), std::move(what), start, entry.size));
        arrays.back().content = std::move(entry);
    }
    return arrays;
}

ValueType safetensors_type(const SafeTensor& tensor, std::string_view what) {
    if (tensor.dtype == "F32") return ValueType::f4;
    if (tensor.dtype == "F16") return ValueType::f2;
    if (tensor.dtype == "BF16") return ValueType::bf16;
    fail(what, fmt::format("has dtype {}; save it as F32, F16 or BF16, like tensor.float()", in_quotes(tensor.dtype)));
}

std::vector<ImportArray> safetensors_arrays(View file, std::string_view name) {
    std::vector<ImportArray> arrays;
    for (const SafeTensor& tensor : read_safetensors(file, name)) {
        ImportArray array{tensor.name, fmt::format("{}:{}", name, tensor.name), tensor.shape, {}, {}, 0};
        array.type = safetensors_type(tensor, array.what);
        const std::uint64_t expected = value_bytes(array.shape, array.type, array.what);
        if (expected != tensor.values.size())
            fail(array.what,
                 fmt::format("has shape {}, which takes {} bytes, but its data_offsets hold {}; save it again",
                             shape_text(array.shape), expected, tensor.values.size()));
        array.content = tensor.values;
        arrays.push_back(std::move(array));
    }
    return arrays;
}

/// Cuts a stream of bytes into fp32 values.
class ValueStream {
public:
    ValueStream(const ImportArray& array, const std::function<void(std::uint64_t, std::span<const float>)>& f)
        : array_(array), f_(f), skip_(array.front) {}

    void take(View block) {
        const std::size_t skipped = std::min(skip_, block.size()), width = bytes_of(array_.type);
        skip_ -= skipped;
        block = block.subspan(skipped);
        if (!carry_.empty()) {   // the front of a value that the last block ended with
            const std::size_t missing = std::min(width - carry_.size(), block.size());
            carry_.insert(carry_.end(), block.begin(), block.begin() + static_cast<std::ptrdiff_t>(missing));
            block = block.subspan(missing);
            if (carry_.size() < width) return;
            give(carry_);
            carry_.clear();
        }
        const std::size_t whole = block.size() / width * width;
        give(block.first(whole));
        carry_.assign(block.begin() + static_cast<std::ptrdiff_t>(whole), block.end());
    }

private:
    void give(View stored) {
        if (stored.empty()) return;
        values_.resize(stored.size() / bytes_of(array_.type));
        widen(stored, array_.type, 1, values_);
        if (const std::size_t at = first_not_finite(stored, array_.type); at < values_.size())
            fail(array_.what, fmt::format("holds {} at value {}; capture iterations whose gradients are finite",
                                          std::isnan(values_[at]) ? "NaN" : "infinity", given_ + at));
        f_(given_, values_);
        given_ += values_.size();
    }

    const ImportArray& array_;
    const std::function<void(std::uint64_t, std::span<const float>)>& f_;
    std::size_t skip_;
    std::uint64_t given_ = 0;
    std::vector<std::byte> carry_;
    std::vector<float> values_;
};

/// A .pt is an archive of pickled objects, which only Python can read. `weights_only` lets it run nothing that the file
/// holds.
[[noreturn]] void refuse_pytorch(std::string_view name) {
    const bool quotable = std::all_of(name.begin(), name.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 ||
               std::string_view("_-./ +,=@").find(static_cast<char>(c)) != std::string_view::npos;
    });
    const std::string file(quotable ? name : "gradients.pt");
    fail(name,
         fmt::format(
             "is a file of PyTorch; save its tensors, one of shape [ranks, elements] for each iteration, as arrays: "
             "python3 -c \"import numpy, torch; saved = torch.load('{}', 'cpu', weights_only=True); "
             "numpy.savez('{}.npz', "
             "**{{str(name): tensor.detach().float().numpy() for name, tensor in (saved.items() if isinstance(saved, "
             "dict) "
             "else enumerate(saved))}})\"",
             file, file.substr(0, file.rfind('.'))));
}

}   // namespace

ImportFormat import_format(View file, std::string_view name) {
    const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    if (name.ends_with(".pt") || name.ends_with(".pth")) refuse_pytorch(name);
    if (text.starts_with("\x93NUMPY") || name.ends_with(".npy")) return ImportFormat::npy;
    if (text.starts_with("PK") || name.ends_with(".npz")) return ImportFormat::npz;
    if (name.ends_with(".safetensors")) return ImportFormat::safetensors;
    fail(name, "is of no known format; name an .npz, .npy or .safetensors file");
}

std::vector<ImportArray> list_arrays(View file, ImportFormat format, std::string_view name) {
    std::vector<ImportArray> arrays;
    switch (format) {
        case ImportFormat::npz:
            arrays = npz_arrays(file, name);
            break;
        case ImportFormat::safetensors:
            arrays = safetensors_arrays(file, name);
            break;
        case ImportFormat::npy:
            arrays.push_back(
                npy_array(std::filesystem::path(name).stem().string(), std::string(name), file, file.size()));
            arrays.back().content = file;
            break;
    }
    for (const ImportArray& array : arrays) check_name(array);
    return arrays;
}

void read_values(const ImportArray& array, const std::function<void(std::uint64_t, std::span<const float>)>& f) {
    ValueStream stream(array, f);
    if (const ZipEntry* const entry = std::get_if<ZipEntry>(&array.content)) {
        unpack(*entry, array.what, [&](View block) {
            stream.take(block);
            return true;
        });
        return;
    }
    constexpr std::size_t block_bytes = std::size_t{1} << 20;
    for (View rest = std::get<View>(array.content); !rest.empty();) {
        const std::size_t count = std::min(block_bytes, rest.size());
        stream.take(rest.first(count));
        rest = rest.subspan(count);
    }
}

ImportFile ImportFile::open(const std::filesystem::path& path) {
    const std::string name = path.string();
    if (!std::filesystem::exists(path)) fail(name, "no such file; name an .npz, .npy or .safetensors file");
    ImportFile file{MappedFile(path)};
    file.arrays_ = list_arrays(file.file_.bytes(), import_format(file.file_.bytes(), name), name);
    return file;
}

void ImportFile::read(const ImportArray& array,
                      const std::function<void(std::uint64_t, std::span<const float>)>& f) const {
    constexpr std::uint64_t keep_values = std::uint64_t{4} << 20;   // forgetting each block walks all pages too often
    std::uint64_t next = keep_values;
    read_values(array, [&](std::uint64_t first, std::span<const float> values) {
        f(first, values);
        if (first + values.size() < next) return;
        file_.forget(file_.bytes());
        next += keep_values;
    });
    file_.forget(file_.bytes());
}

}   // namespace oscar

#include "sim/trace/npy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "sim/trace/error.hpp"

namespace oscar {
namespace {

void check_layout(const NpyHeader& header, std::string_view name) {
    if (header.shape.size() != 2)
        fail(name, fmt::format("has shape {}; save an array of shape [ranks, elements]", shape_text(header.shape)));
    if (header.fortran_order) fail(name, "is in Fortran order; save numpy.ascontiguousarray(array)");
}

void check_size(const NpyHeader& header, ValueType type, std::size_t found, std::string_view name) {
    const std::uint64_t expected = value_bytes(header.shape, type, name);
    if (expected != found)
        fail(name, fmt::format("{}: shape {} takes {} bytes of values, found {}; save it again",
                               found < expected ? "is cut off" : "has bytes after its end", shape_text(header.shape),
                               expected, found));
}

}   // namespace

std::string shape_text(const std::vector<std::uint64_t>& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

std::string npy_front(std::string_view dtype, const std::vector<std::uint64_t>& shape) {
    const std::string_view one_dimension = shape.size() == 1 ? "," : "";
    std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", dtype,
                                   fmt::join(shape, ", "), one_dimension);
    text.append(63 - (10 + text.size()) % 64, ' ');   // magic, version and length are ten bytes; a line end is due
    text += '\n';
    std::string front = "\x93NUMPY\x01";
    front += {'\0', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
    return front + text;
}

ValueType value_type(const NpyHeader& header, std::optional<ValueType> declared, std::string_view name) {
    const std::string_view dtype = header.dtype;
    std::optional<ValueType> type;
    if (dtype == "<f4") type = ValueType::f4;
    if (dtype == "<f2") type = ValueType::f2;
    if (dtype == "<V2" || dtype == "bfloat16") type = ValueType::bf16;
    if (dtype == "<u2" || dtype == "|V2") {
        if (declared == ValueType::bf16) return ValueType::bf16;
        fail(name, fmt::format("has dtype '{}', which is bf16 only where trace.yaml says dtype: bf16; write that, or "
                               "save it with astype('<f4')",
                               dtype));
    }
    if (!type)
        fail(name, fmt::format("has {}dtype '{}'; save it with astype('<f4')",
                               dtype.starts_with('>') ? "big-endian " : "", dtype));
    if (declared && *declared != *type)
        fail(name,
             fmt::format("has dtype '{}', but trace.yaml says dtype: {}; make them agree", dtype, to_text(*declared)));
    return *type;
}

std::uint64_t value_bytes(const std::vector<std::uint64_t>& shape, ValueType type, std::string_view name) {
    std::uint64_t bytes = bytes_of(type);
    for (const std::uint64_t size : shape)
        if (__builtin_mul_overflow(bytes, size, &bytes))
            fail(name, fmt::format("has shape {}, more than 2^64 bytes; save it again", shape_text(shape)));
    return bytes;
}

NpyArray::NpyArray(MappedFile file, NpyHeader header, ValueType type)
    : file_(std::move(file)), header_(std::move(header)), type_(type) {}

NpyArray NpyArray::open(const std::filesystem::path& path, std::optional<ValueType> declared) {
    MappedFile file(path);
    const std::string name = path.string();
    NpyHeader header = parse_npy_header(file.bytes(), name);
    const ValueType type = value_type(header, declared, name);
    check_layout(header, name);
    check_size(header, type, file.bytes().size() - header.data_offset, name);
    return {std::move(file), std::move(header), type};
}

std::span<const std::byte> NpyArray::bytes(std::uint64_t row, std::uint64_t first, std::uint64_t count) const {
    return bytes().subspan((row * columns() + first) * bytes_of(type_), count * bytes_of(type_));
}

bool NpyArray::in_place() const {   // a mapping starts at a page
    return type_ == ValueType::f4 && header_.data_offset % alignof(float) == 0;
}

std::span<const float> NpyArray::row(std::uint64_t row) const {
    return {reinterpret_cast<const float*>(bytes(row, 0, columns()).data()), columns()};
}

}   // namespace oscar

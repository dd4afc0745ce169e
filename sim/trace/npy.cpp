#include "sim/trace/npy.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <utility>

#include "sim/trace/error.hpp"

namespace oscar {
namespace {

static_assert(std::endian::native == std::endian::little && sizeof(float) == 4,
              "values are used as they lie in the file");

[[noreturn]] void fail(std::string_view name, std::string_view what) {
    throw TraceError(fmt::format("{}: {}", name, what));
}

void check_layout(const NpyHeader& header, std::string_view name) {
    if (header.dtype != "<f4")
        fail(name, fmt::format("has {}dtype '{}'; save it with astype('<f4')",
                               header.dtype.starts_with('>') ? "big-endian " : "", header.dtype));
    if (header.shape.size() != 2)
        fail(name, fmt::format("has shape {}; save an array of shape [ranks, elements]", shape_text(header.shape)));
    if (header.fortran_order) fail(name, "is in Fortran order; save numpy.ascontiguousarray(array)");
}

/// The number of values, after comparing it with the `found` bytes that follow the header.
std::size_t count_values(const NpyHeader& header, std::size_t found, std::string_view name) {
    std::uint64_t count = 0, expected = 0;
    if (__builtin_mul_overflow(header.shape[0], header.shape[1], &count) ||
        __builtin_mul_overflow(count, sizeof(float), &expected))
        fail(name, fmt::format("has shape {}, more than 2^64 bytes; save it again", shape_text(header.shape)));
    if (expected != found)
        fail(name, fmt::format("{}: shape {} takes {} bytes of values, found {}; save it again",
                               found < expected ? "is cut off" : "has bytes after its end", shape_text(header.shape),
                               expected, found));
    return count;
}

}   // namespace

NpyArray::NpyArray(MappedFile file, NpyHeader header, std::size_t count)
    : file_(std::move(file)), header_(std::move(header)) {
    const std::byte* const start = file_.bytes().data() + header_.data_offset;
    if (header_.data_offset % alignof(float) == 0) {   // a mapping starts at a page
        values_ = {reinterpret_cast<const float*>(start), count};
        return;
    }
    copy_.resize(count);
    if (count > 0) std::memcpy(copy_.data(), start, count * sizeof(float));
    values_ = copy_;
}

NpyArray NpyArray::open(const std::filesystem::path& path) {
    MappedFile file(path);
    const std::string name = path.string();
    NpyHeader header = parse_npy_header(file.bytes(), name);
    check_layout(header, name);
    const std::size_t count = count_values(header, file.bytes().size() - header.data_offset, name);
    return {std::move(file), std::move(header), count};
}

}   // namespace oscar

#include "models/codec/message/block_header.hpp"

#include <stdexcept>
#include <string>

#include "models/codec/bits/little_endian.hpp"

namespace oscar {

namespace {

std::uint16_t narrowed(std::uint32_t value, const char* name) {
    if (value > 0xFFFF)
        throw std::invalid_argument(std::string("block header: ") + name + " " + std::to_string(value) +
                                    " does not fit its 16 bits");
    return static_cast<std::uint16_t>(value);
}

template <class Error = CorruptStream>
void require_equal(std::uint32_t found, std::uint32_t expected, const char* field) {
    if (found != expected)
        throw Error(std::string(field) + " is not the decoder's: " + std::to_string(found) + ", expected " +
                    std::to_string(expected));
}

}   // namespace

BlockHeader make_header(const Context& context, std::uint32_t values) {
    return {.epoch = context.epoch,
            .timestep = narrowed(context.timestep.value, "timestep"),
            .chunk = narrowed(context.chunk.value, "chunk"),
            .values = values};
}

void append(std::vector<std::byte>& out, const BlockHeader& header) {
    append_little_endian(out, static_cast<std::uint32_t>(header.mode), 1);
    append_little_endian(out, header.epoch, 1);
    append_little_endian(out, header.check, 2);
    append_little_endian(out, header.timestep, 2);
    append_little_endian(out, header.chunk, 2);
    append_little_endian(out, header.values, 4);
    append_little_endian(out, header.bytes, 4);
}

BlockHeader read_header(std::span<const std::byte> bytes) {
    return {.mode = static_cast<BlockMode>(bytes[0]),
            .epoch = static_cast<std::uint8_t>(bytes[1]),
            .check = static_cast<std::uint16_t>(little_endian(bytes, 2, 2)),
            .timestep = static_cast<std::uint16_t>(little_endian(bytes, 4, 2)),
            .chunk = static_cast<std::uint16_t>(little_endian(bytes, 6, 2)),
            .values = little_endian(bytes, 8, 4),
            .bytes = little_endian(bytes, 12, 4)};
}

void require_header_of(const BlockHeader& header, const Context& context, std::uint32_t values) {
    const BlockHeader expected = make_header(context, values);
    if (header.mode > BlockMode::coded_inline)
        throw CorruptStream("mode does not exist: " + std::to_string(static_cast<std::uint32_t>(header.mode)));
    require_equal<TableMismatch>(header.epoch, expected.epoch, "epoch");
    require_equal(header.timestep, expected.timestep, "timestep");
    require_equal(header.chunk, expected.chunk, "chunk");
    require_equal(header.values, values, "value count");
    if (header.bytes < block_header_bytes)
        throw CorruptStream("total bytes are less than the header: " + std::to_string(header.bytes));
}

}   // namespace oscar

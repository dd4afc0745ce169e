// ZIP archives and safetensors files made by the tests, right or wrong in one place.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace oscar::testing {

/// The little-endian text of a number.
inline std::string number(std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xff);
    return text;
}

/// One file of an archive, as its headers describe it.
struct ZipFile {
    std::string name, packed;
    std::uint32_t method = 0, flags = 0, crc = 0;
    std::uint64_t packed_size = 0, size = 0;
    std::string extra;              ///< in the directory and in its own header
    std::uint64_t offset = ~0ULL;   ///< in the directory; by default where it is
    std::string own_name;           ///< in its own header; by default the same
};

inline ZipFile stored(const std::string& name, const std::string& content) {
    const auto crc = crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size()));
    return {name, content, 0, 0, static_cast<std::uint32_t>(crc), content.size(), content.size(), "", ~0ULL, ""};
}

inline ZipFile deflated(const std::string& name, const std::string& content) {
    ZipFile file = stored(name, content);
    file.method = 8;
    file.packed.resize(content.size() + 1000);
    z_stream stream{};
    deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
    stream.avail_in = static_cast<uInt>(content.size());
    stream.next_out = reinterpret_cast<Bytef*>(file.packed.data());
    stream.avail_out = static_cast<uInt>(file.packed.size());
    deflate(&stream, Z_FINISH);
    file.packed.resize(stream.total_out);
    deflateEnd(&stream);
    file.packed_size = file.packed.size();
    return file;
}

/// APPNOTE.TXT 4.3: local headers and contents, the directory, its end.
inline std::string zip(const std::vector<ZipFile>& files) {
    std::string archive, directory;
    for (const ZipFile& file : files) {
        const std::string sizes = number(file.crc, 4) + number(file.packed_size, 4) + number(file.size, 4);
        const std::string& own_name = file.own_name.empty() ? file.name : file.own_name;
        directory += "PK\x01\x02" + number(20, 2) + number(20, 2) + number(file.flags, 2) + number(file.method, 2) +
                     number(0, 4) + sizes + number(file.name.size(), 2) + number(file.extra.size(), 2) + number(0, 2) +
                     number(0, 2) + number(0, 2) + number(0, 4) +
                     number(file.offset == ~0ULL ? archive.size() : file.offset, 4) + file.name + file.extra;
        archive += "PK\x03\x04" + number(20, 2) + number(file.flags, 2) + number(file.method, 2) + number(0, 4) +
                   sizes + number(own_name.size(), 2) + number(file.extra.size(), 2) + own_name + file.extra +
                   file.packed;
    }
    return archive + directory + "PK\x05\x06" + number(0, 4) + number(files.size(), 2) + number(files.size(), 2) +
           number(directory.size(), 4) + number(archive.size(), 4) + number(0, 2);
}

/// The length of the header, the header, the values.
inline std::string safetensors(const std::string& header, const std::string& values) {
    return number(header.size(), 8) + header + values;
}

}   // namespace oscar::testing

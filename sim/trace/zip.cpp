#include "sim/trace/zip.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>

#include "sim/config/text.hpp"
#include "sim/trace/error.hpp"

namespace oscar::inline trace {
namespace {

using View = std::span<const std::byte>;

constexpr std::uint32_t end_signature = 0x06054b50, locator_signature = 0x07064b50, end64_signature = 0x06064b50,
                        entry_signature = 0x02014b50, local_signature = 0x04034b50;
constexpr std::size_t end_bytes = 22, locator_bytes = 20, end64_bytes = 56, entry_bytes = 46, local_bytes = 30;
constexpr std::size_t longest_comment = 0xffff;
constexpr std::uint64_t most_expansion = 1032;   // of deflate: 258 bytes by two codes of one bit each

[[noreturn]] void fail_archive(std::string_view name, std::string_view what) {
    throw TraceError(fmt::format("{}: {}; write it with numpy.savez", name, what));
}

/// The little-endian number of `size` bytes at `at`, which the caller knows to lie inside.
std::uint64_t number(View bytes, std::size_t at, std::size_t size) {
    std::uint64_t value = 0;
    for (std::size_t i = size; i-- > 0;) value = value << 8 | std::to_integer<std::uint64_t>(bytes[at + i]);
    return value;
}

/// Where the directory is.
struct Directory {
    std::uint64_t entries = 0, size = 0, offset = 0;
};

std::size_t find_end(View archive, std::string_view name) {
    if (archive.size() >= end_bytes) {
        const std::size_t last = archive.size() - end_bytes;
        for (std::size_t back = 0; back <= std::min(last, longest_comment); ++back) {
            const std::size_t at = last - back;
            if (number(archive, at, 4) == end_signature && number(archive, at + 20, 2) == back) return at;
        }
    }
    const bool starts = archive.size() >= 4 && number(archive, 0, 4) == local_signature;
    fail_archive(name, starts ? "is cut off: a ZIP archive without its end" : "is no ZIP archive");
}

Directory find_directory(View archive, std::string_view name) {
    const std::size_t end = find_end(archive, name);
    if (number(archive, end + 4, 2) != 0 || number(archive, end + 6, 2) != 0)
        fail_archive(name, "is one of several parts");
    Directory directory{number(archive, end + 10, 2), number(archive, end + 12, 4), number(archive, end + 16, 4)};
    std::size_t limit = end;
    if (end >= locator_bytes && number(archive, end - locator_bytes, 4) == locator_signature) {
        const std::uint64_t at = number(archive, end - locator_bytes + 8, 8);
        if (end < locator_bytes + end64_bytes || at > end - locator_bytes - end64_bytes ||
            number(archive, at, 4) != end64_signature)
            fail_archive(name, "has a damaged ZIP64 end");
        directory = {number(archive, at + 32, 8), number(archive, at + 40, 8), number(archive, at + 48, 8)};
        limit = at;
    }
    if (directory.offset > limit || directory.size > limit - directory.offset)
        fail_archive(name, "has a directory beyond its end");
    if (directory.entries > directory.size / entry_bytes)
        fail_archive(name, fmt::format("has {} entries in a directory of {} bytes", directory.entries, directory.size));
    return directory;
}

void check_name(const std::string& entry, std::string_view name) {
    const auto refuse = [&] {
        fail_archive(name, fmt::format("has an entry called {}, which could lead out of a folder", in_quotes(entry)));
    };
    if (entry.find('\\') != std::string::npos) refuse();
    if (std::any_of(entry.begin(), entry.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; })) refuse();
    std::size_t start = 0;
    while (start <= entry.size()) {
        const std::size_t end = std::min(entry.find('/', start), entry.size());
        const std::string part = entry.substr(start, end - start);
        if (part.empty() || part == "." || part == "..") refuse();
        start = end + 1;
    }
}

/// The sizes and the offset of an entry; those that do not fit 32 bits stand in its ZIP64 field.
struct Extent {
    std::uint64_t size = 0, packed = 0, offset = 0;
};

Extent extent_of(View record, View extra, const std::string& what) {
    Extent extent{number(record, 24, 4), number(record, 20, 4), number(record, 42, 4)};
    std::size_t at = 0;
    while (extra.size() - at >= 4) {
        const std::uint64_t tag = number(extra, at, 2), length = number(extra, at + 2, 2);
        at += 4;
        if (length > extra.size() - at) fail_archive(what, "has a damaged extra field");
        if (tag == 1) {
            std::size_t next = at;
            for (std::uint64_t* value : {&extent.size, &extent.packed, &extent.offset}) {
                if (*value != 0xffff'ffffU) continue;
                if (next + 8 > at + length) fail_archive(what, "has a damaged ZIP64 field");
                *value = number(extra, next, 8);
                next += 8;
            }
            return extent;
        }
        at += length;
    }
    return extent;
}

/// The packed bytes, behind the entry's own header.
View packed_bytes(View archive, const Extent& extent, const std::string& entry, const std::string& what) {
    if (archive.size() < local_bytes || extent.offset > archive.size() - local_bytes ||
        number(archive, extent.offset, 4) != local_signature)
        fail_archive(what, "does not lie where the directory says");
    const std::uint64_t name_length = number(archive, extent.offset + 26, 2),
                        start = extent.offset + local_bytes + name_length + number(archive, extent.offset + 28, 2);
    if (start > archive.size() || extent.packed > archive.size() - start) fail_archive(what, "is cut off");
    const auto* const own_name = reinterpret_cast<const char*>(archive.data() + extent.offset + local_bytes);
    if (std::string_view(own_name, name_length) != entry) fail_archive(what, "has another name in its own header");
    return archive.subspan(start, extent.packed);
}

void check_overlap(std::vector<ZipEntry> entries, std::string_view name) {
    std::sort(entries.begin(), entries.end(),
              [](const ZipEntry& a, const ZipEntry& b) { return a.packed.data() < b.packed.data(); });
    for (std::size_t i = 1; i < entries.size(); ++i)
        if (entries[i - 1].packed.data() + entries[i - 1].packed.size() > entries[i].packed.data())
            fail_archive(name, fmt::format("has entries {} and {} that overlap", in_quotes(entries[i - 1].name),
                                           in_quotes(entries[i].name)));
}

/// The entry whose record starts `rest`; `rest` moves behind it.
ZipEntry take_entry(View archive, View& rest, std::string_view name) {
    if (rest.size() < entry_bytes || number(rest, 0, 4) != entry_signature)
        fail_archive(name, "has a damaged directory");
    const std::uint64_t name_length = number(rest, 28, 2), extra_length = number(rest, 30, 2),
                        length = entry_bytes + name_length + extra_length + number(rest, 32, 2);
    if (length > rest.size()) fail_archive(name, "has a damaged directory");
    ZipEntry entry;
    entry.name.assign(reinterpret_cast<const char*>(rest.data() + entry_bytes), name_length);
    check_name(entry.name, name);
    const std::string what = fmt::format("{}:{}", name, entry.name);
    if ((number(rest, 8, 2) & 1U) != 0) fail_archive(what, "is encrypted");
    const std::uint64_t method = number(rest, 10, 2);
    if (method != 0 && method != 8)
        fail_archive(what, fmt::format("is packed by method {}; readable are stored (0) and deflated (8)", method));
    entry.deflated = method == 8;
    entry.crc = static_cast<std::uint32_t>(number(rest, 16, 4));
    const Extent extent = extent_of(rest, rest.subspan(entry_bytes + name_length, extra_length), what);
    entry.size = extent.size;
    entry.packed = packed_bytes(archive, extent, entry.name, what);
    const bool possible =
        entry.deflated ? entry.size / most_expansion <= entry.packed.size() : entry.size == entry.packed.size();
    if (!possible)
        fail_archive(what, fmt::format("claims {} bytes out of {}, which cannot be", entry.size, entry.packed.size()));
    rest = rest.subspan(length);
    return entry;
}

/// zlib's inflate of a raw stream.
class Inflater {
public:
    explicit Inflater(std::string_view name) : name_(name) {
        if (inflateInit2(&stream_, -MAX_WBITS) != Z_OK) fail_archive(name_, "cannot be unpacked for lack of memory");
    }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
    ~Inflater() { inflateEnd(&stream_); }

    void feed(View packed) {
        stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data()));
        stream_.avail_in = static_cast<uInt>(packed.size());
    }
    /// Fills the front of `out`; less than all of it only where the input or the stream ends.
    std::size_t take(std::span<std::byte> out) {
        stream_.next_out = reinterpret_cast<Bytef*>(out.data());
        stream_.avail_out = static_cast<uInt>(out.size());
        const int status = inflate(&stream_, Z_NO_FLUSH);
        ended_ = status == Z_STREAM_END;
        if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
            fail_archive(name_, "has a damaged deflate stream");
        return out.size() - stream_.avail_out;
    }
    bool ended() const { return ended_; }
    bool hungry() const { return stream_.avail_in == 0; }

private:
    z_stream stream_{};
    std::string_view name_;
    bool ended_ = false;
};

constexpr std::size_t block_bytes = std::size_t{1} << 20;

/// Hands on the bytes of an entry while counting them.
class Outlet {
public:
    Outlet(const ZipEntry& entry, std::string_view name, const std::function<bool(View)>& f)
        : entry_(entry), name_(name), f_(f) {}

    /// Whether more is wanted.
    bool give(View block) {
        if (block.size() > entry_.size - given_)
            fail_archive(name_, fmt::format("unpacks to more than the {} bytes it claims", entry_.size));
        given_ += block.size();
        if (entry_.crc)
            crc_ = crc32(crc_, reinterpret_cast<const Bytef*>(block.data()), static_cast<uInt>(block.size()));
        return f_(block);
    }
    void finish() const {
        if (given_ != entry_.size)
            fail_archive(name_, fmt::format("unpacks to {} bytes instead of {}", given_, entry_.size));
        if (entry_.crc && crc_ != *entry_.crc) fail_archive(name_, "is damaged: its checksum differs");
    }

private:
    const ZipEntry& entry_;
    std::string_view name_;
    const std::function<bool(View)>& f_;
    std::uint64_t given_ = 0;
    uLong crc_ = crc32(0, nullptr, 0);
};

/// Inflates what was fed; whether more is wanted.
bool drain(Inflater& inflater, Outlet& outlet, std::span<std::byte> buffer) {
    while (!inflater.ended()) {
        const std::size_t count = inflater.take(buffer);
        if (count > 0 && !outlet.give(buffer.first(count))) return false;
        if (count < buffer.size()) break;
    }
    return true;
}

}   // namespace

std::vector<ZipEntry> read_zip_directory(View archive, std::string_view name) {
    const Directory directory = find_directory(archive, name);
    View rest = archive.subspan(directory.offset, directory.size);
    std::vector<ZipEntry> entries;
    std::set<std::string> seen;
    for (std::uint64_t i = 0; i < directory.entries; ++i) {
        entries.push_back(take_entry(archive, rest, name));
        if (!seen.insert(entries.back().name).second)
            fail_archive(name, fmt::format("has two entries called {}", in_quotes(entries.back().name)));
    }
    check_overlap(entries, name);
    return entries;
}

void unpack(const ZipEntry& entry, std::string_view name, const std::function<bool(View)>& f,
            const std::function<void(View)>& done) {
    Outlet outlet(entry, name, f);
    std::optional<Inflater> inflater;
    std::vector<std::byte> buffer;
    if (entry.deflated) {
        inflater.emplace(name);
        buffer.resize(static_cast<std::size_t>(std::min<std::uint64_t>(block_bytes, entry.size + 1)));
    }
    for (std::size_t at = 0; at < entry.packed.size(); at += block_bytes) {
        const View part = entry.packed.subspan(at, std::min(block_bytes, entry.packed.size() - at));
        if (inflater) inflater->feed(part);
        if (!(inflater ? drain(*inflater, outlet, buffer) : outlet.give(part))) return;
        if (inflater && inflater->ended() && (at + part.size() < entry.packed.size() || !inflater->hungry()))
            fail_archive(name, "has bytes after the end of its deflate stream");
        if (done) done(part);
    }
    if (inflater && !inflater->ended()) fail_archive(name, "has a deflate stream without end");
    outlet.finish();
}

}   // namespace oscar::inline trace

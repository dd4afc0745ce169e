#include "sim/trace/zip.hpp"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <memory>

#include "sim/config/text.hpp"
#include "sim/trace/error.hpp"

namespace oscar {
namespace {

using View = std::span<const std::byte>;

constexpr std::size_t block_bytes = std::size_t{1} << 20;
constexpr std::uint64_t most_expansion = 1032;   // of deflate: 258 bytes by two codes of one bit each
constexpr std::uint64_t local_bytes = 30, record_bytes = 46, end_bytes = 22;   // headers without names: APPNOTE.TXT 4.3

[[noreturn]] void fail_archive(std::string_view name, std::string_view what) {
    throw TraceError(fmt::format("{}: {}; write it with numpy.savez", name, what));
}

/// The problem that libzip found with a whole archive.
std::string problem_of(View archive, const zip_error_t& error) {
    const std::string_view text(reinterpret_cast<const char*>(archive.data()), archive.size());
    switch (zip_error_code_zip(&error)) {
        case ZIP_ER_NOZIP:
#ifdef ZIP_ER_TRUNCATED_ZIP   // from libzip 1.11 on apart from the above
        case ZIP_ER_TRUNCATED_ZIP:
#endif
            return text.starts_with("PK\x03\x04") ? "is a ZIP archive that is cut off or damaged" : "is no ZIP archive";
        case ZIP_ER_EXISTS:
            return "has two entries of the same name";
        case ZIP_ER_INCONS:
        case ZIP_ER_NOENT:   // of a field in the directory
            return "has a damaged directory";
        default:
            return fmt::format("cannot be read: {}", zip_error_strerror(const_cast<zip_error_t*>(&error)));
    }
}

/// The archive, with each entry's own header compared with the directory.
std::shared_ptr<zip_t> open_archive(View archive, std::string_view name) {
    zip_error_t error;
    zip_error_init(&error);
    if (archive.empty()) fail_archive(name, "is no ZIP archive");   // an empty one to libzip
    zip_source_t* const source = zip_source_buffer_create(archive.data(), archive.size(), 0, &error);
    zip_t* const opened = source ? zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error) : nullptr;
    if (opened) return {opened, zip_discard};
    zip_source_free(source);
    const std::string problem = problem_of(archive, error);
    zip_error_fini(&error);
    fail_archive(name, problem);
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

void check_packing(const zip_stat_t& entry, const std::string& what) {
    if (entry.encryption_method != ZIP_EM_NONE) fail_archive(what, "is encrypted");
    if (entry.comp_method != ZIP_CM_STORE && entry.comp_method != ZIP_CM_DEFLATE)
        fail_archive(
            what, fmt::format("is packed by method {}; readable are stored (0) and deflated (8)", entry.comp_method));
    const bool possible = entry.comp_method == ZIP_CM_DEFLATE ? entry.size / most_expansion <= entry.comp_size
                                                              : entry.size == entry.comp_size;
    if (!possible)
        fail_archive(what, fmt::format("claims {} bytes out of {}, which cannot be", entry.size, entry.comp_size));
}

zip_stat_t stat_of(zip_t& archive, std::uint64_t index, std::string_view name) {
    zip_stat_t stat;
    if (zip_stat_index(&archive, index, ZIP_FL_ENC_RAW, &stat) != 0) fail_archive(name, zip_strerror(&archive));
    return stat;
}

using File = std::unique_ptr<zip_file_t, decltype(&zip_fclose)>;

/// Fills the front of `block`; 0 at the end.
std::size_t read(zip_file_t& file, std::span<std::byte> block, std::string_view name) {
    const zip_int64_t count = zip_fread(&file, block.data(), block.size());
    if (count < 0) fail_archive(name, fmt::format("cannot be unpacked: {}", zip_file_strerror(&file)));
    return static_cast<std::size_t>(count);
}

}   // namespace

std::vector<ZipEntry> read_zip_directory(View bytes, std::string_view name) {
    const std::shared_ptr<zip_t> archive = open_archive(bytes, name);
    const auto count = static_cast<std::uint64_t>(zip_get_num_entries(archive.get(), 0));
    std::vector<ZipEntry> entries;
    std::uint64_t room = bytes.size() - end_bytes;
    for (std::uint64_t i = 0; i < count; ++i) {
        const zip_stat_t stat = stat_of(*archive, i, name);
        ZipEntry entry{stat.name, stat.size, i, archive};
        check_name(entry.name, name);
        check_packing(stat, fmt::format("{}:{}", name, entry.name));
        const std::uint64_t headers = local_bytes + record_bytes + 2 * entry.name.size();
        if (headers > room || stat.comp_size > room - headers) fail_archive(name, "has entries that overlap");
        room -= headers + stat.comp_size;
        entries.push_back(std::move(entry));
    }
    return entries;
}

void unpack(const ZipEntry& entry, std::string_view name, const std::function<bool(View)>& f) {
    const File file(zip_fopen_index(entry.archive.get(), entry.index, 0), zip_fclose);
    if (!file) fail_archive(name, fmt::format("cannot be unpacked: {}", zip_strerror(entry.archive.get())));
    std::vector<std::byte> buffer(static_cast<std::size_t>(std::min<std::uint64_t>(block_bytes, entry.size + 1)));
    std::uint64_t given = 0;
    while (const std::size_t count = read(*file, buffer, name)) {
        given += count;
        if (given > entry.size)
            fail_archive(name, fmt::format("unpacks to more than the {} bytes it claims", entry.size));
        if (!f(View(buffer).first(count))) return;
    }
    if (given != entry.size) fail_archive(name, fmt::format("unpacks to {} bytes instead of {}", given, entry.size));
}

}   // namespace oscar

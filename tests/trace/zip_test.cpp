#include "sim/trace/zip.hpp"

#include <gmock/gmock.h>

#include "sim/trace/error.hpp"
#include "tests/trace/archive.hpp"

namespace oscar::zip_test {
namespace {

using ::testing::AnyOf;
using testing::deflated;
using testing::number;
using testing::stored;
using testing::zip;
using testing::ZipFile;

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

std::string unpacked(const ZipEntry& entry) {
    std::string text;
    unpack(entry, entry.name, [&](std::span<const std::byte> block) {
        text.append(reinterpret_cast<const char*>(block.data()), block.size());
        return true;
    });
    return text;
}

/// What is wrong with an archive or its contents.
std::string error_of(const std::string& archive) {
    try {
        for (const ZipEntry& entry : read_zip_directory(bytes_of(archive), "a.npz")) unpacked(entry);
        return "no error";
    } catch (const TraceError& error) {
        return error.what();
    }
}
std::string error_of(const ZipFile& file) { return error_of(zip({file})); }

/// Of archives that disagree with themselves libzip tells more from 1.11 on, and earlier.
const std::string inconsistent = "a.npz: has a damaged directory; write it with numpy.savez";

const std::string hello = "hello, hello, hello, hello";

TEST(Zip, GivesBackStoredAndDeflatedFilesOfAnySize) {
    for (const std::size_t size : {0UL, 1UL, 1000UL, 1UL << 20, (1UL << 20) + 1, 5000000UL}) {
        std::string content(size, 'x');
        for (std::size_t i = 0; i < size; i += 7) content[i] = static_cast<char>(i * i >> 3);
        const std::string archive = zip({stored("a", content), deflated("b", content)});
        const auto entries = read_zip_directory(bytes_of(archive), "a.npz");
        ASSERT_EQ(entries.size(), 2U);
        EXPECT_EQ(entries[0].name, "a");
        EXPECT_TRUE(unpacked(entries[0]) == content) << size;
        EXPECT_TRUE(unpacked(entries[1]) == content) << size;
    }
}

TEST(Zip, StopsWhenNoMoreIsWanted) {
    const std::string archive = zip({deflated("a", std::string(std::size_t{3} << 20, 'x'))});
    int blocks = 0;
    unpack(read_zip_directory(bytes_of(archive), "a.npz")[0], "a", [&](std::span<const std::byte>) {
        ++blocks;
        return false;
    });
    EXPECT_EQ(blocks, 1);
}

TEST(Zip, MayCarryACommentAndBeEmpty) {
    EXPECT_EQ(error_of(zip({})), "no error");
    std::string archive = zip({stored("a", hello)});
    archive.replace(archive.size() - 2, 2, number(3, 2));
    EXPECT_EQ(error_of(archive + "abc"), "no error");
}

TEST(Zip, ReadsSizesOf64Bits) {   // the extra field 1 holds what is all ones in the record: size, packed size
    ZipFile file = deflated("a", hello);
    file.extra = number(1, 2) + number(16, 2) + number(file.size, 8) + number(file.packed_size, 8);
    file.size = file.packed_size = 0xffff'ffff;
    const std::string archive = zip({file});
    EXPECT_EQ(unpacked(read_zip_directory(bytes_of(archive), "a.npz")[0]), hello);
    file.extra = number(1, 2) + number(8, 2) + number(hello.size(), 8);
    EXPECT_EQ(error_of(file), "a.npz: has a damaged directory; write it with numpy.savez");
    file.extra = number(1, 2) + number(99, 2);
    EXPECT_EQ(error_of(file), "a.npz: has a damaged directory; write it with numpy.savez");
}

TEST(ZipErrors, RefuseWhatIsNoArchiveOrCutOff) {
    EXPECT_EQ(error_of(std::string()), "a.npz: is no ZIP archive; write it with numpy.savez");
    EXPECT_EQ(error_of(std::string(100, 'x')), "a.npz: is no ZIP archive; write it with numpy.savez");
    const std::string good = zip({stored("a", hello), deflated("b", hello)});
    EXPECT_THAT(error_of(good.substr(0, good.size() - 1)),
                AnyOf("a.npz: is a ZIP archive that is cut off or damaged; write it with numpy.savez", inconsistent));
    for (std::size_t size = 0; size < good.size(); ++size)
        EXPECT_NE(error_of(good.substr(0, size)), "no error") << size;
    for (std::size_t start = 1; start < good.size(); ++start) EXPECT_NE(error_of(good.substr(start)), "no error");
}

TEST(ZipErrors, SurviveAnyOneByteChanged) {
    const std::string good = zip({stored("a", hello), deflated("b", hello)});
    for (std::size_t at = 0; at < good.size(); ++at)
        for (const char replacement : {'\0', '\x01', '\x7f', '\xff'}) {
            std::string changed = good;
            changed[at] = replacement;
            EXPECT_FALSE(error_of(changed).empty());
        }
}

TEST(ZipErrors, RefuseNamesThatLeadOutOfAFolder) {
    for (const char* name : {"../a.npy", "/a.npy", "a/../../b.npy", "a//b.npy", "a/", "..", ".", "a\\b.npy", "a\nb"})
        EXPECT_NE(error_of(stored(name, hello)).find("which could lead out of a folder"), std::string::npos) << name;
    EXPECT_EQ(error_of(stored("../a.npy", hello)),
              "a.npz: has an entry called '../a.npy', which could lead out of a folder; write it with numpy.savez");
}

TEST(ZipErrors, RefuseTwoEntriesOfOneNameOrOnePlace) {
    EXPECT_EQ(error_of(zip({stored("a", hello), stored("a", hello)})),
              "a.npz: has two entries of the same name; write it with numpy.savez");
    ZipFile second = stored("a", hello);   // its own header is that of the first
    second.name = "b";
    second.offset = 0;
    EXPECT_EQ(error_of(zip({stored("a", hello), second})), "a.npz: has a damaged directory; write it with numpy.savez");
    // A quine-like bomb: the contents of "a" hold the whole of "b", which the archive has nowhere else.
    const std::string inner = zip({stored("b", std::string(20, 'x'))});
    ZipFile outer = stored("a", inner), hidden = stored("b", std::string(20, 'x'));
    hidden.offset = 30 + 1;   // behind the header of "a" with its name
    hidden.packed.clear();
    EXPECT_EQ(error_of(zip({outer, hidden})), "a.npz: has entries that overlap; write it with numpy.savez");
}

TEST(ZipErrors, RefuseBombsBeforeAndWhileUnpacking) {
    ZipFile bomb = deflated("a", std::string(1 << 20, '\0'));   // unpacks 1000 to 1
    bomb.size = 24;
    EXPECT_EQ(error_of(bomb), "a: unpacks to more than the 24 bytes it claims; write it with numpy.savez");
}

TEST(ZipErrors, RefuseSizesThatCannotBe) {
    ZipFile file = deflated("a", hello);
    file.size = 0xffff'fff0;
    EXPECT_NE(error_of(file).find("claims 4294967280 bytes out of"), std::string::npos);
    file = stored("a", hello);
    file.size = 27;
    EXPECT_THAT(error_of(file),
                AnyOf("a.npz:a: claims 27 bytes out of 26, which cannot be; write it with numpy.savez", inconsistent));
    file = stored("a", hello);
    file.size = file.packed_size = 1000;
    EXPECT_EQ(error_of(file), "a.npz: is a ZIP archive that is cut off or damaged; write it with numpy.savez");
    file = stored("a", hello);
    file.offset = 5;
    EXPECT_EQ(error_of(file), "a.npz: is a ZIP archive that is cut off or damaged; write it with numpy.savez");
}

TEST(ZipErrors, RefuseOtherMethodsAndEncryption) {
    ZipFile file = stored("a", hello);
    file.method = 12;
    EXPECT_EQ(error_of(file),
              "a.npz:a: is packed by method 12; readable are stored (0) and deflated (8); write it with numpy.savez");
    file = stored("a", hello);
    file.flags = 1;
    EXPECT_THAT(error_of(file), AnyOf("a.npz:a: is encrypted; write it with numpy.savez", inconsistent));
}

TEST(ZipErrors, RefuseDamagedContents) {
    ZipFile file = deflated("a", hello);
    file.crc ^= 1;
    EXPECT_EQ(error_of(file), "a: cannot be unpacked: CRC error; write it with numpy.savez");
    file = deflated("a", hello);
    file.size += 1;
    EXPECT_EQ(error_of(file), "a: unpacks to 26 bytes instead of 27; write it with numpy.savez");
    file = deflated("a", hello);
    file.packed.pop_back();
    file.packed_size -= 1;
    EXPECT_EQ(error_of(file), "a: cannot be unpacked: CRC error; write it with numpy.savez");
    file = deflated("a", hello);
    file.packed[0] = '\xff';
    EXPECT_EQ(error_of(file), "a: cannot be unpacked: Zlib error: data error; write it with numpy.savez");
}

}   // namespace
}   // namespace oscar::zip_test

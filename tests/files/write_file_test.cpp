#include "sim/files/write_file.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <iterator>
#include <vector>

#include "sim/files/write_failure.hpp"
#include "tests/trace/trace_folder.hpp"

namespace {

namespace fs = std::filesystem;

/// What was brought to the disk, in order: names and sizes of files, names of folders and a slash.
std::vector<std::string> brought;
int fails_with = 0;

}   // namespace

/// In place of the C library's.
extern "C" int fsync(int descriptor) {
    const fs::path path = fs::read_symlink("/proc/self/fd/" + std::to_string(descriptor));
    struct stat status {};
    ::fstat(descriptor, &status);
    const std::string what = S_ISDIR(status.st_mode) ? "/" : " " + std::to_string(status.st_size);
    brought.push_back(path.filename().string() + what);
    if (fails_with != 0) errno = fails_with;
    return fails_with != 0 ? -1 : static_cast<int>(::syscall(SYS_fsync, descriptor));
}

namespace oscar::write_file_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string text_of(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

struct ReplaceFile : ::testing::Test {
    ReplaceFile() {
        brought.clear();
        fails_with = 0;
    }
    ~ReplaceFile() override { fails_with = 0; }
    std::size_t entries() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()));
    }
    testing::TemporaryFolder folder;
    fs::path file = folder.path() / "report.json";
};

TEST_F(ReplaceFile, BringsTheFileToTheDiskBeforeItIsRenamedAndTheFolderAfter) {
    replace_file(file, "first", "");
    EXPECT_EQ(text_of(file), "first");
    ASSERT_EQ(brought.size(), 2U);
    EXPECT_THAT(brought[0], StartsWith(".report.json.tmp"));   // under its temporary name: not renamed yet
    EXPECT_THAT(brought[0], ::testing::EndsWith(" 5"));        // whole
    EXPECT_EQ(brought[1], folder.path().filename().string() + "/");
    replace_file(file, "second", "");
    EXPECT_EQ(text_of(file), "second");
    EXPECT_EQ(entries(), 1U);
}

TEST_F(ReplaceFile, LeavesTheOlderFileAndNothingElseWhereTheDiskFails) {
    replace_file(file, "first", "");
    fails_with = EIO;
    EXPECT_THROW(replace_file(file, "second", "elsewhere"), WriteFailure);
    EXPECT_EQ(text_of(file), "first");
    EXPECT_EQ(entries(), 1U);
}

TEST_F(ReplaceFile, NamesTheFileAndNotItsTemporaryName) {
    const auto error = [](const fs::path& path) {
        try {
            replace_file(path, "", "elsewhere");
        } catch (const InputError& refused) {
            return std::string(refused.what());
        }
        return std::string("no error");
    };
    fs::create_directories(file / "in the way");
    EXPECT_EQ(error(file), file.string() + ": cannot be written (Is a directory); elsewhere");
    const fs::path nowhere = folder.path() / "no/such/report.json";
    EXPECT_EQ(error(nowhere), nowhere.string() + ": cannot be written (No such file or directory); elsewhere");
    EXPECT_EQ(entries(), 1U);
}

TEST_F(ReplaceFile, IsContentWhereAFileSystemCannotBringFoldersToTheDisk) {
    for (const int error : {EINVAL, EROFS}) {
        fails_with = error;
        EXPECT_EQ(sync_to_disk(folder.path()), 0);
    }
    fails_with = EIO;
    EXPECT_EQ(sync_to_disk(folder.path()), EIO);
    EXPECT_EQ(sync_to_disk(folder.path() / "none"), ENOENT);
}

TEST_F(ReplaceFile, NothingStaysOfALongerFileThatIsWrittenAnew) {
    for (const auto write : {write_file, replace_file}) {
        write(file, "a longer text", "");
        write(file, "short", "");
        EXPECT_EQ(text_of(file), "short");
    }
}

TEST_F(ReplaceFile, WritabilityIsTriedWithoutATrace) {
    EXPECT_EQ(why_not_writable(folder.path()), 0);
    EXPECT_EQ(entries(), 0U);
    EXPECT_EQ(why_not_writable(folder.path() / "none"), ENOENT);
    folder.write("a file", "");
    EXPECT_EQ(why_not_writable(folder.path() / "a file"), ENOTDIR);
}

}   // namespace
}   // namespace oscar::write_file_test

// Folders that another process makes while this one looks, and files that a full disk cuts off.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <fstream>

#include "sim/files/pending_folder.hpp"
#include "sim/files/write_failure.hpp"
#include "sim/files/write_file.hpp"
#include "tests/files/meanwhile.hpp"
#include "tests/trace/trace_folder.hpp"

namespace oscar::other_process_test {
namespace {

namespace fs = std::filesystem;
using Files = PendingFolder::Files;

struct FolderOfAnotherProcess : ::testing::Test {
    testing::TemporaryFolder folder;
    fs::path top = folder.path() / "a", deep = top / "b";
};

TEST_F(FolderOfAnotherProcess, StaysWithItsFilesAlthoughThisOneFoundNoneBefore) {
    testing::when_made(deep, [&] {
        fs::create_directory(deep);
        std::ofstream(deep / "theirs") << "x";
    });
    {
        const PendingFolder pending(deep, Files::go, "elsewhere");
        EXPECT_FALSE(pending.is_new());
    }
    EXPECT_TRUE(fs::exists(deep / "theirs"));
}

TEST_F(FolderOfAnotherProcess, StaysEmpty) {
    testing::when_made(deep, [&] { fs::create_directory(deep); });
    { const PendingFolder pending(deep, Files::go, "elsewhere"); }
    EXPECT_TRUE(fs::exists(deep));
}

TEST_F(FolderOfAnotherProcess, MayBeAParentInWhichThisOneMakesItsOwn) {
    testing::when_made(top, [&] { fs::create_directory(top); });
    const PendingFolder pending(deep, Files::go, "elsewhere");
    EXPECT_TRUE(pending.is_new());
    EXPECT_TRUE(fs::is_directory(deep));
}

TEST_F(FolderOfAnotherProcess, IsRefusedWhereItIsAFile) {
    testing::when_made(deep, [&] { std::ofstream(deep) << "x"; });
    EXPECT_THROW(PendingFolder(deep, Files::go, "elsewhere"), InputError);
    EXPECT_TRUE(fs::is_regular_file(deep));
}

/// No file may have more than `bytes`, as on a disk that is full behind them. Tells of it by an error, not a signal.
class FullBehind {
public:
    explicit FullBehind(rlim_t bytes) : before_(::signal(SIGXFSZ, SIG_IGN)) {
        ::getrlimit(RLIMIT_FSIZE, &limit_);
        const rlimit less{bytes, limit_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &less);
    }
    FullBehind(const FullBehind&) = delete;
    FullBehind& operator=(const FullBehind&) = delete;
    ~FullBehind() {
        ::setrlimit(RLIMIT_FSIZE, &limit_);
        ::signal(SIGXFSZ, before_);
    }

private:
    rlimit limit_{};
    sighandler_t before_;
};

TEST(AFullDisk, KeepsNoHalfOfAFileAndIsNamed) {
    const testing::TemporaryFolder folder;
    {
        const FullBehind disk(1000);
        EXPECT_EQ(
            testing::error_of<WriteFailure>(
                folder, [&] { write_file(folder.path() / "report.json", std::string(5000, 'x'), "elsewhere"); }),
            "report.json: cannot be written, a file may have at most 1000 bytes (ulimit -f); raise that limit, or "
            "elsewhere");
    }
    EXPECT_TRUE(fs::is_empty(folder.path())) << "half of it";
    write_file(folder.path() / "report.json", std::string(5000, 'x'), "elsewhere");
    EXPECT_EQ(fs::file_size(folder.path() / "report.json"), 5000u);
}

TEST(AFullDisk, TakesAFileThatJustFits) {
    const testing::TemporaryFolder folder;
    const FullBehind disk(1000);
    write_file(folder.path() / "report.json", std::string(1000, 'x'), "elsewhere");
    EXPECT_EQ(fs::file_size(folder.path() / "report.json"), 1000u);
}

}   // namespace
}   // namespace oscar::other_process_test

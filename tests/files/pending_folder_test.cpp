#include "sim/files/pending_folder.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>

#include "sim/files/write_failure.hpp"
#include "tests/files/ignored_signals.hpp"
#include "tests/trace/trace_folder.hpp"

namespace oscar::pending_folder_test {
namespace {

namespace fs = std::filesystem;
using Files = PendingFolder::Files;

struct PendingFolders : ::testing::Test {
    testing::TemporaryFolder folder;
    fs::path top = folder.path() / "a", deep = top / "b/c";
    std::optional<PendingFolder> pending;

    PendingFolders() { testing::stop_ignoring_signals(); }
    void make(const fs::path& path, Files files) { pending.emplace(path, files, "elsewhere"); }
    static void touch(const fs::path& file) { std::ofstream(file) << "x"; }
    /// How a process ends that makes `deep`, writes two files there and is sent `signal`.
    int status_after(int signal, Files files) {
        const pid_t child = fork();
        if (child == 0) {
            make(deep, files);
            for (const char* name : {"one", "two"}) touch(deep / name);
            raise(signal);
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
};

TEST_F(PendingFolders, GoWithTheParentsThatWereMadeForThem) {
    make(deep, Files::stay);
    EXPECT_TRUE(fs::is_directory(deep));
    pending.reset();
    EXPECT_FALSE(fs::exists(top));
    EXPECT_TRUE(fs::exists(folder.path()));
}

TEST_F(PendingFolders, AreNewWhereTheyWereMade) {
    make(deep, Files::stay);
    EXPECT_TRUE(pending->is_new());
    pending.reset();
    fs::create_directories(deep);
    make(deep, Files::stay);
    EXPECT_FALSE(pending->is_new());
}

TEST_F(PendingFolders, StayWhereTheyWereThereBefore) {
    fs::create_directories(deep);
    for (const Files files : {Files::stay, Files::go}) {
        make(deep, files);
        pending.reset();
        EXPECT_TRUE(fs::exists(deep));
    }
}

TEST_F(PendingFolders, StayWithTheirFilesUnlessTheseAreToGo) {
    make(deep, Files::stay);
    touch(deep / "report.json");
    pending.reset();
    EXPECT_TRUE(fs::exists(deep / "report.json"));
    fs::remove_all(top);
    make(deep, Files::go);
    for (int i = 0; i < 500; ++i) touch(deep / ("iteration-" + std::to_string(i)));   // more than one read of a folder
    pending.reset();
    EXPECT_FALSE(fs::exists(top));
}

TEST_F(PendingFolders, StayOnceTheyAreKept) {
    make(deep, Files::go);
    touch(deep / "trace.yaml");
    pending->keep();
    pending.reset();
    EXPECT_TRUE(fs::exists(deep / "trace.yaml"));
}

TEST_F(PendingFolders, KeepAParentThatHoldsSomethingElseByThen) {
    make(deep, Files::go);
    touch(top / "note");
    pending.reset();
    EXPECT_FALSE(fs::exists(top / "b"));
    EXPECT_TRUE(fs::exists(top / "note"));
}

TEST_F(PendingFolders, GoWhenASignalEndsTheProgramWhichStillDiesOfIt) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        EXPECT_EQ(status_after(signal, Files::go), 128 + signal);
        EXPECT_FALSE(fs::exists(top)) << signal;
    }
    EXPECT_EQ(status_after(SIGINT, Files::stay), 128 + SIGINT);
    EXPECT_TRUE(fs::exists(deep / "two"));
}

TEST_F(PendingFolders, SayWhyTheyCannotBeMadeAndLeaveNothing) {
    touch(folder.path() / "file");
    EXPECT_EQ(testing::error_of<InputError>(folder, [&] { make(folder.path() / "file/b", Files::stay); }),
              "file/b: cannot be written (Not a directory); elsewhere");
    EXPECT_EQ(testing::error_of<InputError>(folder, [&] { make(folder.path() / "file", Files::stay); }),
              "file: cannot be written (Not a directory); elsewhere");
    EXPECT_THROW(make(top / "b" / std::string(300, 'x'), Files::stay), InputError);   // its last part is too long
    EXPECT_FALSE(fs::exists(top));
    EXPECT_THROW(make(std::string(5000, 'x'), Files::stay), InputError);
}

}   // namespace
}   // namespace oscar::pending_folder_test

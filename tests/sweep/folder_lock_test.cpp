#include "sim/sweep/folder_lock.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/trace/trace_folder.hpp"

namespace oscar::folder_lock_test {
namespace {

/// What another process is told that takes the lock: nothing, or the error.
std::string taken_elsewhere(const testing::TemporaryFolder& folder) {
    const auto answer = folder.path() / "answer";
    if (const pid_t child = fork(); child == 0) {
        std::ofstream(answer) << testing::error_of<InputError>(folder, [&] { FolderLock lock(folder.path()); });
        _exit(0);
    } else {
        waitpid(child, nullptr, 0);
    }
    std::ifstream in(answer);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(FolderLock, KeepsOthersOutAndNamesItsHolder) {
    const testing::TemporaryFolder folder;
    const FolderLock lock(folder.path());
    EXPECT_THAT(taken_elsewhere(folder), ::testing::HasSubstr("process " + std::to_string(getpid()) + " runs a sweep"));
}

TEST(FolderLock, IsFreeAgainAfterwardsAndAfterAProcessThatWasKilled) {
    const testing::TemporaryFolder folder;
    { const FolderLock lock(folder.path()); }
    EXPECT_EQ(taken_elsewhere(folder), "no error");
    if (const pid_t child = fork(); child == 0) {
        const FolderLock lock(folder.path());
        raise(SIGKILL);
    } else {
        waitpid(child, nullptr, 0);
    }
    EXPECT_EQ(taken_elsewhere(folder), "no error");
}

TEST(FolderLock, SaysThatTheFolderCannotBeLocked) {
    const testing::TemporaryFolder folder;
    EXPECT_THAT(testing::error_of<InputError>(folder, [&] { FolderLock lock(folder.path() / "none"); }),
                ::testing::HasSubstr("none: cannot be locked (No such file or directory); choose another folder"));
}

}   // namespace
}   // namespace oscar::folder_lock_test

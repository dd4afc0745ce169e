#include "sim/report/numbered_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/files/meanwhile.hpp"
#include "tests/trace/trace_folder.hpp"

namespace oscar::numbered_folder_test {
namespace {

namespace fs = std::filesystem;

struct NumberedFolders : ::testing::Test {
    testing::TemporaryFolder folder;
    fs::path parent = folder.path() / "results/demo";

    void run() const {
        const NumberedFolder next(parent);
        std::ofstream(next.path() / "report.json") << "{}";
        next.link_as_latest();
    }
};

TEST_F(NumberedFolders, CountUpAndLatestIsALinkToTheLast) {
    for (int i = 0; i < 3; ++i) run();
    for (const char* name : {"001", "002", "003"}) EXPECT_TRUE(fs::exists(parent / name / "report.json")) << name;
    EXPECT_EQ(fs::read_symlink(parent / "latest"), "003");
    EXPECT_EQ(fs::read_symlink(parent / "report.json"), "latest/report.json");
    EXPECT_EQ(std::distance(fs::directory_iterator(parent), {}), 5);
}

TEST_F(NumberedFolders, CountFromTheHighestThereWhateverElseThereIs) {
    for (const char* name : {"007", "12", "notes", "-99"}) fs::create_directories(parent / name);
    EXPECT_EQ(NumberedFolder(parent).path(), parent / "013");
}

TEST_F(NumberedFolders, GoWhereNothingIsWrittenAndWithThemTheParentsMadeForThem) {
    { const NumberedFolder next(parent); }
    EXPECT_FALSE(fs::exists(folder.path() / "results"));
}

TEST_F(NumberedFolders, AreTakenOnceWhereSeveralAreAliveAtATime) {
    const NumberedFolder one(parent), two(parent);
    EXPECT_EQ(one.path(), parent / "001");
    EXPECT_EQ(two.path(), parent / "002");
}

TEST_F(NumberedFolders, DoNotTouchAFolderThatIsCalledLatest) {
    fs::create_directories(parent / "latest/mine");
    run();
    EXPECT_TRUE(fs::exists(parent / "latest/mine"));
    EXPECT_EQ(std::distance(fs::directory_iterator(parent), {}), 3);   // and 001 and report.json
}

TEST_F(NumberedFolders, LeaveAFolderToTheOtherProcessThatMadeItMeanwhile) {
    const fs::path theirs = parent / "001";
    testing::when_made(theirs, [&] {
        fs::create_directories(theirs);
        std::ofstream(theirs / "report.json") << "theirs";
    });
    {
        const NumberedFolder own(parent);
        EXPECT_EQ(own.path(), parent / "002");
    }
    EXPECT_TRUE(fs::exists(theirs / "report.json"));
    EXPECT_FALSE(fs::exists(parent / "002"));
}

}   // namespace
}   // namespace oscar::numbered_folder_test

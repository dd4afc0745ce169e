#include "sim/config/find.hpp"

#include <gtest/gtest.h>

#include "tests/trace/trace_folder.hpp"

namespace oscar {
namespace {

namespace fs = std::filesystem;

/// A tree with a/b/c/exp.yaml, the files a/shared and a/b/shared, and tests in the current folder.
struct Tree {
    Tree() {
        fs::create_directories(folder.path() / "a/b/c");
        folder.write("a/shared", "");
        folder.write("a/b/shared", "");
    }
    testing::TemporaryFolder folder;
    fs::path configuration = folder.path() / "a/b/c/exp.yaml";
};

TEST(FindBeside, TakesTheNearestAboveTheConfiguration) {
    const Tree tree;
    EXPECT_EQ(find_beside("shared", tree.configuration), tree.folder.path() / "a/b/shared");
    fs::remove(tree.folder.path() / "a/b/shared");
    EXPECT_EQ(find_beside("shared", tree.configuration), tree.folder.path() / "a/shared");
    EXPECT_EQ(find_beside("b/c", tree.configuration), tree.folder.path() / "a/b/c");
}

TEST(FindBeside, PrefersTheCurrentFolder) {
    const Tree tree;
    tree.folder.write("a/b/README.md", "");
    EXPECT_EQ(find_beside("README.md", tree.configuration), "README.md");   // tests run in the root of the project
}

TEST(FindBeside, LeavesAbsolutePathsAloneAndFindsNothingWhereNothingIs) {
    const Tree tree;
    EXPECT_EQ(find_beside("/nowhere/shared", tree.configuration), "/nowhere/shared");
    EXPECT_EQ(find_beside("no-such-file", tree.configuration), std::nullopt);
}

}   // namespace
}   // namespace oscar

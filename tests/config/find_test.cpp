#include "sim/config/find.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "tests/trace/trace_folder.hpp"

namespace oscar::find_test {
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

TEST(FindConfig, NamesTheCommandOfAShippedFileOfAnotherKind) {
    const testing::TemporaryFolder none;
    const auto error = [&](const char* name, FileKind kind) {
        return testing::error_of<ConfigError>(none, [&] { find_config(name, kind); });
    };
    EXPECT_EQ(error("demo", FileKind::sweep), "demo: is one of configs/experiments; write oscar-sim run demo");
    EXPECT_EQ(error("compression", FileKind::run),
              "compression: is one of configs/sweeps; write oscar-sim sweep compression");
    EXPECT_EQ(error("mesh4-tornado", FileKind::run),
              "mesh4-tornado: is one of configs/traffic; write oscar-sim traffic mesh4-tornado");
    EXPECT_EQ(
        error("closed-forms", FileKind::sweep).find("closed-forms: is one of configs/validation; write oscar-sim pr"),
        0u);
}

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
    EXPECT_EQ(find_beside(tree.configuration.parent_path(), tree.folder.path() / "x"),
              tree.configuration.parent_path());
    EXPECT_EQ(find_beside("/nowhere/shared", tree.configuration), std::nullopt);
    EXPECT_EQ(find_beside("no-such-file", tree.configuration), std::nullopt);
}

/// Shipped files in a folder of their own, which OSCAR_SIM_DATA names.
struct Shipped {
    Shipped() {
        fs::create_directories(data.path() / "configs/experiments");
        fs::create_directories(data.path() / "configs/sweeps");
        fs::create_directories(data.path() / "traces/small");
        data.write("configs/experiments/shipped.yaml", "");
        data.write("configs/sweeps/shipped.yaml", "");
        ::setenv("OSCAR_SIM_DATA", data.path().c_str(), 1);
    }
    ~Shipped() { ::unsetenv("OSCAR_SIM_DATA"); }
    Shipped(const Shipped&) = delete;
    Shipped& operator=(const Shipped&) = delete;
    testing::TemporaryFolder data;
    fs::path experiment = data.path() / "configs/experiments/shipped.yaml";
};

std::string refusal(const fs::path& wanted, FileKind kind) {
    try {
        return "found " + find_config(wanted, kind).string();
    } catch (const ConfigError& error) {
        return error.what();
    }
}

TEST(FindConfig, FindsAShippedFileByItsNameAmongThoseOfItsCommand) {
    const Shipped shipped;
    EXPECT_EQ(find_config("shipped", FileKind::run), shipped.experiment);
    EXPECT_EQ(find_config("shipped.yaml", FileKind::run), shipped.experiment);
    EXPECT_EQ(find_config("shipped", FileKind::sweep), shipped.data.path() / "configs/sweeps/shipped.yaml");
    EXPECT_EQ(find_config("experiments/shipped", FileKind::sweep), shipped.experiment);
    EXPECT_EQ(find_config("configs/experiments/shipped.yaml", FileKind::traffic), shipped.experiment);
}

TEST(FindConfig, PrefersThePathAsItIsAndThenTheCurrentFolder) {
    const Shipped shipped;
    shipped.data.write("configs/experiments/demo.yaml", "");
    EXPECT_EQ(find_config("README.md", FileKind::run), "README.md");   // tests run in the root of the project
    EXPECT_EQ(find_config("demo", FileKind::run), "configs/experiments/demo.yaml");
    EXPECT_EQ(find_config(shipped.experiment, FileKind::run), shipped.experiment);
}

TEST(FindConfig, TakesNoFolderForAFileButLeavesItsRefusalToTheReader) {
    const Shipped shipped;
    fs::create_directories(shipped.data.path() / "configs/experiments/peers");
    EXPECT_EQ(find_config("peers", FileKind::run), "configs/experiments/peers.yaml");
    EXPECT_EQ(find_config("docs", FileKind::run), "docs");
}

TEST(FindBeside, PassesByWhatDoesNotSuit) {
    const Tree tree;
    fs::create_directories(tree.folder.path() / "a/b/c/shared");
    EXPECT_EQ(find_beside("shared", tree.configuration), tree.folder.path() / "a/b/c/shared");
    EXPECT_EQ(find_beside("shared", tree.configuration, is_no_folder), tree.folder.path() / "a/b/shared");
}

TEST(FindConfig, TellsAPartFromAnExperiment) {
    const Shipped shipped;
    fs::create_directories(shipped.data.path() / "configs/parts");
    shipped.data.write("configs/parts/a-nic.yaml", "");
    EXPECT_EQ(refusal("a-nic", FileKind::run),
              "a-nic: is a part or a machine, for the key base of an experiment; write a file with base: [a-nic] and a "
              "trace, and run "
              "that");
    EXPECT_THAT(refusal("a-nic", FileKind::sweep), ::testing::HasSubstr("a-nic: no such file"));
}

TEST(FindConfig, SaysWhereItSearchedAndSuggestsTheNearestName) {
    const Shipped shipped;
    EXPECT_EQ(refusal("shiped", FileKind::run),
              "shiped: no such file (did you mean shipped?); name a YAML file, or one of configs/experiments and " +
                  shipped.experiment.parent_path().string() + " without its ending");
    EXPECT_THAT(refusal("no-such", FileKind::traffic), ::testing::HasSubstr("or one of configs/traffic and "));
    EXPECT_THAT(refusal(std::string(5000, 'x'), FileKind::run), ::testing::HasSubstr(": no such file; name"));
}

TEST(FindBeside, TakesShippedFilesLast) {
    const Tree tree;
    const Shipped shipped;
    EXPECT_EQ(find_beside("traces/small", tree.configuration), shipped.data.path() / "traces/small");
    fs::create_directories(tree.folder.path() / "a/traces/small");
    EXPECT_EQ(find_beside("traces/small", tree.configuration), tree.folder.path() / "a/traces/small");
    EXPECT_EQ(places_beside(), "here, beside the configuration or above it, or in " + shipped.data.path().string());
}

/// Tests run in the root of the project, by programs in its folder build/.
TEST(DataFolder, IsTheCheckoutOfAProgramThatIsNotInstalledUnlessThatIsTheCurrentFolder) {
    const fs::path checkout = fs::current_path();
    EXPECT_EQ(data_folder(), std::nullopt);
    const testing::TemporaryFolder elsewhere;
    fs::current_path(elsewhere.path());
    EXPECT_EQ(data_folder(), checkout);
    EXPECT_EQ(find_config("demo", FileKind::run), checkout / "configs/experiments/demo.yaml");
    fs::current_path(checkout);
}

}   // namespace
}   // namespace oscar::find_test

// What each shipped experiment reports, and the rules of golden files.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "sim/describe/json_text.hpp"
#include "tests/golden/golden.hpp"
#include "tests/system/program.hpp"

namespace oscar::golden_test {
namespace {

using test::asks_for_update;
using test::golden_problem;

struct Shipped {
    std::string name;             ///< of the file in configs/experiments
    std::string reduction = "";   ///< what makes it take half as long
    friend void PrintTo(const Shipped& shipped, std::ostream* out) { *out << shipped.name; }
};

const std::vector<Shipped> shipped{
    {"background"},
    {"co-design"},
    {"collectives"},
    {"demo"},
    {"dgx", " --set ranks=16"},
    {"fsdp"},
    {"fsdp-tagc"},
    {"gpu-coding"},
    {"incast"},
    {"jobs"},
    {"lossy-step"},
    {"mesh-routers"},
    {"oscar-hw", " --set iterations.count=1"},
    {"peers"},
    {"step"},
    {"rails"},
    {"stragglers"},
    {"synthetic", " --set ranks=32"},
};

class GoldenReports : public ::testing::TestWithParam<Shipped> {};

TEST_P(GoldenReports, OfAShippedExperimentAreUnchanged) {
    const auto& [name, reduction] = GetParam();
    const test::Folder out;
    const auto run = test::oscar_sim("run configs/experiments/" + name + ".yaml -o " + out.text() + reduction);
    ASSERT_EQ(run.status, 0) << run.output;
    test::expect_golden("tests/golden/" + name + ".json",
                        json_text(test::without_clock(test::report_in(out.text()))) + "\n");
}

INSTANTIATE_TEST_SUITE_P(Of, GoldenReports, ::testing::ValuesIn(shipped), [](const auto& tested) {
    std::string name = tested.param.name;
    std::ranges::replace(name, '-', '_');
    return name;
});

TEST(GoldenReports, ExistForEveryShippedExperiment) {
    std::set<std::string> files, tested;
    for (const auto& file : std::filesystem::directory_iterator("configs/experiments"))
        files.insert(file.path().stem().string());
    for (const Shipped& each : shipped) tested.insert(each.name);
    EXPECT_EQ(files, tested);
}

TEST(GoldenFiles, AreUpdatedByTheValueOneOnly) {
    EXPECT_TRUE(asks_for_update("1"));
    for (const char* value : {static_cast<const char*>(nullptr), "", "0", "no", "11", "true"})
        EXPECT_FALSE(asks_for_update(value));
}

TEST(GoldenFiles, AreLeftAsTheyAreUnlessAnUpdateIsAskedForAndDifferent) {
    const test::Folder folder;
    const std::filesystem::path file = folder / "golden.txt";
    EXPECT_NE(golden_problem(file, "new", false), std::nullopt);
    EXPECT_FALSE(std::filesystem::exists(file));
    std::ofstream(file) << "old";
    EXPECT_NE(golden_problem(file, "new", false)->find("UPDATE_GOLDEN=1"), std::string::npos);
    EXPECT_EQ(test::text_of(file), "old");
    EXPECT_EQ(golden_problem(file, "old", false), std::nullopt);
    EXPECT_EQ(golden_problem(file, "old", true), std::nullopt);
}

TEST(GoldenFiles, AreWrittenByAnUpdateWhichIsNoSuccess) {
    const test::Folder folder;
    const std::filesystem::path file = folder / "golden.txt";
    for (const std::string text : {"new", "newer"}) {
        const auto problem = golden_problem(file, text, true);
        ASSERT_NE(problem, std::nullopt);
        EXPECT_NE(problem->find("UPDATED"), std::string::npos);
        EXPECT_EQ(test::text_of(file), text);
    }
}

}   // namespace
}   // namespace oscar::golden_test

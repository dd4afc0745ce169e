// Tasks of job arrays: what they compute, and what they refuse.
#include "sim/sweep/array_task.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "sim/sweep/point_run.hpp"
#include "sim/sweep/processes/command.hpp"
#include "tests/sweep/support.hpp"

namespace oscar::array_task_test {
namespace {

using test::SweepLaboratory;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string axes = "[{key: ranks, values: [2, 3, 4]}]";

std::string text_of(const std::filesystem::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Three points, of which the first and the last are to be computed.
struct Submitted {
    Submitted() : plan(laboratory.plan(axes)), files(laboratory.folder.path() / "results") {
        tasks = write_manifest(files, plan, std::vector<std::size_t>{0, 2});
    }
    std::string error(std::size_t task = 0) const {
        return testing::error_of<InputError>(
            laboratory.folder, [&] { run_array_task(laboratory.folder.path() / "sweep.yaml", files, task, 1); });
    }
    SweepLaboratory laboratory;
    SweepPlan plan;
    ArrayFiles files;
    std::size_t tasks = 0;
};

TEST(ArrayTask, ComputesThePointsThatAreDealtToIt) {
    const Submitted submitted;
    EXPECT_EQ(submitted.tasks, 2u);
    run_array_task(submitted.laboratory.folder.path() / "sweep.yaml", submitted.files, 1, 1);
    EXPECT_FALSE(exists(submitted.files.result(submitted.plan.points[0].key)));
    const PointResult result = point_result_in(text_of(submitted.files.result(submitted.plan.points[2].key)));
    EXPECT_EQ(result.exit_status, 0);
    EXPECT_EQ(nlohmann::json::parse(result.report)["trace"]["ranks"], 4);
}

TEST(ArrayTask, LeavesAResultThatIsThere) {
    const Submitted submitted;
    const auto file = submitted.files.result(submitted.plan.points[0].key);
    std::ofstream(file) << "kept";
    run_array_task(submitted.laboratory.folder.path() / "sweep.yaml", submitted.files, 0, 1);
    EXPECT_EQ(text_of(file), "kept");
}

TEST(ArrayTask, RefusesATaskThatIsNone) { EXPECT_THAT(Submitted().error(2), HasSubstr("2 of 2 tasks, from 0 on")); }

TEST(ArrayTask, RefusesAManifestOfAnotherProgram) {
    const Submitted submitted;
    std::ofstream(submitted.files.manifest()) << R"({"program": "0.0.0+old", "tasks": 1, "points": []})";
    EXPECT_THAT(submitted.error(), HasSubstr("another version of the program (0.0.0+old)"));
}

TEST(ArrayTask, RefusesAxesThatHaveChanged) {
    const Submitted submitted;
    submitted.laboratory.sweep("[{key: ranks, values: [3, 2, 4]}]");
    EXPECT_THAT(submitted.error(), HasSubstr("the axes have changed"));
}

TEST(ArrayTask, RefusesAManifestThatIsNone) {
    const Submitted submitted;
    std::ofstream(submitted.files.manifest()) << "[1";
    EXPECT_THAT(submitted.error(), HasSubstr("no manifest of a job array"));
    const auto error_of = [&](const char* manifest) {
        std::ofstream(submitted.files.manifest()) << manifest;
        return submitted.error();
    };
    EXPECT_THAT(error_of("{}"), HasSubstr("has no program or no points"));
    EXPECT_THAT(error_of(R"({"program": "x", "tasks": 0, "points": []})"), HasSubstr("has no number of tasks"));
    EXPECT_THAT(error_of(R"({"program": 7, "tasks": 1, "points": []})"), HasSubstr("program: is a number"));
    EXPECT_THAT(error_of(R"({"program": "x", "tasks": 1, "points": [{"position": -1, "key": "", "settings": ""}]})"),
                HasSubstr("has a point without position, key or settings"));
}

TEST(PointResult, IsTheSameAsText) {
    const PointResult failed{134, "killed by signal 6", "", 1.5};
    const PointResult again = point_result_in(to_text(failed));
    EXPECT_EQ(again.exit_status, 134);
    EXPECT_EQ(again.error, failed.error);
    EXPECT_EQ(again.report, "");
    EXPECT_EQ(again.wall_s, 1.5);
    for (const char* text : {"{}", "[", "[]", R"({"exit_status": "0", "error": "", "report": "", "wall_s": 1})"})
        EXPECT_THROW(point_result_in(text), InputError) << text;
}

TEST(Command, TellsItsStatusAndWhatItPrinted) {
    const CommandEnd end = run_command({"sh", "-c", "echo \"$1\"; echo wrong >&2; exit 3", "sh", "two words"});
    EXPECT_EQ(end.status, 3);
    EXPECT_EQ(end.output, "two words\nwrong\n");
    EXPECT_EQ(run_command({"sh", "-c", "kill -9 $$"}).status, 128 + 9);
    EXPECT_THROW(run_command({"no-such-program-anywhere"}), std::system_error);
}

}   // namespace
}   // namespace oscar::array_task_test

// What the main job puts on the wire and reports must not change without intent. To accept a change: UPDATE_GOLDEN=1.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/system/program.hpp"

namespace oscar {
namespace {

TEST(Golden, ReportOfTheMainJob) {
    const std::filesystem::path golden = "tests/golden/demo.json";
    const test::Folder out;
    ASSERT_EQ(test::oscar_sim("run configs/experiments/demo.yaml -o " + out.text()).status, 0);
    const std::string report = test::without_clock(test::report_in(out.text())).dump(2) + "\n";
    if (std::getenv("UPDATE_GOLDEN")) std::ofstream(golden) << report;
    EXPECT_EQ(report, test::text_of(golden));
}

}   // namespace
}   // namespace oscar

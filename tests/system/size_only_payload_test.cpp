// Computed sizes on a shipped trace, through the program.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/system/program.hpp"

namespace oscar::size_only_payload_test {
namespace {

void expect_close(const nlohmann::json& size_only, const nlohmann::json& exact, const char* figure, double share) {
    const double a = size_only[figure], b = exact[figure];
    EXPECT_LE(std::abs(a - b), share * b) << exact["name"] << " " << figure << ": " << a << " of " << b;
}

TEST(SizeOnlyPayload, HasTheBytesWithinAFifthOfAPercentAndTheTimeWithinHalfAPercentOnAShippedTrace) {
    const test::Folder folder;
    const std::string exact = folder.text() + "/exact", size_only = folder.text() + "/size_only";
    const std::string run =
        "run configs/experiments/demo.yaml --set 'methods=[fp32, fixed_point, atalanta, {kind: atalanta, name: inline, "
        "table: inline}, asc, {kind: asc, name: split, split: context}, {kind: asc, name: adapt, adapt: block}, rans, "
        "aac, shapeshifter]' -o ";
    ASSERT_EQ(test::oscar_sim(run + exact).status, 0);
    ASSERT_EQ(test::oscar_sim(run + size_only + " --set payload=size_only").status, 0);
    const auto a = test::report_in(size_only)["methods"], b = test::report_in(exact)["methods"];
    ASSERT_EQ(a.size(), 10u);
    for (std::size_t m = 0; m < a.size(); ++m) {
        EXPECT_TRUE(a[m]["sums_match_reference"]);
        expect_close(a[m], b[m], "wire_bytes", 0.002);
        expect_close(a[m], b[m], "allreduce_ps", 0.005);
        EXPECT_EQ(a[m]["relative_l2_error"], b[m]["relative_l2_error"]);
        EXPECT_EQ(a[m]["values"], b[m]["values"]);
    }
}

}   // namespace
}   // namespace oscar::size_only_payload_test

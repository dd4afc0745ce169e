// The table of nccl-tests, read back as its users' scripts do: lines without '#', by columns.
#include <gmock/gmock.h>

#include <sstream>

#include "sim/report/tables/table.hpp"
#include "tests/report/two_methods.hpp"

namespace oscar::nccl_table_test {
namespace {

using ::testing::ElementsAre;

std::vector<std::vector<std::string>> rows_of(const std::string& table) {
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines(table);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with('#')) continue;
        std::istringstream cells(line);
        auto& row = rows.emplace_back();
        for (std::string cell; cells >> cell;) row.push_back(cell);
    }
    return rows;
}

/// 25 MB in 3 and 1.5 us are 8.33 and 16.67 GB/s.
TEST(NcclTable, HasBytesValuesTimeAndBandwidthOfEachMethod) {
    Report report = test::two_methods();
    report.trace.elements = 6'250;
    report.config["scale"] = 1;
    for (MethodReport& method : report.methods) {
        method.algorithm_bandwidth_gbps = 100;
        method.bus_bandwidth_gbps = 150;
    }
    EXPECT_THAT(rows_of(nccl_table(report)),
                ElementsAre(ElementsAre("25000", "6250", "float", "sum", "-1", "3.00", "8.33", "12.50", "0", "3.00",
                                        "8.33", "12.50", "0"),
                            ElementsAre("25000", "6250", "float", "sum", "-1", "1.50", "16.67", "25.00", "0", "1.50",
                                        "16.67", "25.00", "0")));
}

TEST(NcclTable, HasTheGradientThatAScaledOneStandsFor) {
    Report report = test::two_methods();
    report.trace.elements = 1'000;
    report.config["scale"] = 16;
    EXPECT_EQ(rows_of(nccl_table(report))[0][0], "64000");
}

TEST(NcclTable, NamesNoSumWhereACollectiveAddsNothing) {
    Report report = test::two_methods();
    const auto named = [&](const nlohmann::ordered_json& collective) {
        report.config["collective"] = collective;
        const auto row = rows_of(nccl_table(report))[0];
        return row[3] + " " + row[4];
    };
    EXPECT_EQ(named({{"kind", "ring"}}), "sum -1");
    EXPECT_EQ(named({{"kind", "reduce_scatter"}}), "sum -1");
    EXPECT_EQ(named({{"kind", "all_gather"}}), "none -1");
    EXPECT_EQ(named({{"kind", "all_to_all"}}), "none -1");
    EXPECT_EQ(named({{"kind", "broadcast"}}), "none 0");
    EXPECT_EQ(named({{"kind", "schedule"}, {"operation", "all_reduce"}}), "sum -1");
    EXPECT_EQ(named({{"kind", "schedule"}, {"operation", "broadcast"}}), "none 0");
}

TEST(NcclTable, TellsOfWrongSumsAndOfNone) {
    Report report = test::two_methods();
    report.methods[0].sums_match_reference = false;
    report.methods[1].sums_match_reference.reset();
    const auto rows = rows_of(nccl_table(report));
    EXPECT_EQ(rows[0][8], "1");
    EXPECT_EQ(rows[1][8], "N/A");
}

}   // namespace
}   // namespace oscar::nccl_table_test

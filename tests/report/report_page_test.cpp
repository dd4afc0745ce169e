// docs/report.md is made of the field tables of the report. After a change: UPDATE_GOLDEN=1.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "sim/report/background_report.hpp"
#include "sim/report/job_report.hpp"
#include "sim/report/report.hpp"

namespace oscar {
namespace {

constexpr std::string_view introduction = R"(# The report of a run

`oscar-sim run` writes `report.json`. This page lists its fields; a test makes it of the program's field tables. The end of a name is the unit:
`_ps` picoseconds, `_bytes` bytes, `_gbps` Gbit/s, `_share` and `_utilisation` parts of 1. [model.md](model.md) explains what is measured.

| field | meaning |
| --- | --- |
| `schema` | 1 |
| `experiment` | name of the experiment |
| `program_version` | version of oscar-sim |
| `config` | the configuration with all defaults resolved: itself a valid experiment |
| `seed` | that of the experiment |
| `trace` | what was replayed |
| `notes` | what a reader must know before using any figure; left out where there is nothing |
| `methods` | a list, in the order of the configuration |
| `host` | what the simulation cost; all else is equal whenever program, configuration, trace and seed are |

A method has, beside the fields of its table: `speedup`, by method, the time of that one / its own; `links`, each link used with `name`, `utilisation`
(share of the time in which it is busy) and `wire_bytes`; `iterations`, each with its `position` and the figures that are not summed over all. `flows`,
`transport`, `background`, `jobs` and `step` are there where the experiment has them. A step has, beside the fields of its table: `speedup` and
`amdahl` by method, and `sharding` where parameters are sharded.
)";

/// As the cell of a table.
std::string cell(std::string_view meaning) {
    std::string text;
    for (const char c : meaning) text += c == '|' ? std::string("\\|") : std::string(1, c);
    return text;
}

template <FieldTable P>
std::string section(std::string_view title) {
    std::string text = fmt::format("\n## {}\n\n| field | meaning |\n| --- | --- |\n", title);
    for_each_field<P>(
        [&](const auto& field) { text += fmt::format("| `{}` | {} |\n", field.key, cell(field.meaning)); });
    return text;
}

std::string page() {
    return std::string(introduction) + section<TraceReport>("`trace`") + section<MethodReport>("`methods[]`") +
           section<CriticalPath>("`methods[].critical_path`") + section<FlowReport>("`methods[].flows[]`") +
           section<TransportUse>("`methods[].transport`") + section<BackgroundReport>("`methods[].background`") +
           section<JobReport>("`methods[].jobs[]`") + section<StepReport>("`methods[].step`") +
           section<BucketReport>("`methods[].step.buckets[]`") +
           section<AmdahlCheck>("`methods[].step.amdahl.METHOD`") +
           section<ShardingReport>("`methods[].step.sharding`") + section<HostReport>("`host`");
}

bool updating() {
    const char* update = std::getenv("UPDATE_GOLDEN");
    return update != nullptr && std::string_view(update) == "1";
}

TEST(ReportPage, IsWhatTheFieldTablesSay) {
    const char* file = "docs/report.md";
    if (updating()) std::ofstream(file) << page();
    std::ostringstream written;
    written << std::ifstream(file).rdbuf();
    EXPECT_EQ(written.str(), page());
}

}   // namespace
}   // namespace oscar

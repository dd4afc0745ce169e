// docs/report.md is made of the field tables of the report. After a change: UPDATE_GOLDEN=1.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "sim/report/describe_report.hpp"

namespace oscar::report_page_test {
namespace {

constexpr std::string_view introduction = R"(# The report of a run

`oscar-sim run` writes `report.json`. This page lists its fields, their units and how they add up over the buckets of an iteration and the iterations
of a run; a test makes it of the program's field tables, and `oscar-sim describe report` prints it. `_share` and `_utilisation` are parts of 1.
[model.md](model.md) explains what is measured.

| field | meaning |
| --- | --- |
| `schema` | 1 |
| `experiment` | name of the experiment |
| `program_version` | version of oscar-sim |
| `config` | the configuration with all defaults resolved: itself a valid experiment |
| `config_as_written` | the configuration before `scale` divided it; left out where that is 1 |
| `seed` | that of the experiment |
| `trace` | what was replayed |
| `notes` | what a reader must know before using any figure; left out where there is nothing |
| `costs` | which work beside coding takes time, and which is assumed to be hidden; left out where no method compresses |
| `methods` | a list, in the order of the configuration |
| `host` | what the simulation cost; all else is equal whenever program, configuration, trace and seed are |

A method has, beside the fields of its table: `speedup`, by method, the time of that one / its own; `links`, each link used; `iterations`, each with
its `position` and the figures that are not summed over all. `flows`, `transport`, `faults`, `background`, `jobs` and `step` are there where the experiment
has them, energies and areas where it has an `engine.technology` ([cost](cost.md)), and the figures that begin with `nic_` and `island_` where the
topology has several islands. Their payload and values add up to those of all messages: NICs carry messages between islands, and an island's own
links (NVLink) those inside it. `bits_per_value` mixes the two; in the experiment `dgx`, `asc` has 10.3 bits, but 8.7 on NICs and 10.5, uncoded,
inside islands. What ranks exchange with switches that add counts as between islands, unless they are those of islands (`inside: switch`). `activity`,
`timesteps` and `chunk_balance` tell of the first AllReduce of a method; `report` draws them. A step has, beside the fields of its table: `speedup` and
`amdahl` by method, and `sharding` where parameters are sharded.
)";

/// As the cell of a table.
std::string cell(std::string_view meaning) {
    std::string text;
    for (const char c : meaning) text += c == '|' ? std::string("\\|") : std::string(1, c);
    return text;
}

/// How it adds up has a column where the part does not say it of all its fields.
std::string section(const ReportPart& part) {
    const bool rules = std::ranges::any_of(part.fields, [](const auto& f) { return !f.over_buckets.empty(); });
    std::string text = fmt::format("\n## `{}`\n\n", part.path);
    if (!part.adds_up.empty()) text += fmt::format("Adds up: {}.\n\n", part.adds_up);
    text += rules ? "| field | unit | over buckets | over iterations | meaning |\n| --- | --- | --- | --- | --- |\n"
                  : "| field | unit | meaning |\n| --- | --- | --- |\n";
    for (const ReportField& f : part.fields) {
        text += fmt::format("| `{}` | {} |", f.key, f.unit);
        if (rules) text += fmt::format(" {} | {} |", cell(f.over_buckets), cell(f.over_iterations));
        text += fmt::format(" {} |\n", cell(f.meaning));
    }
    return text;
}

std::string page() {
    std::string text(introduction);
    for (const ReportPart& part : report_parts()) text += section(part);
    return text;
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
    EXPECT_EQ(written.str(), page())
        << "if the change is intended: UPDATE_GOLDEN=1 ctest --test-dir build/release -R ReportPage";
}

}   // namespace
}   // namespace oscar::report_page_test

// A tiny experiment to sweep, and its database.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "sim/sweep/plan.hpp"
#include "sim/sweep/sql.hpp"
#include "tests/run/support.hpp"

namespace oscar::test {

/// A folder with the trace `captured` (4 iterations of 4 ranks with 600 values), the experiment base.yaml, which takes
/// about 10 ms, and sweeps.
class SweepLaboratory {
public:
    SweepLaboratory() {
        write_trace(folder, "captured", random_capture(4, 4, 600));
        folder.write("base.yaml",
                     "trace: captured\nranks: 4\nmethods: [fp32, asc]\niterations: {first: 1, count: 1}\n");
    }
    /// Writes sweep.yaml: base.yaml with these axes, and perhaps more lines.
    std::filesystem::path sweep(std::string_view axes, std::string_view more = "") const {
        return folder.write("sweep.yaml", "base: base.yaml\naxes: " + std::string(axes) + "\n" + std::string(more));
    }
    /// The ConfigError or InputError of planning such a sweep.
    std::string error(std::string_view axes, std::string_view more = "") const {
        return testing::error_of<InputError>(folder, [&] { plan_sweep(sweep(axes, more)); });
    }
    SweepPlan plan(std::string_view axes, std::string_view more = "") const { return plan_sweep(sweep(axes, more)); }

    testing::TemporaryFolder folder;
};

/// What `SELECT` gives in `file`, a text per row with '|' between the values.
inline std::vector<std::string> select(const std::filesystem::path& file, const std::string& query) {
    struct Text {
        std::string operator()(std::monostate) const { return ""; }
        std::string operator()(const std::string& text) const { return text; }
        std::string operator()(std::int64_t number) const { return std::to_string(number); }
        std::string operator()(double number) const { return std::to_string(number); }
    };
    const SQLite::Database database(file);
    std::vector<std::string> lines;
    for (const auto& row : sql::read_all(database, query).rows) {
        std::string line;
        for (const auto& value : row) line += (line.empty() ? "" : "|") + std::visit(Text{}, value);
        lines.push_back(line);
    }
    return lines;
}

}   // namespace oscar::test

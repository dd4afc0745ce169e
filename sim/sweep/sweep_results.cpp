#include "sim/sweep/sweep_results.hpp"

#include <SQLiteCpp/Column.h>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "sim/config/error.hpp"
#include "sim/sweep/connection.hpp"

namespace oscar {
namespace {

constexpr std::ptrdiff_t columns_before_keys = 2;   // position, key

std::vector<std::string> texts(const sql::Table& table) {
    std::vector<std::string> values;
    for (const auto& row : table.rows)
        if (const auto* text = std::get_if<std::string>(&row.front())) values.push_back(*text);
    return values;
}

[[noreturn]] void refuse_results(const std::filesystem::path& file, std::string_view what) {
    throw InputError(fmt::format("{}: {}; name a folder that oscar-sim sweep has written", file.string(), what));
}

/// Refuses texts that no page can hold.
void check_cells(const sql::Table& table, const std::filesystem::path& file) {
    for (const auto& row : table.rows)
        for (std::size_t c = 0; c < row.size(); ++c)
            if (const auto* text = std::get_if<std::string>(&row[c]); text && !is_printable(*text))
                refuse_results(file,
                               fmt::format("has a text in column {} that is no UTF-8, or holds control characters",
                                           table.columns[c]));
}

/// As many as its tables together, which a file bounds; a view can be without end.
std::size_t rows_at_most(const SQLite::Database& database) {
    std::size_t rows = 0;
    for (const char* table : {"metrics", "plan", "results"}) {
        SQLite::Statement query(database, fmt::format("SELECT count(*) FROM {}", table));
        query.executeStep();
        rows += static_cast<std::size_t>(query.getColumn(0).getInt64());
    }
    return std::max<std::size_t>(rows, 1);   // a count is one
}

/// Of rows of a status and their count: how many have this status.
std::size_t count_of(std::string_view status, const sql::Table& counts) {
    for (const auto& row : counts.rows)
        if (const auto* text = std::get_if<std::string>(&row[0]); text && *text == status)
            return static_cast<std::size_t>(std::get<std::int64_t>(row[1]));
    return 0;
}

/// position, key, the swept keys, `method`; without it the views are not those of a sweep.
std::vector<std::string> keys_in(const sql::Table& figures, const std::filesystem::path& file) {
    const auto& names = figures.columns;
    const auto method = std::ranges::find(names, "method");
    if (names.size() < 2 || names[0] != "position" || names[1] != "key" || method == names.end())
        refuse_results(file, "has no view `methods` as a sweep writes it");
    return {names.begin() + columns_before_keys, method};
}

/// Each method of the figures is one of the reports, so that pages find its place.
void check_methods(const SweepResults& results) {
    const auto column = std::ranges::find(results.figures.columns, "method") - results.figures.columns.begin();
    for (const auto& row : results.figures.rows) {
        const auto* name = std::get_if<std::string>(&row[static_cast<std::size_t>(column)]);
        if (name == nullptr || std::ranges::find(results.methods, *name) == results.methods.end())
            refuse_results(results.file, "has figures of a method without a name");
    }
}

}   // namespace

SweepResults read_sweep(const std::filesystem::path& folder) {
    SweepResults results;
    results.file = folder / "points.sqlite";
    try {
        const SQLite::Database database = open_to_read(results.file);
        const std::size_t most = rows_at_most(database);
        allow_steps(database, most);
        const auto read = [&](const char* query) {
            sql::Table table = sql::read_all(database, query, most + 1);
            if (table.rows.size() > most) refuse_results(results.file, "has a view with more rows than its tables");
            check_cells(table, results.file);
            return table;
        };
        const sql::Table counts = read("SELECT status, count(*) FROM points GROUP BY status");
        results.done = count_of("done", counts);
        results.failed = count_of("failed", counts);
        results.pending = count_of("pending", counts);
        results.figures = read("SELECT * FROM methods");
        results.failures = read("SELECT position, error FROM points WHERE status = 'failed' ORDER BY position");
        results.methods =
            texts(read("SELECT method FROM metrics JOIN plan USING (key) GROUP BY method ORDER BY "
                       "min(position), min(method_position)"));
        const auto programs =
            texts(read("SELECT program FROM results JOIN plan USING (key) ORDER BY position DESC LIMIT 1"));
        if (!programs.empty()) results.program = programs.front();
    } catch (const SQLite::Exception& error) {
        refuse_database(results.file, error);
    }
    results.keys = keys_in(results.figures, results.file);
    check_methods(results);
    return results;
}

bool largest_is_best(std::string_view figure) {
    return figure.starts_with("speedup.") || figure == "cosine" || figure == "bus_bandwidth_gbps" ||
           figure == "algorithm_bandwidth_gbps";
}

}   // namespace oscar

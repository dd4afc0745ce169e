#include "sim/sweep/sweep_results.hpp"

#include <SQLiteCpp/Column.h>

#include "sim/sweep/database.hpp"

namespace oscar {
namespace {

constexpr std::size_t columns_before_keys = 2;   // position, key

std::vector<std::string> texts(const sql::Table& table) {
    std::vector<std::string> values;
    for (const auto& row : table.rows)
        if (const auto* text = std::get_if<std::string>(&row.front())) values.push_back(*text);
    return values;
}

}   // namespace

SweepResults read_sweep(const std::filesystem::path& folder) {
    SweepResults results;
    results.file = folder / "points.sqlite";
    try {
        const SQLite::Database database = open_to_read(results.file);
        const auto read = [&](const char* query) { return sql::read_all(database, query); };
        const std::string status = "SELECT count(*) FROM points WHERE status = ";
        const auto count = [&](const char* word) {
            return static_cast<std::size_t>(
                std::get<std::int64_t>(read((status + sql::literal(word)).c_str()).rows[0][0]));
        };
        results.done = count("done");
        results.failed = count("failed");
        results.pending = count("pending");
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
    for (std::size_t c = columns_before_keys; c < results.figures.columns.size(); ++c) {
        if (results.figures.columns[c] == "method") break;
        results.keys.push_back(results.figures.columns[c]);
    }
    return results;
}

}   // namespace oscar

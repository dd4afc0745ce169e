#include "sim/sweep/connection.hpp"

#include <SQLiteCpp/Column.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cerrno>
#include <limits>

#include "sim/config/regular_file.hpp"
#include "sim/files/write_failure.hpp"
#include "sim/sweep/refuse.hpp"

namespace oscar {
namespace {

constexpr int patience_ms = 60'000;   // where others hold the file's lock
// Of SQLite's virtual machine. A view has some for each of its columns, of which there are methods times metrics.
constexpr std::uintmax_t steps_of_any = 10'000'000, steps_of_a_row = 20'000;
constexpr int longest_value = 64 << 20;   // of a text, in bytes: a report is shorter

void require_regular(const std::filesystem::path& file) try {
    RegularFile regular(file);
} catch (const CannotOpen& error) {
    if (error.reason == CannotOpen::Reason::no_regular_file) refuse(file, error.what());
    // SQLite tells why, or makes it.
}

int end_query(void*) { return 1; }

constexpr const char* elsewhere = "choose another folder with -o DIR";
constexpr const char* anew =
    "move it away, and the sweep computes its points anew, or choose another folder with -o DIR";

}   // namespace

void refuse_schema(const std::filesystem::path& file, int found) {
    refuse(file, fmt::format("has schema {}, this program writes schema {}", found, database_schema));
}

void refuse_database(const std::filesystem::path& file, const SQLite::Exception& error) {
    switch (error.getErrorCode()) {
        case SQLITE_FULL:
            fail_to_write(file, ENOSPC, elsewhere);
        case SQLITE_IOERR:
            throw WriteFailure(fmt::format("{}: cannot be written or read ({}); free some space, or {}", file.string(),
                                           error.what(), elsewhere));
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB:
            throw InputError(fmt::format("{}: is damaged or no database ({}); {}", file.string(), error.what(), anew));
        case SQLITE_ERROR:
        case SQLITE_TOOBIG:
        case SQLITE_INTERRUPT:
        case SQLITE_MISMATCH:
        case SQLITE_CONSTRAINT:
            throw InputError(
                fmt::format("{}: is not as a sweep writes it ({}); {}", file.string(), error.what(), anew));
        default:
            refuse(file, error.what());
    }
}

SQLite::Database open_to_read(const std::filesystem::path& file) {
    SQLite::Database connection = open_untrusted(file, SQLite::OPEN_READONLY);
    if (connection.execAndGet("PRAGMA application_id").getInt() != database_application)
        refuse(file, "is a database of another program");
    const int found = connection.execAndGet("PRAGMA user_version");
    if (found != database_schema) refuse_schema(file, found);
    return connection;
}

SQLite::Database open_untrusted(const std::filesystem::path& file, int flags) {
    require_regular(file);
    SQLite::Database connection(file, flags, patience_ms);
    sqlite3* const handle = connection.getHandle();
    for (const auto& [option, value] : {std::pair{SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                        {SQLITE_DBCONFIG_DEFENSIVE, 1},
                                        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}})
        sqlite3_db_config(handle, option, value, nullptr);
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, longest_value);
    if ((flags & SQLite::OPEN_READONLY) != 0) allow_steps(connection, 0);   // one that writes makes its views itself
    return connection;
}

void allow_steps(const SQLite::Database& connection, std::size_t rows) {
    const std::uintmax_t steps = steps_of_any + steps_of_a_row * std::uintmax_t{rows};
    sqlite3_progress_handler(connection.getHandle(),
                             static_cast<int>(std::min<std::uintmax_t>(steps, std::numeric_limits<int>::max())),
                             end_query, nullptr);
}

}   // namespace oscar

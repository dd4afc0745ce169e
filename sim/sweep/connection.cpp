#include "sim/sweep/connection.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <limits>

#include "sim/config/regular_file.hpp"
#include "sim/sweep/refuse.hpp"

namespace oscar {
namespace {

constexpr int patience_ms = 60'000;                                            // where others hold the file's lock
constexpr std::uintmax_t steps_of_any = 10'000'000, steps_of_a_byte = 1'000;   // of SQLite's virtual machine
constexpr int longest_value = 64 << 20;   // of a text, in bytes: a report is shorter

std::uintmax_t size_of(const std::filesystem::path& file) try {
    return RegularFile(file).size();
} catch (const CannotOpen& error) {
    if (error.reason == CannotOpen::Reason::no_regular_file) refuse(file, error.what());
    return 0;   // SQLite tells why, or makes it
}

int end_query(void*) { return 1; }

}   // namespace

SQLite::Database open_untrusted(const std::filesystem::path& file, int flags) {
    const std::uintmax_t steps = steps_of_any + steps_of_a_byte * size_of(file);
    SQLite::Database connection(file, flags, patience_ms);
    sqlite3* const handle = connection.getHandle();
    for (const auto& [option, value] : {std::pair{SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                        {SQLITE_DBCONFIG_DEFENSIVE, 1},
                                        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}})
        sqlite3_db_config(handle, option, value, nullptr);
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, longest_value);
    if ((flags & SQLite::OPEN_READONLY) != 0)   // one that writes makes its views itself
        sqlite3_progress_handler(handle,
                                 static_cast<int>(std::min<std::uintmax_t>(steps, std::numeric_limits<int>::max())),
                                 end_query, nullptr);
    return connection;
}

}   // namespace oscar

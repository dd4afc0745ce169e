// Connections to a database that anyone may have altered.
#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <filesystem>

namespace oscar {

/// Opens `file` such that nothing in it runs: no triggers, no functions beyond SQLite's harmless ones in its views
/// (trusted_schema), no writes to the schema's own tables (defensive). Queries are ended after as many steps as a
/// database of its size can need, so that no view runs forever. InputError: a folder, a pipe or a device.
SQLite::Database open_untrusted(const std::filesystem::path& file, int flags);

}   // namespace oscar

// Connections to a database that anyone may have altered.
#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <filesystem>

namespace oscar {

/// Opens `file` such that nothing in it runs: no triggers, no functions beyond SQLite's harmless ones in its views
/// (trusted_schema), no writes to the schema's own tables (defensive). Queries of one that is only read are ended after
/// as many steps as a database without rows can need, so that no view runs forever: see allow_steps. InputError: a
/// folder, a pipe or a device.
SQLite::Database open_untrusted(const std::filesystem::path& file, int flags);
/// Ends queries after as many steps as a database needs whose tables have so many rows together.
void allow_steps(const SQLite::Database& connection, std::size_t rows);

inline constexpr int database_schema = 1;
/// "OSCR", so that no other program's database is taken for that of a sweep.
inline constexpr int database_application = 0x4F534352;

/// Throws an InputError: the database in `file` has schema `found`.
[[noreturn]] void refuse_schema(const std::filesystem::path& file, int found);

/// Throws for a failure of the database in `file`, with its remedy. InputError: it is damaged or none, or cannot be
/// opened. WriteFailure: the disk is full or broken.
[[noreturn]] void refuse_database(const std::filesystem::path& file, const SQLite::Exception& error);

/// The database in `file`, to be read only, while a sweep may be writing it. InputError: as Database, and where there
/// is no such file; SQLite::Exception: see refuse_database.
SQLite::Database open_to_read(const std::filesystem::path& file);

}   // namespace oscar

// SQLite's C interface with owners: connections and statements that close themselves, errors that are thrown.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace oscar::inline sweep::sqlite {

/// What SQLite reports. what() reads `FILE: message`.
struct Error : std::runtime_error {
    Error(int error_code, const std::string& what) : std::runtime_error(what), code(error_code) {}
    int code;   ///< SQLITE_BUSY, SQLITE_NOTADB, …
    /// Whether the disk is full or broken, and not the choice of the file at fault.
    bool is_of_the_disk() const;
};

/// NULL, INTEGER, REAL or TEXT.
using Value = std::variant<std::monostate, std::int64_t, double, std::string>;

/// `name` as an identifier in SQL: "network.link.bandwidth", in double quotes.
std::string identifier(std::string_view name);
/// `text` as a string in SQL, in single quotes.
std::string literal(std::string_view text);

class Connection {
public:
    /// Opens or makes the file. Waits up to a minute where others hold its lock.
    explicit Connection(const std::filesystem::path& file);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /// Statements without results, separated by semicolons.
    void execute(const std::string& sql);
    int column_limit() const;

private:
    friend class Statement;
    friend class Transaction;
    [[noreturn]] void fail(int code) const;
    std::string name_;
    sqlite3* handle_ = nullptr;
};

class Statement {
public:
    Statement(Connection& connection, const std::string& sql);
    ~Statement();
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    /// Gives parameter number `position`, from 1, a value.
    void bind(int position, const Value& value);
    /// Whether there is another row, which the columns then show.
    bool step();
    /// Runs the statement to its end and makes it ready for other values.
    void run();

    int columns() const;
    std::string name(int column) const;
    Value value(int column) const;   ///< from 0

private:
    Connection& connection_;
    sqlite3_stmt* handle_ = nullptr;
};

/// Rows of values below their names.
struct Table {
    std::vector<std::string> columns;
    std::vector<std::vector<Value>> rows;
};

/// All that the query gives.
Table read_all(Connection& connection, const std::string& sql);

/// BEGIN, and COMMIT by commit(); without that everything since is undone.
class Transaction {
public:
    explicit Transaction(Connection& connection);
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    void commit();

private:
    Connection& connection_;
    bool open_ = true;
};

}   // namespace oscar::inline sweep::sqlite

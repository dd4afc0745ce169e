#include "sim/sweep/sqlite.hpp"

#include <sqlite3.h>

namespace oscar::inline sweep::sqlite {
namespace {

constexpr int patience_ms = 60'000;

std::string quoted(std::string_view text, char quote) {
    std::string result(1, quote);
    for (const char c : text) {
        if (c == quote) result += quote;
        result += c;
    }
    return result + quote;
}

}   // namespace

std::string identifier(std::string_view name) { return quoted(name, '"'); }
std::string literal(std::string_view text) { return quoted(text, '\''); }

bool Error::is_of_the_disk() const { return code == SQLITE_FULL || code == SQLITE_IOERR; }

Connection::Connection(const std::filesystem::path& file) : name_(file.string()) {
    const int code = sqlite3_open_v2(name_.c_str(), &handle_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
    if (code != SQLITE_OK) {
        const std::string what = name_ + ": " + sqlite3_errstr(code);
        sqlite3_close_v2(handle_);
        throw Error(code, what);
    }
    sqlite3_busy_timeout(handle_, patience_ms);
}

Connection::~Connection() { sqlite3_close_v2(handle_); }

void Connection::fail(int code) const { throw Error(code, name_ + ": " + sqlite3_errmsg(handle_)); }

void Connection::execute(const std::string& sql) {
    const int code = sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) fail(code);
}

int Connection::column_limit() const { return sqlite3_limit(handle_, SQLITE_LIMIT_COLUMN, -1); }

Statement::Statement(Connection& connection, const std::string& sql) : connection_(connection) {
    const int code = sqlite3_prepare_v2(connection.handle_, sql.c_str(), -1, &handle_, nullptr);
    if (code != SQLITE_OK) connection_.fail(code);
}

Statement::~Statement() { sqlite3_finalize(handle_); }

void Statement::bind(int position, const Value& value) {
    int code = SQLITE_OK;
    if (const auto* integer = std::get_if<std::int64_t>(&value)) code = sqlite3_bind_int64(handle_, position, *integer);
    else if (const auto* real = std::get_if<double>(&value)) code = sqlite3_bind_double(handle_, position, *real);
    else if (const auto* text = std::get_if<std::string>(&value))
        code = sqlite3_bind_text64(handle_, position, text->data(), text->size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    else code = sqlite3_bind_null(handle_, position);
    if (code != SQLITE_OK) connection_.fail(code);
}

bool Statement::step() {
    const int code = sqlite3_step(handle_);
    if (code != SQLITE_ROW && code != SQLITE_DONE) connection_.fail(code);
    return code == SQLITE_ROW;
}

void Statement::run() {
    while (step()) {
    }
    sqlite3_reset(handle_);
}

int Statement::columns() const { return sqlite3_column_count(handle_); }
std::string Statement::name(int column) const { return sqlite3_column_name(handle_, column); }

Value Statement::value(int column) const {
    switch (sqlite3_column_type(handle_, column)) {
        case SQLITE_INTEGER:
            return sqlite3_column_int64(handle_, column);
        case SQLITE_FLOAT:
            return sqlite3_column_double(handle_, column);
        case SQLITE_NULL:
            return {};
        default:
            break;
    }
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(handle_, column));
    return std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(handle_, column)));
}

Table read_all(Connection& connection, const std::string& sql) {
    Statement query(connection, sql);
    Table table;
    for (int c = 0; c < query.columns(); ++c) table.columns.push_back(query.name(c));
    while (query.step()) {
        auto& row = table.rows.emplace_back();
        for (int c = 0; c < query.columns(); ++c) row.push_back(query.value(c));
    }
    return table;
}

Transaction::Transaction(Connection& connection) : connection_(connection) { connection.execute("BEGIN IMMEDIATE"); }

void Transaction::commit() {
    connection_.execute("COMMIT");
    open_ = false;
}

Transaction::~Transaction() {
    if (open_) sqlite3_exec(connection_.handle_, "ROLLBACK", nullptr, nullptr, nullptr);
}

}   // namespace oscar::inline sweep::sqlite

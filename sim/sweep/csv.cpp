#include "sim/sweep/sql.hpp"

#include <string_view>

#include "sim/config/text.hpp"

namespace oscar::sql {
namespace {

bool is_formula(std::string_view text) {
    return !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
}

std::string field_text(const std::string& text) {
    if (is_formula(text)) return field_text("'" + text);
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

std::string field_text(std::monostate) { return ""; }
std::string field_text(std::int64_t number) { return std::to_string(number); }
std::string field_text(double number) { return number_text(number); }
std::string field_text(const Value& value) {
    return std::visit([](const auto& v) { return field_text(v); }, value);
}

template <class Fields>
std::string line(const Fields& fields) {
    std::string text;
    for (const auto& field : fields) text += (&field == &fields.front() ? "" : ",") + field_text(field);
    return text + "\r\n";
}

}   // namespace

std::string to_csv(const Table& table) {
    std::string text = line(table.columns);
    for (const auto& row : table.rows) text += line(row);
    return text;
}

}   // namespace oscar::sql

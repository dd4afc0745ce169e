#include "sim/describe/echo.hpp"

namespace oscar {

nlohmann::ordered_json to_json(bool value) { return value; }
nlohmann::ordered_json to_json(std::uint32_t value) { return value; }
nlohmann::ordered_json to_json(std::uint64_t value) { return value; }
nlohmann::ordered_json to_json(int value) { return value; }
nlohmann::ordered_json to_json(std::int64_t value) { return value; }
nlohmann::ordered_json to_json(double value) { return value; }
nlohmann::ordered_json to_json(const std::string& text) { return text; }

namespace echo_detail {

void set(nlohmann::ordered_json& object, std::string_view key, nlohmann::ordered_json value) {
    object[std::string(key)] = std::move(value);
}

nlohmann::ordered_json kind_of(std::string_view name, const nlohmann::ordered_json& params) {
    nlohmann::ordered_json object{{"kind", name}};
    object.update(params);
    return object;
}

}   // namespace echo_detail
}   // namespace oscar

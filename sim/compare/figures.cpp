#include "sim/compare/figures.hpp"

#include <fmt/format.h>

namespace oscar {

double figure_in(const nlohmann::ordered_json& object, std::string_view key) {
    if (!object.is_object()) return 0;
    const auto found = object.find(std::string(key));
    return found != object.end() && found->is_number() ? found->get<double>() : 0;
}

double microseconds_of(const nlohmann::ordered_json& method, const Bottleneck& cause) {
    const auto path = method.find("critical_path");
    return path == method.end() ? 0 : figure_in(*path, key_of(cause)) * 1e-6;
}

std::string text_of(const nlohmann::ordered_json& value) {
    if (value.is_null()) return "-";
    if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
    return value.is_string() ? value.get<std::string>() : value.dump();
}

}   // namespace oscar

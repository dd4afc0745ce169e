// Changes of JSON that leave it JSON: bytes changed at random seldom get behind the parser.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "sim/describe/json_file.hpp"

namespace oscar::test {

/// Changes one to four values of a document: into one of another type, into another value of it, or into none.
class JsonMutator {
public:
    explicit JsonMutator(std::uint32_t seed) : random_(seed) {}

    /// The document `text` after that; none if it is no JSON.
    std::optional<std::string> changed(std::string_view text) {
        Json document;
        try {
            document = parse_json(text);
        } catch (const BadJson&) {
            return std::nullopt;
        }
        for (std::size_t count = 1 + below(4); count > 0; --count) change(document);
        return document.dump(-1, ' ', false, Json::error_handler_t::replace);
    }

private:
    using Json = nlohmann::ordered_json;

    std::size_t below(std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_); }

    static void collect(Json& value, std::vector<Json*>& all) {
        all.push_back(&value);
        for (Json& part : value)
            if (value.is_structured()) collect(part, all);
    }

    void change(Json& document) {
        std::vector<Json*> all;
        collect(document, all);
        Json& value = *all[below(all.size())];
        const std::size_t how = below(3);
        if (how == 0 && value.is_structured() && !value.empty())
            value.erase(std::next(value.begin(), static_cast<std::ptrdiff_t>(below(value.size()))));
        else if (how == 1) value = Json(*all[below(all.size())]);
        else value = of_any_type();
    }

    Json of_any_type() {
        const std::vector<Json> values{
            nullptr,       true,           0,      -1,        1e308, 18446744073709551615U, "", "\x7f<b>\n",
            Json::array(), Json::object(), {1, 2}, {{"a", 1}}};
        return values[below(values.size())];
    }

    std::mt19937 random_;
};

}   // namespace oscar::test

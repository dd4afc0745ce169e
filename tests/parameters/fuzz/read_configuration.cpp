#include "tests/parameters/fuzz/read_configuration.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "sim/config/error.hpp"
#include "sim/config/load.hpp"
#include "sim/describe/echo.hpp"
#include "sim/parameters/parameters.hpp"

namespace oscar::test {
namespace {

nlohmann::ordered_json read_back(ConfigNode root) {
    return to_json(read_experiment(std::move(root), "fuzz.yaml").parameters);
}

/// What `read_text` gives unless it throws ConfigError, whose text must be one line.
template <class Read>
bool is_read(Read read_text) {
    try {
        read_text();
        return true;
    } catch (const ConfigError& error) {
        const std::string_view what = error.what();
        if (what.empty() || std::ranges::any_of(what, [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
            throw std::logic_error("an error that is not one line: " + std::string(what));
        return false;
    }
}

}   // namespace

bool reads_configuration(std::string_view text) {
    is_read([&] {
        ConfigNode root;
        root.form = ConfigNode::Form::map;
        apply_override(root, text.substr(0, text.find('\n')));
        read_back(std::move(root));
    });
    nlohmann::ordered_json echo;
    if (!is_read([&] { echo = read_back(parse_config(text, "fuzz.yaml")); })) return false;
    try {
        if (read_back(parse_config(echo.dump(), "echo.json")) != echo)
            throw std::logic_error("the echo reads otherwise");
    } catch (const ConfigError& error) {
        throw std::logic_error(std::string("the echo is refused: ") + error.what());
    }
    return true;
}

}   // namespace oscar::test

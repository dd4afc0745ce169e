#include "sim/commands/validators.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "sim/config/text.hpp"

namespace oscar {

CLI::Validator within(std::uint64_t least, std::uint64_t most, const std::string& last) {
    return {[=](const std::string& text) {
                std::uint64_t value = 0;
                const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
                const bool is_number = error == std::errc{} && end == text.data() + text.size();
                if (is_number && value >= least && value <= most) return std::string();
                return fmt::format("{} is no whole number from {} to {}", in_quotes(text), least,
                                   last.empty() ? std::to_string(most) : last);
            },
            ""};
}

CLI::Validator any_count() { return within(0, std::numeric_limits<std::uint64_t>::max(), "2^64 - 1"); }

}   // namespace oscar

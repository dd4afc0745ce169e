#include "sim/describe/json_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <string>
#include <vector>

#include "sim/config/error.hpp"
#include "sim/config/regular_file.hpp"

namespace oscar {
namespace {

using Json = nlohmann::ordered_json;
using Event = Json::parse_event_t;

/// Counts what is parsed, and throws BadJson beyond the limits.
class JsonCounts {
public:
    explicit JsonCounts(const JsonLimits& limits) : limits_(limits) {}

    void take(std::size_t depth, Event event) {
        const bool begins = event == Event::object_start || event == Event::array_start;
        if (begins && depth >= limits_.depth)
            throw BadJson(fmt::format(": is nested more than {} levels deep", limits_.depth));
        if (event == Event::object_start) keys_.push_back(0);
        if (event == Event::object_end) keys_.pop_back();
        if (event == Event::key && (pairs_ += keys_.back()++) > limits_.pairs_of_keys)
            throw BadJson(": has maps of too many keys");
        if ((begins || event == Event::value) && ++values_ > limits_.values)
            throw BadJson(fmt::format(": holds more than {} values", limits_.values));
    }

private:
    const JsonLimits& limits_;
    std::vector<std::size_t> keys_;   ///< so far, of each map that is open
    std::size_t values_ = 0, pairs_ = 0;
};

/// `:LINE:COLUMN` of a byte counted from 1.
std::string place_in(std::string_view text, std::size_t byte) {
    const std::string_view before = text.substr(0, byte > 0 ? byte - 1 : 0);
    const std::size_t line_start = before.rfind('\n') + 1;   // npos + 1 is 0
    return fmt::format(":{}:{}", 1 + std::ranges::count(before, '\n'), 1 + before.size() - line_start);
}

std::string content_of(const RegularFile& file, std::size_t most) {
    std::string text(std::min<std::size_t>(file.size(), most + 1), '\0');
    std::size_t filled = 0;
    while (filled < text.size()) {
        const ssize_t bytes = ::read(file.descriptor(), text.data() + filled, text.size() - filled);
        if (bytes <= 0) break;   // it has become shorter
        filled += static_cast<std::size_t>(bytes);
    }
    text.resize(filled);
    return text;
}

}   // namespace

Json parse_json(std::string_view text, const JsonLimits& limits) try {
    if (text.size() > limits.bytes)
        throw BadJson(fmt::format(": has more than {} MiB, the most that is read", limits.bytes >> 20));
    JsonCounts counts(limits);
    return Json::parse(text, [&](int depth, Event event, const Json&) {
        counts.take(static_cast<std::size_t>(depth), event);
        return true;
    });
} catch (const Json::parse_error& error) {
    throw BadJson(place_in(text, error.byte) + ": is no JSON");
} catch (const Json::exception&) {
    throw BadJson(": holds a number beyond the range of double precision");
} catch (const std::bad_alloc&) {
    throw BadJson(": needs more memory than there is");
}

Json read_json(const std::filesystem::path& file, std::string_view remedy) {
    const auto refuse = [&](std::string_view what) -> InputError {
        return InputError(fmt::format("{}{}; {}", file.string(), what, remedy));
    };
    try {
        return parse_json(content_of(RegularFile(file), JsonLimits().bytes));
    } catch (const CannotOpen& error) {
        throw refuse(fmt::format(": {}", error.what()));
    } catch (const BadJson& error) {
        throw refuse(error.what());
    }
}

}   // namespace oscar

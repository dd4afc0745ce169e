#include "sim/sweep/key.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include "sim/describe/echo.hpp"

namespace oscar {

std::string program_identity() { return fmt::format("{}+{}", OSCAR_VERSION, source_hash.substr(0, 16)); }

std::string point_key(std::string_view program, const Parameters& parameters, std::string_view trace_hash) {
    nlohmann::ordered_json config = to_json(parameters);
    for (const char* key : {"trace", "experiment", "seed"}) config.erase(key);
    const std::string text = nlohmann::ordered_json::array({program, config, trace_hash, parameters.seed}).dump();
    const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}   // namespace oscar

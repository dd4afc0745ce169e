// JSON schema of a sweep file, which is read by functions and has no field table.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace oscar::inline commands {

nlohmann::ordered_json sweep_schema();

}   // namespace oscar::inline commands

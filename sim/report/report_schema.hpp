// JSON schema of report.json, made of the field tables of the report.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace oscar {

/// The schema of the whole report. `config` may be any object: it has the schema of an experiment.
nlohmann::ordered_json report_schema();

}   // namespace oscar

// JSON schemas of files that no field table describes as a whole: experiments with their bases, sweeps, trainings.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace oscar::inline commands {

nlohmann::ordered_json experiment_schema();
nlohmann::ordered_json sweep_schema();

/// Of the files of configs/training, which scripts/train reads.
nlohmann::ordered_json training_schema();

}   // namespace oscar::inline commands

// JSON schemas of files that no field table describes as a whole: experiments with their bases, sweeps, trainings.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace oscar {

/// The schema of an experiment file: its parameters, and the key `base`.
nlohmann::ordered_json experiment_schema();
/// The schema of a sweep file, with an experiment's parameters where its base is written out.
nlohmann::ordered_json sweep_schema();

/// The schema of the files of configs/training, which scripts/train reads.
nlohmann::ordered_json training_schema();

}   // namespace oscar

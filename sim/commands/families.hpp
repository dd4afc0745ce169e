// `oscar-sim describe`: families, kinds and parameters.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oscar {

/// Without a family: all families, a line each. With one: its kinds or parameters. With a kind: that kind's parameters.
/// Lines keep to `width` characters. Throws InputError for an unknown name, naming the known ones.
std::string describe(std::string_view family, std::string_view kind, std::size_t width);

/// The description as JSON: a list of all families in full, one family, or one kind of it. Throws InputError as
/// describe.
std::string describe_json(std::string_view family, std::string_view kind);

/// The JSON schema of the values at a family's place. `experiment`, `traffic`, `prediction`, `sweep` and `training`
/// give the schemas of whole files, `report` the schema of report.json. Throws InputError as describe.
std::string describe_schema(std::string_view family);

/// Text for Graphviz (models/network/topology/dot.hpp). `what`: a kind of topology, or the file of an experiment
/// (*.yaml). Each of `assignments` is KEY=VALUE as `--set` takes it; for a kind, keys are its parameters, or begin with
/// `network.`. `ranks`: by default the experiment's, or 8 for a kind. Throws InputError.
std::string draw_topology(const std::string& what, std::optional<std::uint32_t> ranks,
                          const std::vector<std::string>& assignments);

/// The schema of an experiment file: its parameters, and the key `base`.
nlohmann::ordered_json experiment_schema();
/// The schema of a sweep file, with an experiment's parameters where its base is written out.
nlohmann::ordered_json sweep_schema();

/// The schema of the files of configs/training, which scripts/train reads.
nlohmann::ordered_json training_schema();

}   // namespace oscar

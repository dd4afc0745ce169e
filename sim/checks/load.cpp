#include "sim/checks/load.hpp"

#include "sim/checks/checks.hpp"
#include "sim/config/base.hpp"
#include "sim/config/file_kind.hpp"
#include "sim/config/find.hpp"
#include "sim/config/load.hpp"

namespace oscar::inline checks {

Experiment make_experiment(ConfigNode source, const std::filesystem::path& file) {
    Experiment experiment = read_experiment(std::move(source), file);
    run_checks(checks_as_written, experiment);
    resolve(experiment);
    run_checks(checks_as_resolved, experiment);
    return experiment;
}

Experiment load_experiment(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
    const std::filesystem::path found = find_config(file, FileKind::run);
    ConfigNode source = load_config(found);
    require_file_kind(source, FileKind::run);
    source = over_its_bases(std::move(source), found);
    for (const std::string& assignment : overrides) apply_override(source, assignment);
    return make_experiment(std::move(source), found);
}

}   // namespace oscar::inline checks

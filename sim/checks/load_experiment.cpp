#include "sim/checks/load_experiment.hpp"

#include "sim/checks/checks.hpp"
#include "sim/config/base.hpp"

namespace oscar {

Experiment make_experiment(ConfigNode source, const std::filesystem::path& file) {
    Experiment experiment = read_experiment(std::move(source), file);
    run_checks(checks_as_written, experiment);
    resolve(experiment);
    run_checks(checks_as_resolved, experiment);
    return experiment;
}

Experiment load_experiment(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
    FoundConfig found = load_named(file, FileKind::run, overrides);
    return make_experiment(std::move(found.root), found.file);
}

}   // namespace oscar

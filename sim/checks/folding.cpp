#include "sim/checks/folding.hpp"

#include <fmt/format.h>

#include "sim/parameters/folding.hpp"

namespace oscar {

void check_folding(const Experiment& experiment) {
    if (experiment.parameters.folding != Folding::always) return;
    if (const auto problem = find_folding_problem(experiment.parameters))
        experiment.source.child("folding").fail(
            fmt::format("ranks cannot be folded, because of {}: {}", problem->key, problem->text));
}

}   // namespace oscar

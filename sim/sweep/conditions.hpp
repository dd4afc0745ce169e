// Conditions on the figures of methods, which leave out of a ranking what does not meet them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/sweep/plan.hpp"

namespace oscar {

/// `figure comparison limit`, like relative_l2_error < 0.05.
struct Condition {
    std::string figure;       ///< a column of the view `methods`
    std::string comparison;   ///< of SQL: <, <=, >, >= or =
    double limit = 0;
    friend bool operator==(const Condition&, const Condition&) = default;
};

/// Reads conditions as `--where` has them, each of the texts one or several with commas between. InputError: no
/// comparison, a limit that is no finite number, a figure that methods of `plan` do not have.
std::vector<Condition> read_conditions(const std::vector<std::string>& texts, const SweepPlan& plan);

/// Throws InputError, which quotes `option`, unless methods of `plan` have the figure.
void require_figure(std::string_view option, const std::string& figure, const SweepPlan& plan);

/// The methods of a plan that a ranking takes.
struct Eligible {
    std::vector<Condition> conditions = {};   ///< that all of their figures meet
    std::vector<std::string> without = {};    ///< names of methods that do not count
    /// ` AND ...` in SQL, for a query of the view `methods`; empty where all count.
    std::string and_eligible() const;
};

}   // namespace oscar

// All-to-all by direct exchange.
#pragma once

#include "models/collective/schedule/params.hpp"
#include "models/collective/schedule/schedule.hpp"

namespace oscar {

struct AllToAllParams : CollectiveParams {
    static constexpr Operation operation = Operation::all_to_all;
    static constexpr auto fields() { return fields_of<AllToAllParams>(); }
};

/// Transposes blocks: ranks^2 slices chunks, numbered row by row in each slice; rank r sends chunk j of its row r to
/// rank j, beginning with its successor. One timestep. Of a rank's bucket only its own row travels. Precondition: ranks
/// >= 2.
Schedule make_schedule(const AllToAllParams& params, std::uint32_t ranks);

}   // namespace oscar

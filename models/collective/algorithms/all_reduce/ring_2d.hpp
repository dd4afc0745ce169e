// AllReduce on rings along the rows and the columns of a grid of ranks.
#pragma once

#include "models/collective/schedule/params.hpp"
#include "models/collective/schedule/schedule.hpp"

namespace oscar {

struct Ring2dParams : StaggeredParams {
    std::uint32_t rows = 0;
    static constexpr Operation operation = Operation::all_reduce;
    static constexpr auto fields() {
        return concatenate(
            fields_of<Ring2dParams>(),
            Entries{field(
                "rows", &Ring2dParams::rows,
                "rows of the grid of ranks (a divisor of `ranks`); 0: the largest that does not exceed the columns", 0u,
                4096u)});
    }
};

/// A grid of b = rows and a = ranks / b columns; rank r is in row r / a, column r mod a. Reduce-scatter on a ring in
/// each row, then on a ring in each column, and all-gather in the reverse order: ranks slices chunks, of which rank
/// (row, column) comes to own column b + row; 2 (a-1 + b-1) timesteps, and a rank sends 2(a-1)/a + 2(b-1)/(ab) of its
/// gradient. Source: Ying et al., Image Classification at Supercomputer Scale, 2018, section 3. std::invalid_argument:
/// the rows do not divide the ranks. Precondition: ranks >= 2.
Schedule make_schedule(const Ring2dParams& params, std::uint32_t ranks);

}   // namespace oscar

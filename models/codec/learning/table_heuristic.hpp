// Range search as published with Atalanta, in integers, for comparison with the exact search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace oscar {

/// The first bin of each of `rows` ranges. Begins with the bins divided evenly; pass by pass each inner boundary in
/// turn goes where the sum of range_cost() is least between its neighbours, the lowest place on a tie, until a pass
/// gains less than 1 %. Follows Delmas Lascorz et al., ASPLOS 2024, with two differences: integers instead of floating
/// point, and a boundary goes to the best place of its scan, not to where the scan ended. Same preconditions as
/// best_partition().
std::vector<std::size_t> heuristic_partition(std::span<const std::uint64_t> counts,
                                             std::span<const std::uint64_t> edges, std::size_t rows);

}   // namespace oscar

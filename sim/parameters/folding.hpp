// Folding of ranks that nothing distinguishes: a machine of a few of them does what each of all does.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "models/core/fields.hpp"

namespace oscar {

struct Parameters;

/// Whether ranks that nothing distinguishes are folded.
enum class Folding : std::uint8_t { automatic, always, never };
constexpr auto choices(Folding) {
    return std::array{Choice{"automatic", Folding::automatic, "from 1024 ranks on, where it can be done"},
                      Choice{"always", Folding::always, "or an error that says what distinguishes the ranks"},
                      Choice{"never", Folding::never, "every rank is simulated"}};
}

/// The number of ranks that the machine has: all, or the fewest that stand for all. Rank r of all then does what rank r
/// mod that number does, at the same time to the picosecond. Precondition: find_folding_problem finds nothing, or
/// folding is not `always`.
std::uint32_t simulated_ranks(const Parameters& parameters);

/// The number of ranks that each simulated one stands for; 1 where none are folded.
std::uint32_t ranks_for_each(const Parameters& parameters);

struct FoldingProblem {
    std::string key, text;
};
/// What distinguishes the ranks, by the key that says so; nothing if they can be folded.
std::optional<FoldingProblem> find_folding_problem(const Parameters& parameters);

}   // namespace oscar

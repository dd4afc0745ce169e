// Folding of ranks that nothing distinguishes: a machine of a few of them does what each of all does.
//
// Why the time is the same to the picosecond. Let the rotation be by s ranks, s whole groups, at least three of them,
// and a divisor of all. Four things must be the same after the rotation; find_folding_problem() refuses the rest:
// 1. The machine: nodes, links and start times.
// 2. The steps, with chunks of equal size, and their order: of two messages that meet at a node, those that meet at the
//    node s ranks further have their numbers in the same order. Ties of an instant go by these numbers alone.
// 3. The path of each pair of ranks: there is one, over cables of the sender and of the receiver alone.
// 4. The virtual channel of each pair. A hash of the two ranks chooses it, which no rotation keeps. It decides nothing
//    where a link has one channel, or carries messages of one pair of ranks only: then one of its channels is used, and
//    all have the same buffer. Elsewhere the ranks do differ: here two pairs share a channel, there they do not.
// Then, by induction over the events, all that ranks r, r + s, r + 2 s, ... hold is the same at each moment, and one
// node that stands for them does what each does: its links lead to as many different nodes as theirs, because there
// are three groups.
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

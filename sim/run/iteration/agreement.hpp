// Agreement: what ranks agree on before the messages of an iteration are made.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/run/iteration/participants.hpp"

namespace oscar {

/// State of the previous iteration that participants do not hold.
struct History {
    std::vector<Symbol> local;   ///< the codes of rank 0; empty: no iteration came before
    std::vector<float> peaks;    ///< of its scales
    bool exists() const { return !local.empty(); }
};

struct Agreement {
    bool follows = false;      ///< there is an iteration before, of which tables, boundaries and classes are made
    bool broadcast = false;    ///< rank 0 cuts the chunks by its own codes and sends the boundaries to all
    std::uint64_t bytes = 0;   ///< of the boundaries and of a table that rank 0 makes for all, beside the messages
};

/// Sets the tables and layouts with which participants will begin the iteration, by what they know of the iteration
/// before; that is forgotten first where `codes` do not follow it. The repetition of an aborted iteration keeps its
/// layouts. Precondition: sets are equal in what they know; the first is the reference's.
Agreement agree(const MethodSetting& setting, ParticipantSets sets, History& history, const IterationCodes& codes);

}   // namespace oscar

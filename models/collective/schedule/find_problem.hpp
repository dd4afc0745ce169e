// Checker of every schedule: its outcome is what the collective promises, in every order that its dependencies allow.
#pragma once

#include <optional>
#include <string>

#include "models/collective/schedule/operation.hpp"
#include "models/collective/schedule/schedule.hpp"

namespace oscar {

/// The first reason why the schedule does not perform the operation, naming step, rank and chunk; nothing if it does.
/// It must do so in every order that the dependencies leave open, and add each contribution to a sum once.
/// Steps that touch a chunk at a rank must be ordered by dependencies among the steps of that chunk, unless both read
/// it or both add to it: additions are performed in the order of the schedule (RankState::receive).
std::optional<std::string> find_problem(Operation operation, const Schedule& schedule);

}   // namespace oscar

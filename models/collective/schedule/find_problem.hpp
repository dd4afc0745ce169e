// Checker of every schedule: its outcome is what the collective promises, in every order that its dependencies allow.
#pragma once

#include <optional>
#include <string>

#include "models/collective/schedule/operation.hpp"
#include "models/collective/schedule/schedule.hpp"

namespace oscar::inline collective {

/// Whether the schedule brings the operation about, each contribution to a sum added once, whatever order the
/// dependencies leave open. Returns the first reason why not, naming step, rank and chunk.
/// Steps that touch a chunk at a rank must be ordered by dependencies among the steps of that chunk, unless both read
/// it or both add to it: additions are performed in the order of the schedule (RankState::receive).
std::optional<std::string> find_problem(Operation operation, const Schedule& schedule);

}   // namespace oscar::inline collective

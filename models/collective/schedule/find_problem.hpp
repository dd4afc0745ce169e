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

inline std::optional<std::string> find_all_reduce_problem(const Schedule& schedule) {
    return find_problem(Operation::all_reduce, schedule);
}
inline std::optional<std::string> find_reduce_scatter_problem(const Schedule& schedule) {
    return find_problem(Operation::reduce_scatter, schedule);
}
inline std::optional<std::string> find_all_gather_problem(const Schedule& schedule) {
    return find_problem(Operation::all_gather, schedule);
}
inline std::optional<std::string> find_broadcast_problem(const Schedule& schedule) {
    return find_problem(Operation::broadcast, schedule);
}
inline std::optional<std::string> find_all_to_all_problem(const Schedule& schedule) {
    return find_problem(Operation::all_to_all, schedule);
}

}   // namespace oscar::inline collective

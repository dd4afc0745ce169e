// Schedules of GOAL: messages between ranks, with what each waits for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/collective/algorithms/flows.hpp"

namespace oscar {

/// What a file of GOAL says, as transfers: each waits for those that its sender must have received.
struct GoalSchedule {
    std::uint32_t ranks = 0;
    std::vector<FlowSpec> flows;   ///< in an order in which they could be sent
};

/// Reads the text of a file. A send and a receive of the same ends and tag are one message, in the order of the file. A
/// send waits for the receives that it requires, and for what the operations that it requires wait for; receives are
/// posted from the start, and `irequires`, which asks for the start of an operation, is taken
/// for `requires`. Bytes are rounded up to whole fp32 values. `cpu` and `nic` are read and say nothing here.
/// InputError without the file's name, with the line: unknown words, ranks or labels, labels that are there twice,
/// sends without a receive of as many bytes and receives without a send, operations that wait for each other, and
/// calculations that take time, which nothing here would do.
/// Source: Hoefler, Schneider & Lumsdaine, "LogGOPSim", HPDC workshop LSAP 2010, and the text form that its txt2bin
/// takes.
GoalSchedule read_goal(const std::string& text);

}   // namespace oscar

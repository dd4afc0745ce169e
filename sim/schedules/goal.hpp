// Schedules of GOAL: messages between ranks, with what each waits for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/collective/algorithms/listed/flows.hpp"

namespace oscar {

/// What a file of GOAL says, as transfers and computations: each waits for what its rank must have received and
/// computed.
struct GoalSchedule {
    std::uint32_t ranks = 0;
    std::vector<FlowSpec> flows;   ///< in an order in which they could be sent, and those of a rank in that of the file
    std::vector<ComputationSpec> computations;   ///< calculations that take time; of no time: where waits are gathered
};

/// Reads the text of a file. A send and a receive of the same ends and tag are one message, in the order of the file; a
/// receive of any tag takes the first that no receive before it takes. An operation starts when those that it
/// `requires` are done and those that it `irequires` have started. A send is done when it has started, a receive when
/// it has started and its message has come; receives take no time and are posted at any time. A calculation takes its
/// nanoseconds of its `cpu`. Of two sends of a rank that could start at once, the first in the file goes first.
/// Bytes are rounded up to whole fp32 values. `nic` is read and says nothing here.
/// InputError without the file's name, with the line: unknown words, ranks or labels, labels that are there twice,
/// sends without a receive of as many bytes and receives without a send, receives of any source, operations that wait
/// for each other, more values than a machine can count. Source: Hoefler, Schneider & Lumsdaine, "LogGOPSim", HPDC
/// workshop LSAP 2010, and the text form that its txt2bin takes.
GoalSchedule read_goal(const std::string& text);

}   // namespace oscar

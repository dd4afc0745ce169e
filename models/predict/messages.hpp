// Messages of a predictor: chunks that travel together.
#pragma once

#include <vector>

#include "models/collective/schedule/schedule.hpp"

namespace oscar {

/// Chunks that go from one rank to another in one timestep: together they are a message.
struct Message {
    Rank from, to;
    std::vector<StepId> steps;
};

/// Per timestep, by sender and receiver.
std::vector<std::vector<Message>> messages_of(const Schedule& schedule);

}   // namespace oscar

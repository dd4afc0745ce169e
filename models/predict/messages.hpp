// Messages of a predictor: chunks that travel together.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "models/collective/schedule/schedule.hpp"

namespace oscar {

/// Chunks that go from one rank to another in one timestep: together they are a message.
struct Message {
    Rank from, to;
    std::vector<StepId> steps;
};

/// Per timestep, by sender and receiver.
inline std::vector<std::vector<Message>> messages_of(const Schedule& schedule) {
    std::vector<std::map<std::pair<Rank, Rank>, Message>> rounds(schedule.timesteps());
    for (std::uint32_t i = 0; i < schedule.steps.size(); ++i) {
        const Step& step = schedule.steps[i];
        Message& message = rounds[step.timestep.value][{step.from, step.to}];
        message.from = step.from;
        message.to = step.to;
        message.steps.push_back(StepId{i});
    }
    std::vector<std::vector<Message>> messages(rounds.size());
    for (std::size_t t = 0; t < rounds.size(); ++t)
        for (auto& [pair, message] : rounds[t]) messages[t].push_back(std::move(message));
    return messages;
}

}   // namespace oscar

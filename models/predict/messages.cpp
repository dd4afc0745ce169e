#include "models/predict/messages.hpp"

#include <map>
#include <utility>

namespace oscar {

std::vector<std::vector<Message>> messages_of(const Schedule& schedule) {
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

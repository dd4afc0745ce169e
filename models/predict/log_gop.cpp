#include "models/predict/log_gop.hpp"

#include <algorithm>
#include <vector>

namespace oscar {
namespace {

/// A message that has left its sender.
struct UnderWay {
    Time arrival;
    std::uint32_t step;
};

class Machine {
public:
    Machine(const LogGopParams& params, const Schedule& schedule, std::uint64_t chunk)
        : params_(params),
          schedule_(schedule),
          gaps_(static_cast<std::int64_t>(std::max<std::uint64_t>(chunk, 1) - 1) * params.gap_per_byte),
          processor_free_(schedule.participants()),
          network_free_(schedule.participants()),
          done_(schedule.steps.size()) {}

    Time run() {
        std::vector<std::vector<std::uint32_t>> rounds(schedule_.timesteps());
        for (std::uint32_t i = 0; i < schedule_.steps.size(); ++i)
            rounds[schedule_.steps[i].timestep.value].push_back(i);
        for (const auto& round : rounds) exchange(round);
        return done_.empty() ? Time{} : *std::ranges::max_element(done_);
    }

private:
    void exchange(const std::vector<std::uint32_t>& round) {
        std::vector<UnderWay> messages;
        for (const std::uint32_t step : round) messages.push_back(send(step));
        std::ranges::stable_sort(messages, {}, &UnderWay::arrival);
        for (const UnderWay& message : messages) receive(message);
    }

    UnderWay send(std::uint32_t i) {
        const Step& step = schedule_.steps[i];
        Time& processor = processor_free_[step.from.value];
        for (const StepId before : schedule_.after(StepId{i})) processor = std::max(processor, done_[before.value]);
        processor += params_.overhead;
        Time& network = network_free_[step.from.value];
        network = std::max(network, processor) + gaps_;
        return {network + params_.latency, i};
    }

    void receive(const UnderWay& message) {
        Time& processor = processor_free_[schedule_.steps[message.step].to.value];
        processor = std::max(processor, message.arrival) + params_.overhead;
        done_[message.step] = processor;
    }

    const LogGopParams& params_;
    const Schedule& schedule_;
    Time gaps_;                                         ///< of a message
    std::vector<Time> processor_free_, network_free_;   ///< per rank
    std::vector<Time> done_;                            ///< per step
};

}   // namespace

Time log_gop_time(const LogGopParams& params, const Schedule& schedule, Bytes size) {
    return Machine(params, schedule, size.count / std::max(1u, schedule.chunks)).run();
}

}   // namespace oscar

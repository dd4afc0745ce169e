#include "models/predict/log_gop.hpp"

#include <algorithm>
#include <vector>

#include "models/predict/messages.hpp"

namespace oscar {
namespace {

/// A message that has left its sender.
struct UnderWay {
    Time arrival;
    const Message* message;
};

class Machine {
public:
    Machine(const LogGopParams& params, const Schedule& schedule, std::uint64_t chunk)
        : params_(params),
          schedule_(schedule),
          chunk_(chunk),
          processor_free_(schedule.participants()),
          network_free_(schedule.participants()),
          done_(schedule.steps.size()) {}

    Time run() {
        for (const auto& round : messages_of(schedule_)) exchange(round);
        return done_.empty() ? Time{} : *std::ranges::max_element(done_);
    }

private:
    void exchange(const std::vector<Message>& round) {
        std::vector<UnderWay> under_way;
        for (const Message& message : round) under_way.push_back(send(message));
        std::ranges::stable_sort(under_way, {}, &UnderWay::arrival);
        for (const UnderWay& message : under_way) receive(message);
    }

    UnderWay send(const Message& message) {
        Time& processor = processor_free_[message.from.value];
        for (const StepId step : message.steps)
            for (const StepId before : schedule_.after(step)) processor = std::max(processor, done_[before.value]);
        processor += params_.overhead;
        Time& network = network_free_[message.from.value];
        network = std::max(network, processor) + gaps(message.steps.size() * chunk_);
        return {network + params_.latency, &message};
    }

    void receive(const UnderWay& under_way) {
        Time& processor = processor_free_[under_way.message->to.value];
        processor = std::max(processor, under_way.arrival) + params_.overhead;
        for (const StepId step : under_way.message->steps) done_[step.value] = processor;
    }

    Time gaps(std::uint64_t bytes) const {
        return static_cast<std::int64_t>(std::max<std::uint64_t>(bytes, 1) - 1) * params_.gap_per_byte;
    }

    const LogGopParams& params_;
    const Schedule& schedule_;
    std::uint64_t chunk_;                               ///< bytes
    std::vector<Time> processor_free_, network_free_;   ///< per rank
    std::vector<Time> done_;                            ///< per step
};

}   // namespace

Time log_gop_time(const LogGopParams& params, const Schedule& schedule, Bytes size) {
    return Machine(params, schedule, size.count / std::max(1u, schedule.chunks)).run();
}

}   // namespace oscar

#include "models/predict/log_gop.hpp"

#include <algorithm>
#include <vector>

#include "models/core/long_time.hpp"
#include "models/predict/messages.hpp"

namespace oscar {
namespace {

/// A message that has left its sender.
struct UnderWay {
    LongTime arrival;
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
        under_way.reserve(round.size());
        for (const Message& message : round) under_way.push_back(send(message));
        std::ranges::stable_sort(under_way, {}, &UnderWay::arrival);
        for (const UnderWay& message : under_way) receive(message);
    }

    UnderWay send(const Message& message) {
        LongTime& processor = processor_free_[message.from.value];
        for (const StepId step : message.steps)
            for (const StepId before : schedule_.after(step))
                processor = std::max(processor, LongTime(done_[before.value]));
        processor = processor + params_.overhead;
        LongTime& network = network_free_[message.from.value];
        network = std::max(network, processor) + gaps(UInt128{chunk_} * message.steps.size());
        return {network + params_.latency, &message};
    }

    void receive(const UnderWay& under_way) {
        LongTime& processor = processor_free_[under_way.message->to.value];
        processor = std::max(processor, under_way.arrival) + params_.overhead;
        for (const StepId step : under_way.message->steps) done_[step.value] = processor.narrowed();
    }

    LongTime gaps(UInt128 bytes) const { return (std::max<UInt128>(bytes, 1) - 1) * LongTime(params_.gap_per_byte); }

    const LogGopParams& params_;
    const Schedule& schedule_;
    std::uint64_t chunk_;                                   ///< bytes
    std::vector<LongTime> processor_free_, network_free_;   ///< per rank
    std::vector<Time> done_;                                ///< per step
};

}   // namespace

Time log_gop_time(const LogGopParams& params, const Schedule& schedule, Bytes size) {
    return Machine(params, schedule, size.count / std::max(1u, schedule.chunks)).run();
}

}   // namespace oscar

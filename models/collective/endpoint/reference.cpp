#include "models/collective/endpoint/reference.hpp"

#include <algorithm>

#include <xxhash.h>

namespace oscar::inline collective {

namespace {

void add_entropy(StepEntropy& entropy, const RankState& sender, const Schedule& schedule, StepId id) {
    const Step& step = schedule.steps[id.value];
    const auto& layout = sender.layout();
    const auto classes = sender.classes();
    entropy.add(schedule.table_timestep(id), sender.carried(id),
                classes.empty() ? std::vector<std::uint8_t>{} : layout.gather(step.chunk, classes));
}

/// Brings the message to the receiver; returns that which it accepted.
std::shared_ptr<const Encoded> deliver(StepId id, RankState& sender, RankState& receiver, Receivers receivers,
                                       Resent& resent) {
    const std::vector<Symbol> symbols = receivers == Receivers::trust ? sender.carried(id) : std::vector<Symbol>{};
    const auto hand_over = [&](const std::shared_ptr<const Encoded>& message) {
        if (receivers == Receivers::trust) receiver.take(id, message, symbols);
        else receiver.receive(id, message);
    };
    auto message = sender.send(id);
    try {
        hand_over(message);
    } catch (const TableMismatch&) {
        message = sender.resend(id);
        ++resent.messages;
        resent.bytes += message->size();
        hand_over(message);
    }
    return message;
}

}   // namespace

Reference run_reference(const Schedule& schedule, std::span<RankState> rank_states, StepEntropy* entropy,
                        Receivers receivers) {
    Reference run;
    for (std::uint32_t i = 0; i < schedule.steps.size(); ++i) {
        const Step& step = schedule.steps[i];
        RankState &sender = rank_states[step.from.value], &receiver = rank_states[step.to.value];
        if (entropy != nullptr) add_entropy(*entropy, sender, schedule, StepId{i});
        run.forwarded.push_back(sender.forwards(StepId{i}));
        const auto& message = run.messages.emplace_back(deliver(StepId{i}, sender, receiver, receivers, run.resent));
        run.sent.push_back(record(sender.layout().size(step.chunk), *message));
    }
    return run;
}

Sent record(std::uint64_t values, std::span<const std::byte> bytes) {
    return {values, bytes.size(), XXH3_64bits(bytes.data(), bytes.size())};
}

Sent record(std::uint64_t values, std::uint64_t size) { return {values, size, 0}; }

Sent record(std::uint64_t values, const Encoded& message) {
    return message.values ? record(values, message.size()) : record(values, message.bytes);
}

std::vector<Symbol> exact_sum(std::span<const std::vector<Symbol>> codes) {
    std::vector<Symbol> sum = codes.front();
    for (const auto& other : codes.subspan(1))
        std::ranges::transform(sum, other, sum.begin(), [](Symbol a, Symbol b) { return a + b; });
    return sum;
}

double imbalance(const Schedule& schedule, std::span<const Sent> sent) {
    struct Round {
        std::uint64_t largest = 0, total = 0, messages = 0;
    };
    std::vector<Round> rounds(schedule.timesteps());
    for (std::size_t i = 0; i < sent.size(); ++i) {
        Round& round = rounds[schedule.steps[i].timestep.value];
        round.largest = std::max(round.largest, sent[i].bytes);
        round.total += sent[i].bytes;
        ++round.messages;
    }
    double largest = 0, mean = 0;
    for (const Round& round : rounds) {
        largest += static_cast<double>(round.largest);
        if (round.messages > 0) mean += static_cast<double>(round.total) / static_cast<double>(round.messages);
    }
    return mean > 0 ? largest / mean : 1;
}

}   // namespace oscar::inline collective

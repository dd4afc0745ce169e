#include "models/exchange/exchange.hpp"

#include <algorithm>
#include <vector>

#include "models/collective/endpoint/live_message_source.hpp"
#include "models/collective/endpoint/replayed_message_source.hpp"

namespace oscar {

Damage damage_of(const std::optional<FaultParams>& faults) {
    if (!faults || faults->flip == 0) return Damage::none;
    return faults->check == PacketCheck::none ? Damage::unnoticed : Damage::noticed;
}

void Exchange::run_reference(StepEntropy* entropy) {
    const ReceiverWork work = ranks_.machine.empty() ? ReceiverWork::learn_only : ReceiverWork::take_symbols;
    reference_ = oscar::run_reference(plan_.schedule, ranks_.reference, entropy, work, parallel_);
}

Outcome Exchange::run(const std::function<Outcome(MessageSource&)>& run) {
    if (ranks_.reference.empty() || reference_.resent.messages > 0 || damage_ != Damage::none) {
        LiveMessageSource source(plan_, ranks_.machine, codec_);
        return run(source);
    }
    ReplayedMessageSource source(plan_, ranks_.machine, codec_, reference_);
    Outcome outcome = run(source);
    source.finish(parallel_);
    return outcome;
}

bool Exchange::matches_reference(const Outcome& outcome) const {
    std::vector<std::uint8_t> values(ranks_.machine.size()), tables(ranks_.machine.size());
    parallel_(ranks_.machine.size(), [&](std::size_t r) {
        const RankState &machine = ranks_.machine[r], &reference = ranks_.reference[r];
        values[r] = machine.values().equal(reference.values());
        tables[r] = machine.tables().store().digest() == reference.tables().store().digest();
    });
    const auto all = [](const std::vector<std::uint8_t>& of_ranks) {
        return std::ranges::all_of(of_ranks, [](std::uint8_t same) { return same != 0; });
    };
    if (damage_ == Damage::unnoticed) return all(values);
    return all(values) && all(tables) && outcome.records == reference_.records && outcome.resent == reference_.resent;
}

}   // namespace oscar

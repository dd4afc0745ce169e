#include "models/nic/value_places.hpp"

namespace oscar {

/// A chunk's values at a rank.
struct ValuePlaces::Held {
    bool in_nic = false;              ///< there alone
    std::vector<StepId> changes;      ///< the last steps that changed them, all of one tier
    Tier of_changes = Tier::inside;   ///< of those
};

ValuePlaces::ValuePlaces(const Plan& plan, std::uint32_t island, bool staged)
    : plan_(&plan), staged_(staged), tiers_(tiers_of(plan.schedule, island)) {
    if (tiers_.empty()) return;
    uses_.resize(tiers_.size());
    const StepsByChunk by_chunk(plan.schedule);
    std::vector<Held> held(plan.ranks + plan.schedule.aggregators);
    for (std::uint32_t c = 0; c < plan.schedule.chunks; ++c) {
        const auto steps = by_chunk.of(ChunkId{c});
        for (const StepId id : steps) follow(id, held);
        for (const StepId id : steps)
            for (const Rank rank : {plan.sender(id), plan.receiver(id)}) held[rank.value] = {};
    }
}

void ValuePlaces::follow(StepId id, std::vector<Held>& held) {
    const Tier tier = tiers_[id.value];
    const auto fetch = [&](Held& values) {   // a port needs them
        if (values.in_nic) uses_[values.changes.back().value].goes_to_memory = true;
        values.in_nic = false;
    };
    Held &sent = held[plan_->sender(id).value], &taken = held[plan_->receiver(id).value];
    Use& use = uses_[id.value];
    use.changes_side = !sent.changes.empty() && sent.of_changes != tier;
    if (tier == Tier::inside) fetch(sent);
    else use.sent_from_memory = !sent.in_nic;
    const bool adds = plan_->adds(id);
    if (adds && tier == Tier::inside) fetch(taken);
    if (adds && tier == Tier::between) use.operand_in_memory = !taken.in_nic;
    if (adds && taken.of_changes != tier) {
        use.first_before = static_cast<std::uint32_t>(before_.size());
        use.before = static_cast<std::uint32_t>(taken.changes.size());
        before_.insert(before_.end(), taken.changes.begin(), taken.changes.end());
    }
    if (!adds || taken.of_changes != tier) taken.changes.clear();
    taken.changes.push_back(id);
    taken.of_changes = tier;
    taken.in_nic = tier == Tier::between && !staged_;
}

std::span<const StepId> ValuePlaces::before(StepId step) const {
    if (tiers_.empty()) return {};
    const Use& use = uses_[step.value];
    return std::span(before_).subspan(use.first_before, use.before);
}

}   // namespace oscar

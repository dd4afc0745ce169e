#include "sim/run/iteration/verdict.hpp"

#include <algorithm>

#include "sim/run/iteration/held_values.hpp"

namespace oscar {
namespace {

bool tables_agree(const Participants& reference, const Participants& simulated) {
    return std::ranges::equal(simulated.rank_states, reference.rank_states, [](const RankState& a, const RankState& b) {
        return a.tables().store().digest() == b.tables().store().digest();
    });
}

}   // namespace

Verdict judge(const MethodSetting& setting, const Participants& reference, const Participants& simulated,
              const Reference& recorded, const Outcome& outcome, const IterationCodes& codes) {
    const HeldValues held(setting.plan, setting.parameters.ranks, simulated.rank_states, codes);
    const bool as_sent = outcome.records == recorded.records && outcome.resent == recorded.resent;
    return {held.fidelity(), held.are_correct(reference.rank_states, setting.parallel) &&
                                 (setting.unchecked_faults() || (tables_agree(reference, simulated) && as_sent))};
}

}   // namespace oscar

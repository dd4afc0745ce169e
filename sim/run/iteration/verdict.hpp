// Verdict on an iteration: whether the simulated machine did what the reference did.
#pragma once

#include <optional>

#include "models/collective/endpoint/reference.hpp"
#include "models/job/job.hpp"
#include "sim/run/iteration/participants.hpp"

namespace oscar {

struct Verdict {
    std::optional<Fidelity> fidelity;   ///< of the reduced gradient; none where the operation sums nothing
    /// Every participant holds the reference's values and the promised ones, and has its tables, those learnt from this
    /// iteration too. As many bytes were sent and resent: of messages that participants make while packets move this is
    /// a proof; of recorded ones, RecordedMessageSource::finish() has given it. Where damage may pass unnoticed, values
    /// alone count.
    bool sums_match_reference = false;
};

/// After commit(). `messages`: the reference's. `outcome`: the machine's.
Verdict judge(const MethodSetting& setting, const Participants& reference, const Participants& timed,
              const Reference& messages, const Outcome& outcome, const IterationCodes& codes);

}   // namespace oscar

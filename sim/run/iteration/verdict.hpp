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
    /// iteration too; and each step brought as many bytes as in the reference, of an equal hash. Replayed messages are
    /// the reference's own: that every rank would have sent them, ReplayedMessageSource::finish() has proven. Where
    /// damage may pass unnoticed, values alone count.
    bool sums_match_reference = false;
};

/// After commit(). `recorded`: of the reference. `outcome`: the machine's.
Verdict judge(const MethodSetting& setting, const Participants& reference, const Participants& simulated,
              const Reference& recorded, const Outcome& outcome, const IterationCodes& codes);

}   // namespace oscar

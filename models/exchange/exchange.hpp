// One exchange of values: its untimed reference, its messages on a machine, and whether both did the same.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "models/collective/endpoint/message_source.hpp"
#include "models/collective/endpoint/rank_state.hpp"
#include "models/collective/endpoint/reference.hpp"
#include "models/core/parallel.hpp"
#include "models/job/job.hpp"
#include "models/network/params/fault_params.hpp"

namespace oscar {

/// How packets may arrive damaged. Where it is noticed, receivers may refuse messages that the reference takes; where
/// it is not, it may reach the decoders.
enum class Damage : std::uint8_t { none, noticed, unnoticed };
/// By the faults of a network.
Damage damage_of(const std::optional<FaultParams>& faults);

/// The message of a step; `forwarded`: its sender hands on what it received.
struct StepMessage {
    std::shared_ptr<const Encoded> message;
    bool forwarded = false;
};

/// The ranks of an exchange, which hold the same twice, and have begun the iteration.
struct ExchangeRanks {
    std::span<RankState> reference;   ///< empty: the exchange has no reference
    std::span<RankState> machine;     ///< empty: it is not simulated
};

/// A collective of one iteration. The bytes that travel on the machine are those of the reference, where it can know
/// them: each rank then proves that it would have sent the same, and decodes what came.
class Exchange {
public:
    /// `plan`, `codec` and the ranks must outlive it.
    Exchange(const Plan& plan, const Codec& codec, ExchangeRanks ranks, Damage damage = Damage::none,
             ParallelFor parallel = serial_for)
        : plan_(plan), codec_(codec), ranks_(ranks), damage_(damage), parallel_(std::move(parallel)) {}

    /// Performs all steps without network. An exchange that is not simulated only learns: its record is void.
    /// `entropy`, if asked for, is that of the symbols that travelled.
    void run_reference(StepEntropy* entropy = nullptr);
    /// The record of run_reference().
    const Reference& reference() const { return reference_; }
    /// The message that a step has in the reference.
    StepMessage message(StepId step) const {
        return {reference_.messages[step.value], reference_.forwarded[step.value]};
    }

    /// Has `run` simulate a job of this plan whose messages come from the source that it is given. Messages are those
    /// of the reference; where there is none, or messages may be refused, ranks encode and decode while packets move.
    /// Throws std::logic_error if a rank would have sent other bytes than the reference.
    Outcome run(const std::function<Outcome(MessageSource&)>& run);
    /// True if the machine did what the reference did: every rank ends with equal values and equal tables, and each
    /// step brought as many bytes, of an equal hash. Where damage may pass unnoticed, values alone count. After both
    /// have ended their iteration, it compares the tables that they learnt from it, too.
    bool matches_reference(const Outcome& outcome) const;

private:
    const Plan& plan_;
    const Codec& codec_;
    ExchangeRanks ranks_;
    Damage damage_;
    ParallelFor parallel_;
    Reference reference_;
};

}   // namespace oscar

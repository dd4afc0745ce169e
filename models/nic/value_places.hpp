// Places of a rank's values while a collective goes on: GPU memory, or the memory of the NIC.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/collective/endpoint/plan.hpp"

namespace oscar {

/// Local values are in GPU memory, and what a NIC has received or added is in the NIC. Where GPUs have ports inside
/// islands, what such a port has received or added is in GPU memory, too: a NIC reads it from there, and what NICs have
/// received is written there before a port sends it on or adds to it. Where all is staged in GPU memory, a NIC keeps
/// nothing. All of this follows from the schedule.
class ValuePlaces {
public:
    /// `island`: so many neighbouring ranks are connected by ports of their own; 1: none are. `staged`: what NICs
    /// receive is in GPU memory. `plan` must outlive it.
    ValuePlaces(const Plan& plan, std::uint32_t island, bool staged = false);

    /// True if NICs write what they receive to GPU memory, where it is added, and read from there what they send.
    bool staged() const { return staged_; }

    /// True if some steps pass ports inside islands.
    bool two_tiers() const { return !tiers_.empty(); }
    Tier tier(StepId step) const { return tiers_.empty() ? Tier::between : tiers_[step.value]; }
    /// True if the NIC of a step's sender reads what it sends from GPU memory. Precondition: tier(step) is between.
    bool sent_from_memory(StepId step) const {
        if (staged_) return true;
        return tiers_.empty() ? plan_->addends(step) == 1 : uses_[step.value].sent_from_memory;
    }
    /// True if the NIC of a step's receiver reads the values that it adds the message to from GPU memory, and no NIC
    /// has added to them before. Precondition: two_tiers(), tier(step) is between, and the step adds.
    bool operand_in_memory(StepId step) const { return uses_[step.value].operand_in_memory; }
    /// True if what the NIC of a step's receiver then holds is written to GPU memory, for a port to use it there.
    bool goes_to_memory(StepId step) const { return staged_ || (!tiers_.empty() && uses_[step.value].goes_to_memory); }
    /// True if the sender of a step has the values from the other tier, or if kernels or DMA read what is sent from GPU
    /// memory: it does not hand on a message as it came. A switch has neither, and does.
    bool changes_side(StepId step) const {
        if (plan_->sender(step).value >= plan_->ranks) return false;
        return staged_ || (!tiers_.empty() && (tiers_[step.value] == Tier::inside || uses_[step.value].changes_side));
    }
    /// True if the GPU of a step's sender hands this message to its NIC: kernels have made what it sends, or all is
    /// staged in GPU memory. What NICs forward and add by themselves, they are told once.
    bool handed_over(StepId step) const { return tier(step) == Tier::between && changes_side(step); }
    /// Steps of the other tier that must be complete at a step's receiver before it can take in the step.
    std::span<const StepId> before(StepId step) const;

private:
    struct Use {
        bool sent_from_memory = false, operand_in_memory = false, goes_to_memory = false, changes_side = false;
        std::uint32_t first_before = 0, before = 0;   ///< in before_
    };
    struct Held;
    void follow(StepId step, std::vector<Held>& held);

    const Plan* plan_;
    bool staged_;
    std::vector<Tier> tiers_;
    std::vector<Use> uses_;   ///< per step, where there are two tiers
    std::vector<StepId> before_;
};

}   // namespace oscar

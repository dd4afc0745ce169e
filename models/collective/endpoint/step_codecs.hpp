// The codec of each step, where GPUs have ports of their own inside islands.
#pragma once

#include "models/codec/interface/codec.hpp"
#include "models/collective/endpoint/plan.hpp"

namespace oscar {

/// Steps between islands have the method's codec, and those inside an island another, of constant rate; or all have the
/// same.
class StepCodecs {
public:
    /// `inside`: null for the same. The arguments must outlive it.
    StepCodecs(const Plan& plan, const Codec& codec, const Codec* inside)
        : plan_(&plan), codec_(&codec), inside_(inside != nullptr ? inside : &codec) {}

    const Codec& of(StepId step) const { return plan_->tier(step) == Tier::inside ? *inside_ : *codec_; }
    /// True if tables have a part in the step, and are learnt from it.
    bool use_tables(StepId step) const { return &of(step) == codec_; }

private:
    const Plan* plan_;
    const Codec* codec_;
    const Codec* inside_;
};

}   // namespace oscar

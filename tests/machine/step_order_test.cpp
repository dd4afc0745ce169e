// When steps are issued in lock-step beside rounds that have none.
#include <gtest/gtest.h>

#include "models/collective/endpoint/synthetic_message_source.hpp"
#include "tests/machine/support.hpp"

namespace oscar::step_order_test {
namespace {

using test::Machine;
using test::readable;

/// A sum of two ranks in round 0, and its copy in a later one.
struct InTwoRounds {
    explicit InTwoRounds(std::uint32_t second) {
        Schedule schedule;
        schedule.ranks = 2;
        schedule.chunks = 1;
        schedule.steps = {{Rank{0}, Rank{1}, ChunkId{0}, Op::reduce, Timestep{0}},
                          {Rank{1}, Rank{0}, ChunkId{0}, Op::copy, Timestep{second}}};
        const StepId sum{0};
        schedule.steps[1].after = schedule.joins.add(std::span(&sum, 1));
        plan = std::make_unique<Plan>(schedule, ElementType::float32, 32);
    }
    Outcome run(Machine& machine) const {
        SyntheticMessageSource participants(*plan, *codec, layout);
        return machine.system().run({*plan, participants, Issue::lock_step, {}});
    }
    std::unique_ptr<Codec> codec = make_codec(Fp32Params{}, Framing{});
    std::unique_ptr<Plan> plan;
    ChunkLayout layout = make_layout(EqualParams{}, 64, {1, 1}, {});
};

TEST(RoundsWithoutSteps, ArePassedInLockStepAtNoTime) {
    Machine machine(readable());
    const Outcome close = InTwoRounds(1).run(machine), apart = InTwoRounds(4).run(machine);
    EXPECT_EQ(close.steps[1].issued, close.steps[0].ready);
    EXPECT_EQ(apart.steps[1].issued, apart.steps[0].ready);
    EXPECT_EQ(apart.duration(), close.duration());
}

}   // namespace
}   // namespace oscar::step_order_test

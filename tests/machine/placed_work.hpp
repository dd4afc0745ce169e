// Collectives without values, on chosen ranks of a machine.
#pragma once

#include <memory>
#include <vector>

#include "models/collective/algorithms/collectives.hpp"
#include "models/collective/endpoint/synthetic_message_source.hpp"
#include "models/machine/joint_job.hpp"
#include "tests/machine/support.hpp"

namespace oscar::test {

/// The ranks 0 .. n-1.
inline std::vector<Rank> first_ranks(std::uint32_t n) {
    std::vector<Rank> all;
    for (std::uint32_t r = 0; r < n; ++r) all.push_back({r});
    return all;
}

template <class T>
void shuffle(std::vector<T>& items, Draws& draw) {
    for (std::size_t i = items.size() - 1; i > 0; --i) std::swap(items[i], items[draw.between(0, i)]);
}

/// Rank r of the collective is `ranks[r]` of the machine.
struct CodingCost {
    CodingCost(const Collective& collective, std::vector<Rank> placed, std::uint32_t elements, const MachineSpec& spec,
               Time begin = {}, const CodecChoice& choice = FixedPointParams{})
        : ranks(std::move(placed)),
          issue(issue_of(collective)),
          start(begin),
          codec(make_codec(choice, spec.node.engine.framing())),
          plan(codec->uses_engine()
                   ? Plan(schedule_of(collective), ElementType::integer, 8, operation_of(collective))
                   : Plan(schedule_of(collective), ElementType::float32, 32, operation_of(collective))),
          layout(make_layout(EqualParams{}, elements, {plan.schedule.chunks, 1}, {})) {}
    Schedule schedule_of(const Collective& collective) const {
        return make_schedule(collective, static_cast<std::uint32_t>(ranks.size()));
    }
    PlacedCollective placed() { return {plan, fresh(), issue, ranks, start}; }
    MessageSource& fresh() { return *(participants = std::make_unique<SyntheticMessageSource>(plan, *codec, layout)); }

    std::vector<Rank> ranks;
    Issue issue;
    Time start;
    std::unique_ptr<Codec> codec;
    Plan plan;
    ChunkLayout layout;
    std::unique_ptr<SyntheticMessageSource> participants;   ///< who know what they have encoded: of one run
};

/// The schedule with rank r under the name `ranks[r]`; switches that add keep theirs.
inline Schedule renamed(Schedule schedule, const std::vector<Rank>& ranks) {
    for (Step& step : schedule.steps)
        for (Rank* end : {&step.from, &step.to})
            if (end->value < ranks.size()) *end = ranks[end->value];
    return schedule;
}

struct Ran {
    Outcome outcome;
    std::vector<PlacedOutcome> shares;
};

inline Ran run(Machine& machine, std::vector<PlacedCollective> collectives) {
    const JointJob joint(std::move(collectives), machine.topology().ranks);
    Ran ran{machine.system().run(joint.job()), {}};
    ran.shares = joint.shares_of(ran.outcome);
    return ran;
}

/// Each kind of the family, in lock-step or not, in channels if it has them, that so many ranks can do among
/// themselves. NCCL's, which is another of them, is left out.
inline std::vector<Collective> possible_collectives(Draws& draw, std::uint32_t ranks) {
    std::vector<Collective> possible;
    for_each_kind(collectives, [&]<class P>(const Kind<P>&) {
        if constexpr (std::is_same_v<P, NcclCollectiveParams>) return;
        P params;
        params.issue = draw.coin() ? Issue::lock_step : Issue::dependency;
        if constexpr (std::derived_from<P, ChannelledParams>) params.channels = draw.number(1, 3);
        try {
            if (make_schedule(params, ranks).aggregators == 0) possible.emplace_back(params);
        } catch (const std::invalid_argument&) {   // a grid or an island that does not fit
        }
    });
    return possible;
}

inline Collective random_collective(Draws& draw, std::uint32_t ranks) {
    const std::vector<Collective> possible = possible_collectives(draw, ranks);
    return possible[draw.between(0, possible.size() - 1)];
}

}   // namespace oscar::test

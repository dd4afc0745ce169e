#include "sim/run/iteration/chunk_choice.hpp"

#include <cmath>
#include <numeric>

#include "sim/run/iteration/value_costs.hpp"

namespace oscar {
namespace {

/// The costs that a rank knows from the iteration before alone; empty without one.
std::vector<std::uint32_t> costs_for_planner(const MethodSetting& setting, const RankState& rank_state,
                                             CostSource source, bool follows) {
    if (follows && source == CostSource::sums)
        return costs_of(setting, rank_state, rank_state.values().all(), rank_state.classes());
    if (follows && source == CostSource::measured) return rank_state.totals().totals()->costs(setting.elements);
    return {};
}

/// The boundaries of rank 0, by its own codes.
std::vector<ChunkLayout> layouts_of_leader(const MethodSetting& setting, Participants& set,
                                           const IterationCodes& codes) {
    const auto classes = set.classifiers.empty() ? std::span<const std::uint8_t>{} : set.classifiers.front().classes();
    const auto costs = costs_of(setting, set.rank_states.front(), codes.codes.front(), classes);
    return std::vector(set.rank_states.size(), set.planners.front().next(costs));
}

}   // namespace

bool cuts_by_own_codes(const Participants& participants) {
    return participants.planners.front().cost_source() == CostSource::rank0;
}

void choose_layouts(const MethodSetting& setting, ParticipantSets sets, bool follows, const IterationCodes& codes) {
    if (follows && cuts_by_own_codes(*sets.front())) {
        for (Participants* set : sets) set->layouts = layouts_of_leader(setting, *set, codes);
        return;
    }
    const RankState& first = sets.front()->rank_states.front();
    const ChunkPlanner before = sets.front()->planners.front();
    const CostSource source = before.cost_source();
    ChunkPlanner after = before;
    const ChunkLayout layout = after.next(costs_for_planner(setting, first, source, follows));
    for (Participants* set : sets) {
        set->layouts.resize(set->rank_states.size());
        setting.parallel(set->layouts.size(), [&](std::size_t r) {
            ChunkPlanner& planner = set->planners[r];
            const RankState& rank_state = set->rank_states[r];
            const bool same = planner.has_history_of(before) &&
                              (source == CostSource::none || equal_planner_inputs(rank_state, first));
            set->layouts[r] = same ? layout : planner.next(costs_for_planner(setting, rank_state, source, follows));
            if (same) planner = after;
        });
    }
}

std::optional<double> prediction_error(const Plan& plan, const ChunkPlanner& planner,
                                       std::span<const MessageRecord> records) {
    const auto& expected = planner.expected();
    if (expected.empty()) return std::nullopt;
    std::vector<double> coded(expected.size());
    for (std::uint32_t i = 0; i < plan.schedule.steps.size(); ++i)
        if (plan.final_sum(StepId{i}))
            coded[plan.schedule.steps[i].chunk.value] = static_cast<double>(records[i].bytes);
    const double all_expected = std::accumulate(expected.begin(), expected.end(), 0.0);
    const double all_coded = std::accumulate(coded.begin(), coded.end(), 0.0);
    if (all_expected == 0 || all_coded == 0) return std::nullopt;
    double error = 0;   // shares of the whole; their mean is 1 / chunks
    for (std::size_t c = 0; c < coded.size(); ++c)
        error += std::abs(static_cast<double>(expected[c]) / all_expected - coded[c] / all_coded);
    return error;
}

}   // namespace oscar

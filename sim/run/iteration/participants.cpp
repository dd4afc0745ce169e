#include "sim/run/iteration/participants.hpp"

#include <memory>
#include <optional>

#include "sim/parameters/method_setup.hpp"
#include "sim/parameters/roofline_of.hpp"

namespace oscar {
namespace {

/// A block travels on each step of its chunk. No codec spends more than this on a symbol: a row of probability 1/1024
/// and its offset, or Elias's code of a magnitude.
std::optional<BlockUnit> block_unit(const MethodSetting& setting, const ChunkKind& chunks) {
    const auto* params = std::get_if<MeasuredParams>(&chunks.params);
    if (params == nullptr || setting.codec->constant_rate()) return std::nullopt;
    const Schedule& schedule = setting.plan.schedule;
    const auto messages = static_cast<std::uint32_t>(schedule.steps.size() / schedule.chunks);
    return finest_unit(params->granularity, messages, 2 * setting.plan.final_width() + probability_bits);
}

}   // namespace

Participants::Participants(const MethodSetting& setting, const std::vector<Segment>& tensors) {
    const ChunkKind& chunks = chunks_of(setting.parameters, setting.method);
    const ChunkKind cut = setting.codec->constant_rate() ? ChunkKind(EqualParams{}) : chunks;
    const std::optional<BlockUnit> unit = block_unit(setting, chunks);
    const std::uint32_t floor =
        ridge_point(roofline_of(setting.parameters, setting.nodes, setting.plan), setting.parameters.ranks);
    for (std::uint32_t r = 0; r < setting.plan.schedule.participants(); ++r) {
        rank_states.emplace_back(setting.plan, *setting.codec, setting.classes, setting.inside.get());
        if (unit) rank_states.back().totals().count(*unit);
        planners.emplace_back(cut, setting.elements, setting.chunk_count(), floor);
        if (setting.by_class) classifiers.emplace_back(classes_of(setting.parameters, setting.method), tensors);
    }
}

void Participants::begin(const MethodSetting& setting, const IterationCodes& codes) {
    const std::vector<ElementClasses> of_ranks = classes();
    setting.parallel(rank_states.size(), [&](std::size_t r) {
        rank_states[r].begin(setting.words_of(codes, r), layouts[r], static_cast<std::uint8_t>(codes.position),
                             of_ranks[r]);
    });
}

void Participants::forget() {
    for (RankState& rank_state : rank_states) rank_state.tables().reset();
    for (ChunkPlanner& planner : planners) planner.reset();
    for (Classifier& classifier : classifiers) classifier.reset();
    layouts.clear();
}

void Participants::roll_back() {
    for (RankState& rank_state : rank_states) rank_state.tables().rollback();
}

/// [rank], shared where classifiers share what they remember; null without classifiers.
std::vector<ElementClasses> Participants::classes() const {
    std::vector<ElementClasses> of_ranks(rank_states.size());
    for (std::size_t r = 0; r < classifiers.size(); ++r) {
        const auto predicted = classifiers[r].classes();
        const bool shared = r > 0 && predicted.data() == classifiers[r - 1].classes().data();
        of_ranks[r] = shared ? of_ranks[r - 1]
                             : std::make_shared<const std::vector<std::uint8_t>>(predicted.begin(), predicted.end());
    }
    return of_ranks;
}

void commit(ParticipantSets sets, const ParallelFor& parallel) {
    std::vector<RankState*> rank_states;
    std::vector<Classifier*> learning;
    for (Participants* set : sets) {
        agree_on_tables(set->rank_states);
        for (RankState& rank_state : set->rank_states) rank_states.push_back(&rank_state);
        for (Classifier& classifier : set->classifiers) learning.push_back(&classifier);
        set->layouts.clear();
    }
    commit_each(rank_states, parallel);
    std::vector<std::span<const Symbol>> sums;
    sums.reserve(rank_states.size());
    for (const RankState* rank_state : rank_states) sums.push_back(rank_state->values().all());
    observe_each(learning, sums);
}

}   // namespace oscar

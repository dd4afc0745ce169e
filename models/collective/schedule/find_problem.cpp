#include "models/collective/schedule/find_problem.hpp"

#include <algorithm>
#include <map>

#include "models/collective/schedule/holdings.hpp"
#include "models/collective/schedule/repeats.hpp"

namespace oscar {
namespace {

using Set = Holdings::Set;
using Reason = std::optional<std::string>;

std::string at(const Schedule& schedule, StepId id) {
    const Step& step = schedule.steps[id.value];
    return "step " + std::to_string(id.value) + " (timestep " + std::to_string(step.timestep.value) + ", rank " +
           std::to_string(step.from.value) + " to " + std::to_string(step.to.value) + ", chunk " +
           std::to_string(step.chunk.value) + ")";
}

Reason find_form_problem(const Schedule& schedule) {
    for (std::uint32_t i = 0; i < schedule.steps.size(); ++i) {
        const Step& step = schedule.steps[i];
        const std::string here = at(schedule, StepId{i});
        if (step.from.value >= schedule.participants() || step.to.value >= schedule.participants())
            return here + ": no such rank";
        if (step.from == step.to) return here + ": sends to itself";
        if (step.chunk.value >= schedule.chunks) return here + ": no such chunk";
        for (const StepId before : schedule.after(StepId{i})) {
            if (before.value >= i) return here + ": depends on a later step " + std::to_string(before.value);
            if (schedule.steps[before.value].timestep >= step.timestep)
                return here + ": depends on step " + std::to_string(before.value) + " of no earlier timestep";
        }
    }
    return std::nullopt;
}

/// What has happened to one chunk so far, as sets of its steps.
class ChunkHistory {
public:
    ChunkHistory(const Schedule& schedule, std::span<const StepId> steps)
        : schedule_(schedule), steps_(steps), before_(steps.size(), Set(steps.size())) {
        for (std::uint32_t i = 0; i < steps.size(); ++i) position_[steps[i].value] = i;
    }

    /// Performs step number i of the chunk; the first step that it ought to follow and does not. `repeated`: its
    /// receiver has the same values already, so that others may read them before or after.
    std::optional<StepId> add(std::uint32_t i, bool repeated) {
        const Step& step = schedule_.steps[steps_[i].value];
        const Set& before = before_[i] = completed(step.after);
        Touched &source = touched(step.from), &target = touched(step.to);
        Set required = source.adds | source.copies | target.copies;
        if (!repeated) required |= target.reads;
        if (step.op == Op::copy) required |= target.adds;
        source.reads.set(i);
        (step.op == Op::copy ? target.copies : target.adds).set(i);
        const auto missing = (required - before).find_first();
        return missing == Set::npos ? std::nullopt : std::optional(steps_[missing]);
    }

private:
    struct Touched {
        Set reads, adds, copies;   ///< steps that did it to the chunk at one rank
    };
    Touched& touched(Rank rank) {
        const Set none(steps_.size());
        return touched_.try_emplace(rank, Touched{none, none, none}).first->second;
    }
    /// The steps of the chunk that have certainly completed when all of a join have.
    const Set& completed(JoinId join) {
        const auto [entry, fresh] = completed_.try_emplace(join, Set(steps_.size()));
        if (fresh)
            for (const StepId id : schedule_.joins[join])
                if (const auto found = position_.find(id.value); found != position_.end()) {
                    entry->second |= before_[found->second];
                    entry->second.set(found->second);
                }
        return entry->second;
    }

    const Schedule& schedule_;
    std::span<const StepId> steps_;
    std::vector<Set> before_;                           ///< per step of the chunk, those that it follows
    std::map<std::uint32_t, std::uint32_t> position_;   ///< of a step among the chunk's steps
    std::map<JoinId, Set> completed_;
    std::map<Rank, Touched> touched_;
};

Reason find_race(const Schedule& schedule, const std::vector<bool>& repeated, std::span<const StepId> steps) {
    ChunkHistory history(schedule, steps);
    for (std::uint32_t i = 0; i < steps.size(); ++i)
        if (const auto other = history.add(i, repeated[steps[i].value]))
            return at(schedule, steps[i]) + " is not ordered after " + at(schedule, *other);
    return std::nullopt;
}

Reason find_table_problem(const Postcondition& postcondition, const Set& held, Rank rank, ChunkId chunk) {
    const std::string here = "rank " + std::to_string(rank.value) + " ends with chunk " + std::to_string(chunk.value);
    if (postcondition.content == Postcondition::Content::sum && !held.all())
        return here + " summed over " + std::to_string(held.count()) + " of " + std::to_string(held.size()) + " ranks";
    if (postcondition.content == Postcondition::Content::copy &&
        !(held.count() == 1 && held.test(postcondition.of.value)))
        return here + " of other ranks than rank " + std::to_string(postcondition.of.value);
    return std::nullopt;
}

Reason find_outcome_problem(Operation operation, const Schedule& schedule, ChunkId chunk, Holdings& holdings,
                            std::span<const StepId> steps) {
    for (const StepId id : steps)
        if (!holdings.apply(schedule.steps[id.value])) return at(schedule, id) + " adds a contribution a second time";
    for (std::uint32_t r = 0; r < schedule.ranks; ++r)
        if (auto reason = find_table_problem(postcondition(operation, schedule.ranks, Rank{r}, chunk, schedule.group),
                                             holdings.of(Rank{r}), Rank{r}, chunk))
            return reason;
    holdings.forget(schedule, steps);
    return std::nullopt;
}

/// Where there is scratch, no order changes anything: a sum is what its join says, and a step waits for it.
class SumsOfScratch {
public:
    SumsOfScratch(Operation operation, const Schedule& schedule) : operation_(operation), schedule_(schedule) {}
    Reason find_problem() {
        for (std::uint32_t i = 0; i < schedule_.steps.size(); ++i) {
            const Step& step = schedule_.steps[i];
            auto sum = sum_of(step.after, step.from, step.chunk);
            if (!sum) return at(schedule_, StepId{i}) + problem_;
            carried_.push_back(std::move(*sum));
        }
        for (std::uint32_t r = 0; r < schedule_.ranks; ++r)
            for (std::uint32_t c = 0; c < schedule_.chunks; ++c)
                if (auto reason = find_problem_of_result(Rank{r}, ChunkId{c})) return reason;
        return std::nullopt;
    }

private:
    Reason find_problem_of_result(Rank rank, ChunkId chunk) {
        const JoinId result = schedule_.scratch->results[std::size_t{rank.value} * schedule_.chunks + chunk.value];
        const auto held = sum_of(result, rank, chunk);
        if (!held) return "the result of rank " + std::to_string(rank.value) + problem_;
        return find_table_problem(postcondition(operation_, schedule_.ranks, rank, chunk, schedule_.group), *held, rank,
                                  chunk);
    }
    /// Nothing, and the problem, if a rank does not have these addends, or has a contribution twice.
    std::optional<Set> sum_of(JoinId join, Rank rank, ChunkId chunk) {
        Set sum(schedule_.ranks);
        if (!schedule_.scratch->without_own[join.value]) sum.set(rank.value);
        for (const StepId id : schedule_.joins[join]) {
            const Step& step = schedule_.steps[id.value];
            problem_ = step.to != rank || step.chunk != chunk ? " uses what it does not have: " + at(schedule_, id)
                                                              : " adds a contribution a second time";
            if (step.to != rank || step.chunk != chunk || sum.intersects(carried_[id.value])) return std::nullopt;
            sum |= carried_[id.value];
        }
        return sum;
    }

    Operation operation_;
    const Schedule& schedule_;
    std::vector<Set> carried_;   ///< per step: whose contributions
    std::string problem_;
};

}   // namespace

Reason find_problem(Operation operation, const Schedule& schedule) {
    if (auto reason = find_form_problem(schedule)) return reason;
    if (schedule.scratch) return SumsOfScratch(operation, schedule).find_problem();
    const StepsByChunk by_chunk(schedule);
    const std::vector<bool> repeated = repeated_copies(schedule, by_chunk);
    Holdings holdings(schedule);
    for (std::uint32_t c = 0; c < schedule.chunks; ++c) {
        const auto steps = by_chunk.of(ChunkId{c});
        if (auto reason = find_race(schedule, repeated, steps)) return reason;
        if (auto reason = find_outcome_problem(operation, schedule, ChunkId{c}, holdings, steps)) return reason;
    }
    return std::nullopt;
}

}   // namespace oscar

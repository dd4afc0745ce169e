#include "models/collective/schedule.hpp"

#include <algorithm>

#include <boost/dynamic_bitset.hpp>

namespace oscar {
namespace {

using Set = boost::dynamic_bitset<>;

std::string at(const Schedule& schedule, std::size_t i) {
    const Step& step = schedule.steps[i];
    return "step " + std::to_string(i) + " (timestep " + std::to_string(step.timestep.value) + ", rank " +
           std::to_string(step.from.value) + " to " + std::to_string(step.to.value) + ", chunk " +
           std::to_string(step.chunk.value) + ")";
}

std::optional<std::string> why_not_well_formed(const Schedule& schedule) {
    for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
        const Step& step = schedule.steps[i];
        if (step.from.value >= schedule.ranks || step.to.value >= schedule.ranks)
            return at(schedule, i) + ": no such rank";
        if (step.from == step.to) return at(schedule, i) + ": sends to itself";
        if (step.chunk.value >= schedule.chunks) return at(schedule, i) + ": no such chunk";
        for (const StepId before : step.after) {
            if (before.value >= i) return at(schedule, i) + ": depends on a later step " + std::to_string(before.value);
            if (schedule.steps[before.value].timestep >= step.timestep)
                return at(schedule, i) + ": depends on step " + std::to_string(before.value) +
                       " of no earlier timestep";
        }
    }
    return std::nullopt;
}

/// Per step, the steps that have certainly completed before it starts.
std::vector<Set> happens_before(const Schedule& schedule) {
    std::vector<Set> before(schedule.steps.size(), Set(schedule.steps.size()));
    for (std::size_t i = 0; i < schedule.steps.size(); ++i)
        for (const StepId j : schedule.steps[i].after) {
            before[i] |= before[j.value];
            before[i].set(j.value);
        }
    return before;
}

/// Two steps that touch the same chunk at the same rank, one of them writing, must be ordered.
std::optional<std::string> why_not_race_free(const Schedule& schedule) {
    const auto before = happens_before(schedule);
    std::vector<std::vector<std::size_t>> by_chunk(schedule.chunks);
    for (std::size_t i = 0; i < schedule.steps.size(); ++i) by_chunk[schedule.steps[i].chunk.value].push_back(i);
    for (const auto& steps : by_chunk)
        for (std::size_t a = 0; a < steps.size(); ++a)
            for (std::size_t b = a + 1; b < steps.size(); ++b) {
                const Step &first = schedule.steps[steps[a]], &second = schedule.steps[steps[b]];
                const bool conflict = first.to == second.to || first.to == second.from || first.from == second.to;
                if (conflict && !before[steps[b]].test(steps[a]))
                    return at(schedule, steps[b]) + " is not ordered after " + at(schedule, steps[a]);
            }
    return std::nullopt;
}

/// Which ranks' contributions each (rank, chunk) holds.
class Holdings {
public:
    explicit Holdings(const Schedule& schedule) : chunks_(schedule.chunks) {
        held_.assign(std::size_t{schedule.ranks} * schedule.chunks, Set(schedule.ranks));
        for (std::uint32_t r = 0; r < schedule.ranks; ++r)
            for (std::uint32_t c = 0; c < chunks_; ++c) held(Rank{r}, ChunkId{c}).set(r);
    }
    Set& held(Rank rank, ChunkId chunk) { return held_[std::size_t{rank.value} * chunks_ + chunk.value]; }

    /// Performs a step; false if it would add a contribution twice.
    bool apply(const Step& step) {
        const Set& source = held(step.from, step.chunk);
        Set& target = held(step.to, step.chunk);
        if (step.op == Op::copy) {
            target = source;
            return true;
        }
        const bool disjoint = !source.intersects(target);
        target |= source;
        return disjoint;
    }

private:
    std::uint32_t chunks_;
    std::vector<Set> held_;
};

}   // namespace

std::uint32_t Schedule::timesteps() const {
    std::uint32_t count = 0;
    for (const Step& step : steps) count = std::max(count, step.timestep.value + 1);
    return count;
}

std::optional<std::string> why_not_all_reduce(const Schedule& schedule) {
    if (auto reason = why_not_well_formed(schedule)) return reason;
    if (auto reason = why_not_race_free(schedule)) return reason;
    Holdings holdings(schedule);
    for (std::size_t i = 0; i < schedule.steps.size(); ++i)
        if (!holdings.apply(schedule.steps[i])) return at(schedule, i) + " adds a contribution a second time";
    for (std::uint32_t r = 0; r < schedule.ranks; ++r)
        for (std::uint32_t c = 0; c < schedule.chunks; ++c)
            if (const Set& held = holdings.held(Rank{r}, ChunkId{c}); !held.all())
                return "rank " + std::to_string(r) + " ends with chunk " + std::to_string(c) + " summed over " +
                       std::to_string(held.count()) + " of " + std::to_string(schedule.ranks) + " ranks";
    return std::nullopt;
}

std::vector<Contributions> contributions(const Schedule& schedule) {
    Holdings holdings(schedule);
    std::vector<Contributions> result;
    result.reserve(schedule.steps.size());
    for (const Step& step : schedule.steps) {
        const auto carried = holdings.held(step.from, step.chunk).count();
        holdings.apply(step);
        result.push_back({static_cast<std::uint32_t>(carried),
                          static_cast<std::uint32_t>(holdings.held(step.to, step.chunk).count())});
    }
    return result;
}

}   // namespace oscar

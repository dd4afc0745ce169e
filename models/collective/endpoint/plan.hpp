// Plan of a collective: the constant data that all its participants share.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/codec/interface/element_type.hpp"
#include "models/collective/schedule/contributions.hpp"
#include "models/collective/schedule/delta_gather.hpp"
#include "models/collective/schedule/operation.hpp"
#include "models/collective/schedule/schedule.hpp"
#include "models/collective/schedule/tiers.hpp"

namespace oscar {

struct Plan {
    /// How often the number of the ranks that are simulated was taken from that of a step's sender and receiver.
    struct Turns {
        std::uint32_t from = 0, to = 0;
    };

    Schedule schedule;
    std::uint32_t ranks = 0;         ///< of the collective; the schedule has fewer where they are folded
    std::vector<Turns> turns = {};   ///< per step, where ranks are folded; empty elsewhere
    /// Per rank of a machine that has more, its number in the collective; empty: the machine's ranks are its own.
    std::vector<std::uint32_t> numbers = {};
    Operation operation = Operation::all_reduce;
    ContributionsOfSteps contributions;
    /// Per step that carries a delta, its base: the earlier step in which its two ranks exchanged a partial sum of the
    /// chunk (delta_gather.hpp).
    DeltaBases delta_base;
    std::vector<bool> is_delta_base;    ///< per step, whether it is the base of a later delta
    std::vector<Tier> tiers;            ///< per step, where there are two tiers; empty: all are between islands
    std::vector<StepId> origin;         ///< per step, the step whose message it may hand on as it came
    std::vector<JoinId> relayed;        ///< per step, the join of it alone, or 0; empty, where there is no scratch
    std::vector<bool> repeated;         ///< per step, whether its receiver has these values already
    std::vector<bool> message_reused;   ///< per step, whether its sender sends the message in other steps too
    NarrowVector addition;              ///< per step that adds: how many did before to the same place
    ElementType element_type = ElementType::integer;
    std::uint32_t bits = 32;                   ///< width of one rank's value; sums of integers widen
    std::vector<std::uint32_t> partial_sums;   ///< of how many ranks some step carries the sum, ascending, but of all
    std::vector<std::uint32_t> final_hops;     ///< per chunk, the steps that carry its final values

    /// `delta_gather`: a step sends only the difference from a partial sum that both its ends hold. Floats, whose
    /// differences are not exact, are sent whole, and so are sums of scratch. `island`: so many neighbouring ranks
    /// reach each other by ports of their own; 1: none do.
    Plan(Schedule schedule, ElementType element_type, std::uint32_t bits, Operation operation = Operation::all_reduce,
         bool delta_gather = false, std::uint32_t island = 1);
    /// Folds the ranks: rank r's steps become those of rank r mod `simulated`. Of a part of a schedule (make_part),
    /// each rank that is left then does what it does in the whole.
    void fold(std::uint32_t simulated);
    /// Gives the collective the ranks of a machine that has `machine_ranks`: rank r becomes `ranks[r]`. Precondition:
    /// no switches add, ranks are not folded, and there are no tiers.
    void place(std::span<const Rank> ranks, std::uint32_t machine_ranks);
    /// The sender and the receiver of a step as the collective numbers them, before ranks were folded.
    Rank sender(StepId step) const { return unfolded(schedule.steps[step.value].from, &Turns::from, step); }
    Rank receiver(StepId step) const { return unfolded(schedule.steps[step.value].to, &Turns::to, step); }
    /// A step's chunk as its sender and as its receiver know it: folded ranks have one for each rank that they are.
    ChunkId sent_chunk(StepId step) const { return own_chunk(&Turns::from, step); }
    ChunkId taken_chunk(StepId step) const { return own_chunk(&Turns::to, step); }

    /// Whether a step passes NICs, or the ports of GPUs inside an island.
    Tier tier(StepId step) const { return tiers.empty() ? Tier::between : tiers[step.value]; }
    /// The contents that a rank may have messages of: chunks as they are, or where there is scratch its own values of
    /// each and the sums of joins.
    std::size_t contents() const;
    /// The number of the content that a step carries.
    std::size_t carried_content(StepId step) const;
    /// That which it brings as a whole; none, where there is scratch and nobody passes it on.
    std::optional<std::size_t> taken_content(StepId step) const;
    /// The number of ranks whose sum a step carries.
    std::uint32_t addends(StepId step) const;
    /// Width of a step's symbols in bits: bits + ceil(log2 of the ranks summed) for integers, else `bits`.
    std::uint32_t width(StepId step) const;
    /// Width of the final values in bits, by the same rule; `bits` where the operation sums nothing.
    std::uint32_t final_width() const;
    /// True if all ranks end with the same values everywhere: ends_alike() of the operation, and no groups.
    bool ends_alike() const;
    /// True if a step carries values that all ranks end with.
    bool final_sum(StepId step) const;
    /// True if the receiver of a step then holds final values. A delta is not final itself, but makes them final.
    bool completes(StepId step) const;
    /// True if the receiver adds the message to its values, and must decode it before a step that depends on it.
    bool adds(StepId step) const { return schedule.steps[step.value].op == Op::reduce || delta_base[step.value]; }
    /// True if it adds to values that must be read first: no step has added to them before, or a delta is passed on
    /// with them.
    bool adds_first(StepId step) const;

private:
    /// Takes the schedule, of which `by_chunk` was made.
    Plan(const StepsByChunk& by_chunk, Schedule& schedule, ElementType element_type, std::uint32_t bits,
         Operation operation, bool delta_gather, std::uint32_t island);
    Rank unfolded(Rank rank, std::uint32_t Turns::*end, StepId step) const {
        if (!numbers.empty()) return {numbers[rank.value]};
        return turns.empty() ? rank : Rank{turns[step.value].*end * schedule.ranks + rank.value};
    }
    ChunkId own_chunk(std::uint32_t Turns::*end, StepId step) const {
        const ChunkId chunk = schedule.steps[step.value].chunk;
        return turns.empty() ? chunk : ChunkId{turns[step.value].*end * schedule.chunks + chunk.value};
    }
};

}   // namespace oscar

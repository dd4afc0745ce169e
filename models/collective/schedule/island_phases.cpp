#include "models/collective/schedule/island_phases.hpp"

#include <utility>

namespace oscar {

IslandPhases::IslandPhases(ScheduleBuilder builder, const IslandGrid& grid, const IslandChunks& chunks,
                           std::uint32_t slices)
    : builder_(std::move(builder)), grid_(grid), chunks_(chunks), slices_(slices) {}

void IslandPhases::reduce_inside(bool by_switches) {
    if (grid_.island == 1) return;
    if (by_switches) add_in_switches();
    else inside(direct_reduce_scatter, chunks_.shift + grid_.islands - 1);
}

void IslandPhases::gather_inside(bool by_switches) {
    if (grid_.island == 1) return;
    if (by_switches) copy_in_switches();
    else inside(direct_all_gather, chunks_.shift);
}

void IslandPhases::ring_in_groups(Op op) {
    const std::int64_t shift = std::int64_t{chunks_.shift} - (op == Op::reduce ? 1 : 0);
    for (std::uint32_t s = 0; s + 1 < grid_.islands; ++s, ++timestep_)
        for (std::uint32_t slice = 0; slice < slices_; ++slice)
            for (std::uint32_t group = 0; group < grid_.groups; ++group)
                for (std::uint32_t i = 0; i < grid_.island; ++i)
                    ring_round(builder_, ranks_from(group * grid_.of_a_group() + i, grid_.island, grid_.islands),
                               {.first = slice * of_a_slice() + i * chunks_.part,
                                .size = chunks_.copies,
                                .stride = chunks_.of_island,
                                .chunk_stride = chunks_.of_copy},
                               shift - s, op, timestep_);
}

void IslandPhases::all_reduce_across_groups() {
    for (const Op op : {Op::reduce, Op::copy})
        for (std::uint32_t s = 0; s + 1 < grid_.groups; ++s, ++timestep_)
            for (std::uint32_t slice = 0; slice < slices_; ++slice)
                for (std::uint32_t rank = 0; rank < grid_.of_a_group(); ++rank)
                    ring_round(builder_, ranks_from(rank, grid_.of_a_group(), grid_.groups),
                               {.first = slice * of_a_slice() + rank, .stride = chunks_.of_copy},
                               (op == Op::reduce ? 0 : 1) - std::int64_t{s}, op, timestep_);
}

/// Of a part of `island`, counted from 0 over all groups: the chunk that the next phase sends first, or the one before
/// brought first.
std::uint32_t IslandPhases::first_in(std::uint32_t island, std::uint32_t shift) const {
    const std::uint32_t group = island / grid_.islands, in_group = island % grid_.islands;
    return (chunks_.copies > 1 ? group * grid_.islands : 0) + (in_group + shift) % grid_.islands;
}

void IslandPhases::inside(auto exchange, std::uint32_t shift) {
    for (std::uint32_t slice = 0; slice < slices_; ++slice)
        for (std::uint32_t w = 0; w < grid_.islands * grid_.groups && builder_.takes(Rank{w * grid_.island}); ++w)
            exchange(builder_, ranks_from(w * grid_.island, 1, grid_.island),
                     Parts{slice * of_a_slice(), of_a_part(), first_in(w, shift), chunks_.part, chunks_.of_island},
                     timestep_);
    ++timestep_;
}

/// Calls f(island, owner, chunk) for each chunk of each island, which `owner` sums up, in a timestep of its own. The
/// parts of an island take turns, each in the order of inside().
void IslandPhases::in_switches(std::uint32_t shift, auto f) {
    for (std::uint32_t slice = 0; slice < slices_; ++slice)
        for (std::uint32_t w = 0; w < grid_.islands * grid_.groups; ++w)
            for (std::uint32_t k = 0; k < of_a_part(); ++k)
                for (std::uint32_t part = 0; part < grid_.island; ++part) {
                    const std::uint32_t in_part = (first_in(w, shift) + of_a_part() - k) % of_a_part();
                    f(w, Rank{w * grid_.island + part},
                      ChunkId{slice * of_a_slice() + part * chunks_.part + in_part * chunks_.of_island});
                }
    ++timestep_;
}

/// Calls f(member) for the ranks of an island.
void IslandPhases::for_each_member(std::uint32_t island, auto f) const {
    for (const Rank member : ranks_from(island * grid_.island, 1, grid_.island)) f(member);
}

void IslandPhases::add_in_switches() {
    const std::uint32_t shift = chunks_.shift + grid_.islands - 1;
    in_switches(shift, [this](std::uint32_t at, Rank owner, ChunkId chunk) {
        for_each_member(at, [&](Rank member) {
            if (member != owner) builder_.send(member, switch_of(at), chunk, Op::reduce, timestep_);
        });
    });
    in_switches(shift, [this](std::uint32_t at, Rank owner, ChunkId chunk) {
        builder_.send(switch_of(at), owner, chunk, Op::reduce, timestep_);
    });
}

void IslandPhases::copy_in_switches() {
    in_switches(chunks_.shift, [this](std::uint32_t at, Rank owner, ChunkId chunk) {
        builder_.send(owner, switch_of(at), chunk, Op::copy, timestep_);
    });
    in_switches(chunks_.shift, [this](std::uint32_t at, Rank, ChunkId chunk) {
        for_each_member(at, [&](Rank member) { builder_.send(switch_of(at), member, chunk, Op::copy, timestep_); });
    });
}

}   // namespace oscar

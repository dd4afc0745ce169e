#include "models/collective/algorithms/hierarchical.hpp"

#include <numeric>
#include <stdexcept>
#include <string>

#include "models/collective/schedule/phases.hpp"

namespace oscar {
namespace {

constexpr std::uint32_t largest_island = 8;   // GPUs of a usual server

/// Hierarchical: `island` ranks each, in `islands` of them.
class Hierarchy {
public:
    Hierarchy(ScheduleBuilder builder, const HierarchicalParams& params, std::uint32_t ranks)
        : builder_(std::move(builder)),
          slices_(params.slices),
          ranks_(ranks),
          island_(island_of(params, ranks, 1)),
          islands_(ranks / island_) {}

    Schedule make(bool by_switches) && {
        if (by_switches) add_in_switches();
        else inside(direct_reduce_scatter, 0);
        across(Op::reduce);
        across(Op::copy);
        if (by_switches) copy_in_switches();
        else inside(direct_all_gather, 1);
        return std::move(builder_).finish();
    }

private:
    /// Each island in the order in which its ring sends the chunks, or has received them.
    void inside(auto exchange, std::uint32_t first) {
        if (island_ == 1) return;
        for (std::uint32_t slice = 0; slice < slices_; ++slice)
            for (std::uint32_t i = 0; i < islands_ && builder_.takes(Rank{i * island_}); ++i)
                exchange(builder_, ranks_from(i * island_, 1, island_),
                         Parts{slice * ranks_, islands_, (i + first) % islands_}, timestep_);
        ++timestep_;
    }
    void across(Op op) {
        for (std::uint32_t s = 0; s + 1 < islands_; ++s, ++timestep_)
            for (std::uint32_t slice = 0; slice < slices_; ++slice)
                for (std::uint32_t i = 0; i < island_; ++i)
                    ring_round(builder_, ranks_from(i, island_, islands_), {slice * ranks_ + i * islands_},
                               (op == Op::reduce ? 0 : 1) - std::int64_t{s}, op, timestep_);
    }

    /// Calls f(switch, owner, chunk) for each chunk of each island, which `owner` sums up, in a timestep of its own.
    /// The parts of an island take turns, each in the order of inside().
    void in_switches(std::uint32_t first, auto f) {
        for (std::uint32_t slice = 0; slice < slices_; ++slice)
            for (std::uint32_t i = 0; i < islands_; ++i)
                for (std::uint32_t k = 0; k < islands_; ++k)
                    for (std::uint32_t part = 0; part < island_; ++part)
                        f(Rank{ranks_ + i}, Rank{i * island_ + part},
                          ChunkId{slice * ranks_ + part * islands_ + (i + first + islands_ - k) % islands_});
        ++timestep_;
    }
    /// Calls f(member) for the ranks on an island's switch.
    void for_each_member(Rank island_switch, auto f) const {
        for (const Rank member : ranks_from((island_switch.value - ranks_) * island_, 1, island_)) f(member);
    }
    void add_in_switches() {
        in_switches(0, [this](Rank at, Rank owner, ChunkId chunk) {
            for_each_member(at, [&](Rank member) {
                if (member != owner) builder_.send(member, at, chunk, Op::reduce, timestep_);
            });
        });
        in_switches(
            0, [this](Rank at, Rank owner, ChunkId chunk) { builder_.send(at, owner, chunk, Op::reduce, timestep_); });
    }
    void copy_in_switches() {
        in_switches(
            1, [this](Rank at, Rank owner, ChunkId chunk) { builder_.send(owner, at, chunk, Op::copy, timestep_); });
        in_switches(1, [this](Rank at, Rank, ChunkId chunk) {
            for_each_member(at, [&](Rank member) { builder_.send(at, member, chunk, Op::copy, timestep_); });
        });
    }

    ScheduleBuilder builder_;
    std::uint32_t slices_, ranks_, island_, islands_, timestep_ = 0;
};

}   // namespace

/// A common divisor of the ranks and of an island's has no island of the collective on two of the machine.
std::uint32_t island_of(const HierarchicalParams& params, std::uint32_t ranks, std::uint32_t of_machine) {
    if (params.island == 0)
        return of_machine > 1 ? std::gcd(ranks, of_machine) : largest_divisor(ranks, largest_island);
    if (ranks % params.island != 0)
        throw std::invalid_argument("island: " + std::to_string(params.island) + " does not divide " +
                                    std::to_string(ranks) + " ranks; choose a divisor, or 0");
    return params.island;
}

HierarchicalParams on_islands(HierarchicalParams params, std::uint32_t ranks, std::uint32_t of_machine) {
    params.island = island_of(params, ranks, of_machine);
    return params;
}

std::uint32_t switches_of(const HierarchicalParams& params, std::uint32_t ranks, std::uint32_t of_machine) {
    if (params.inside == InsideIsland::ranks) return 0;
    const std::uint32_t island = island_of(params, ranks, of_machine);
    return island > 1 ? ranks / island : 0;
}

Schedule make_schedule(const HierarchicalParams& params, std::uint32_t ranks) {
    const std::uint32_t switches = switches_of(params, ranks, 1);
    Schedule schedule =
        Hierarchy(ScheduleBuilder(ranks, ranks * params.slices, switches), params, ranks).make(switches > 0);
    schedule.island_switches = switches > 0;
    return schedule;
}

Schedule make_part(const HierarchicalParams& params, std::uint32_t ranks, std::uint32_t turn) {
    const std::uint32_t g = island_of(params, ranks, 1);
    const Rotation rotation{turn, turn / g, ranks / g};
    return Hierarchy(ScheduleBuilder(ranks, ranks * params.slices, rotation), params, ranks).make(false);
}

}   // namespace oscar

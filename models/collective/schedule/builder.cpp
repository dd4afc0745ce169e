#include "models/collective/schedule/builder.hpp"

#include <algorithm>

namespace oscar {

ScheduleBuilder::ScheduleBuilder(std::uint32_t ranks, std::uint32_t chunks, std::uint32_t aggregators)
    : schedule_{ranks, chunks, {}, {}, aggregators}, places_(std::size_t{schedule_.participants()} * chunks) {}

ScheduleBuilder::ScheduleBuilder(std::uint32_t ranks, std::uint32_t chunks, const Rotation& rotation)
    : ScheduleBuilder(ranks, chunks / rotation.cycle * rotation.chunks) {
    rotation_ = rotation;
}

JoinId ScheduleBuilder::join(Place& place) {
    if (place.join) return *place.join;
    members_.clear();
    for (std::uint32_t step = place.last; step != none; step = earlier_[step]) members_.push_back(StepId{step});
    std::ranges::reverse(members_);
    place.join = schedule_.joins.add(members_);
    return *place.join;
}

void ScheduleBuilder::send(Rank from, Rank to, ChunkId chunk, Op op, std::uint32_t timestep) {
    if (!takes(from)) return;
    if (!rotation_) return append(from, to, chunk, op, timestep);
    const Rotation& turn = *rotation_;
    const std::uint32_t in_cycle = chunk.value % turn.cycle,
                        turns = (turn.cycle - in_cycle / turn.chunks * turn.chunks) % turn.cycle / turn.chunks;
    const auto turned = [&](Rank rank) {
        return Rank{static_cast<std::uint32_t>((rank.value + std::uint64_t{turns} * turn.ranks) % schedule_.ranks)};
    };
    append(turned(from), turned(to), ChunkId{chunk.value / turn.cycle * turn.chunks + in_cycle % turn.chunks}, op,
           timestep);
}

void ScheduleBuilder::append(Rank from, Rank to, ChunkId chunk, Op op, std::uint32_t timestep) {
    const JoinId after = join(place(from, chunk));
    Place& target = place(to, chunk);
    earlier_.push_back(op == Op::copy ? none : target.last);
    target = {static_cast<std::uint32_t>(schedule_.steps.size()), std::nullopt};
    schedule_.steps.push_back({from, to, chunk, op, Timestep{timestep}, after});
}

}   // namespace oscar

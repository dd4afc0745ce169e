// Phases that collectives are composed of: ring rounds and direct exchange among some of the ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/collective/schedule/builder.hpp"

namespace oscar {

/// A bucket, or what is left of one, in parts of `size` chunks each: part p begins with chunk first + p stride, and has
/// every `chunk_stride`-th from there on. A part is sent in the order of its chunks, or from chunk `begin` of it
/// downwards and around.
struct Parts {
    std::uint32_t first = 0, size = 1;
    std::optional<std::uint32_t> begin = {};
    std::uint32_t stride = size, chunk_stride = 1;
};

/// One timestep of a ring of `members` m, m parts: position p sends part (p + shift) mod m to position p+1.
/// Rounds s = 0 .. m-2 with shift = start - s are a reduce-scatter, at whose end position p holds part (p + 1 + start)
/// mod m, or an all-gather of parts, of which position p had part (p + start) mod m.
void ring_round(ScheduleBuilder& builder, std::span<const Rank> members, Parts parts, std::int64_t shift, Op op,
                std::uint32_t timestep);

/// Everybody sends part j to position j, which adds them up. A sender begins with its successor, so that they do not
/// all send to the same.
void direct_reduce_scatter(ScheduleBuilder& builder, std::span<const Rank> members, Parts parts,
                           std::uint32_t timestep);
/// Position j sends part j to everybody.
void direct_all_gather(ScheduleBuilder& builder, std::span<const Rank> members, Parts parts, std::uint32_t timestep);

/// `count` ranks: first, first + stride, ...
std::vector<Rank> ranks_from(std::uint32_t first, std::uint32_t stride, std::uint32_t count);

/// The largest divisor of n that is at most `most`, which is at least 1.
std::uint32_t largest_divisor(std::uint32_t n, std::uint32_t most);

}   // namespace oscar

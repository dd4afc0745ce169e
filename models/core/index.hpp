// Typed indices, so that a rank is never mistaken for a chunk.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace oscar {

/// An index into one kind of thing; `Tag` only keeps the kinds apart.
template <class Tag>
struct Index {
    std::uint32_t value = 0;
    friend constexpr auto operator<=>(Index, Index) = default;
};

using Rank = Index<struct RankTag>;           ///< a participant of the collective, 0 .. ranks-1
using ChunkId = Index<struct ChunkTag>;       ///< a part of the bucket that travels as one message
using StepId = Index<struct StepTag>;         ///< a position in Schedule::steps
using Timestep = Index<struct TimestepTag>;   ///< a lock-step round of the collective

}   // namespace oscar

template <class Tag>
struct std::hash<oscar::Index<Tag>> {
    std::size_t operator()(oscar::Index<Tag> index) const noexcept { return index.value; }
};

// What waits for what in a grid of routers in which nothing moves.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/network/grid/router_stages.hpp"

namespace oscar {

/// No flit can move any more. what() names a cycle of waits: routers, input ports and VCs.
struct RouterDeadlock : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class RouterWaits {
public:
    /// The routers of a grid; null: one of which nothing is known. All must outlive it.
    RouterWaits(const RouterLayout& layout, IndexedVector<RouterId, const RouterStages*> routers)
        : layout_(layout), routers_(std::move(routers)) {}

    /// A description of `in_flight` flits of which none has moved for `patience` cycles before cycle `now`.
    RouterDeadlock deadlock(Cycles now, std::uint64_t in_flight, Cycles patience) const;

private:
    std::optional<Vc> blocker_of(Vc input) const;
    std::string cycle() const;
    std::uint32_t held(Vc input) const;

    const RouterLayout& layout_;
    IndexedVector<RouterId, const RouterStages*> routers_;
};

}   // namespace oscar

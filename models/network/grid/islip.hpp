// iSLIP: a separable allocator with round-robin pointers.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "models/network/grid/masks.hpp"

namespace oscar {

/// Matches requesters with resources, each with at most one. In an iteration each free resource grants the request
/// next to its pointer, and each free requester accepts the grant next to its own. Both pointers go one beyond what was
/// matched, only by what was accepted in the first iteration: so a pointer that loses stays, the pointers come apart,
/// and nobody starves. Source: McKeown, IEEE/ACM Trans. Networking 7(2), 1999, section II.
class Islip {
public:
    /// At most 64 of each; at least one iteration.
    Islip(std::uint32_t requesters, std::uint32_t resources, std::uint32_t iterations)
        : requesters_(requesters), resources_(resources), iterations_(iterations) {}

    /// Resources that the same requesters ask for.
    struct Group {
        Mask resources, requesters;
    };

    /// Calls matched(requester, resource) for each match. A resource is in one group at most.
    template <class Matched>
    void allocate(std::span<const Group> groups, Matched&& matched) {
        Mask taken = 0, busy = 0;   // resources and requesters that are matched
        for (std::uint32_t i = 0; i < iterations_; ++i) {
            std::array<Mask, 64> grants;   // per requester in `granted`
            Mask granted = 0;
            for (const Group& group : groups)
                grant(group.resources & ~taken, group.requesters & ~busy, grants, granted);
            if (granted == 0) return;
            for_each_bit(granted, [&](std::uint32_t requester) {
                const std::uint32_t resource = first_from(grants[requester], accept_[requester]);
                if (i == 0) advance(requester, resource);
                taken |= bit(resource);
                matched(requester, resource);
            });
            busy |= granted;
        }
    }

private:
    void grant(Mask resources, Mask requesters, std::array<Mask, 64>& grants, Mask& granted) const {
        const auto add = [&](std::uint32_t requester, Mask more) {
            grants[requester] = (granted & bit(requester)) != 0 ? grants[requester] | more : more;
            granted |= bit(requester);
        };
        if (requesters == 0 || resources == 0) return;
        if ((requesters & (requesters - 1)) == 0) return add(first_from(requesters, 0), resources);   // no choice
        for_each_bit(resources,
                     [&](std::uint32_t resource) { add(first_from(requesters, grant_[resource]), bit(resource)); });
    }
    void advance(std::uint32_t requester, std::uint32_t resource) {
        grant_[resource] = static_cast<std::uint8_t>(requester + 1 == requesters_ ? 0 : requester + 1);
        accept_[requester] = static_cast<std::uint8_t>(resource + 1 == resources_ ? 0 : resource + 1);
    }

    std::uint32_t requesters_, resources_, iterations_;
    std::array<std::uint8_t, 64> grant_{}, accept_{};   // per resource; per requester
};

}   // namespace oscar

// Account of the links: what each has carried, of jobs and of flows that are counted separately.
#pragma once

#include <cstdint>
#include <vector>

#include "models/core/span.hpp"
#include "models/network/link/link_use.hpp"
#include "models/network/topology/index.hpp"

namespace oscar {

/// Every fidelity of the network keeps it alike.
class LinkAccount {
public:
    /// The traffic of a link since the last clear().
    struct Traffic {
        std::uint64_t packets = 0, wire_bytes = 0, flits = 0;
        SpanLog busy;
        /// Packets of `wire` bytes and `in_flits` flits in all.
        void add(std::uint64_t of_packets, std::uint64_t wire, std::uint64_t in_flits) {
            packets += of_packets;
            wire_bytes += wire;
            flits += in_flits;
        }
    };

    explicit LinkAccount(std::size_t links) : of_jobs_(links), of_background_(links) {}

    Traffic& of(EdgeId edge, bool background) { return (background ? of_background_ : of_jobs_)[edge]; }
    /// The use of a link, without its name, but for flows that are counted separately.
    LinkUse use(EdgeId edge) const { return use_of(of_jobs_[edge]); }
    /// The use of a link by flows that are counted separately.
    LinkUse background_use(EdgeId edge) const { return use_of(of_background_[edge]); }
    void clear() { *this = LinkAccount(of_jobs_.size()); }

private:
    static LinkUse use_of(const Traffic& traffic) {
        return {{}, traffic.busy.all(), traffic.packets, traffic.wire_bytes, traffic.flits};
    }

    IndexedVector<EdgeId, Traffic> of_jobs_, of_background_;
};

}   // namespace oscar

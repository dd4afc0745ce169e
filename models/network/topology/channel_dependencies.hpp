// Channel-dependency graph: which buffer a packet may request while it holds another.
#pragma once

#include <vector>

#include "models/network/topology/adjacency.hpp"
#include "models/network/topology/hop.hpp"

namespace oscar {

/// Its vertices are hops: a link with a class of virtual channels. Topology and adjacency must outlive it.
class ChannelDependencies {
public:
    ChannelDependencies(const Topology& topology, const Adjacency& adjacency, std::uint32_t classes);

    /// Notes that a packet may take `after` next after `before`. Precondition: the link of `after` begins where that of
    /// `before` ends.
    void add(const Hop& before, const Hop& after);
    /// A circle, or nothing if there is none.
    std::vector<Hop> cycle() const;

private:
    std::size_t vertex_of(const Hop& hop) const { return std::size_t{hop.edge.value} * classes_ + hop.channel; }
    Hop hop_of(std::size_t vertex) const {
        return {EdgeId{static_cast<std::uint32_t>(vertex / classes_)}, static_cast<std::uint8_t>(vertex % classes_)};
    }
    std::vector<std::size_t> after(std::size_t vertex) const;

    const Topology* topology_;
    const Adjacency* adjacency_;
    std::uint32_t classes_;
    IndexedVector<EdgeId, std::size_t> begin_;        ///< of its bits
    IndexedVector<EdgeId, std::uint32_t> position_;   ///< in the list of the node where it begins
    std::vector<bool> there_;                         ///< [edge][class][position of the next][its class]
};

}   // namespace oscar

#include "models/fabric/lone_flow.hpp"

#include <algorithm>

namespace oscar {

LoneFlow::LoneFlow(const std::vector<FabricLink>& links, Bytes flit, std::span<const Hop> path) : flit_(flit) {
    for (const Hop& hop : path) {
        const FabricLink& link = links[hop.edge];
        lanes_.push_back({.link = &link,
                          .byte = ExactTime::of_byte(link.link.bandwidth),
                          .way = link.link.propagation + link.beyond,
                          .credits = link.link.buffer});
        even_ = even_ && link.link.bandwidth == links[path.front().edge].link.bandwidth;
    }
}

void LoneFlow::measure(Bytes wire) {
    measured_ = wire;
    for (Lane& lane : lanes_) {
        lane.all = serialization(wire, lane.link->link.bandwidth);
        lane.first = serialization(first_flit(wire, flit_), lane.link->link.bandwidth);
    }
}

Time LoneFlow::latest_return() const {
    Time latest;
    for (const Lane& lane : lanes_) latest = std::max(latest, lane.returning[lane.returning.size() - 1].at);
    return latest;
}

}   // namespace oscar

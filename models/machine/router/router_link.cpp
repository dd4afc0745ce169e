#include "models/machine/router/router_link.hpp"

namespace oscar {

RouterLink::RouterLink(const sc_core::sc_module_name& name, EdgeId edge, Time propagation, RouterLinkObserver& observer,
                       Waveform* waveform)
    : sc_module(name),
      in("in"),
      out("out"),
      returns("returns"),
      credit("credit"),
      edge_(edge),
      propagation_(propagation),
      observer_(observer),
      busy_(level_of(waveform, this->name(), "busy")) {
    in.bind(*this);
    returns.bind(*this);
}

void RouterLink::put(std::uint8_t vc, const RouterFlit& flit, Time begin, Time end) {
    observer_.crossed(edge_, flit, begin, end);
    if (busy_ != nullptr) busy_->add_busy({begin, end});
    out->put(vc, flit, begin + propagation_, end + propagation_);
}

}   // namespace oscar

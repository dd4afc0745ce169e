#include "models/machine/flit/link.hpp"

namespace oscar {

Link::Link(const sc_core::sc_module_name& name, Time propagation, LinkObserver& observer)
    : sc_module(name),
      in("in"),
      out("out"),
      returns("returns"),
      credit("credit"),
      propagation_(propagation),
      observer_(observer) {
    in.bind(*this);
    returns.bind(*this);
}

void Link::put(const Flit& flit, ExactTime begin, ExactTime end) {
    if (flit.head()) begin_ = begin.rounded_up();
    if (flit.tail) observer_.crossed(flit, {begin_, end.rounded_up()});
    out->put(flit, begin + propagation_, end + propagation_);
}

void Link::give_back(std::uint8_t channel, Bytes size, Time at) {
    observer_.returned(at + propagation_);
    credit->give_back(channel, size, at + propagation_);
}

}   // namespace oscar

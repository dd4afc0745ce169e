#include "models/machine/flit/link.hpp"

namespace oscar {

Link::Link(const sc_core::sc_module_name& name, Time propagation, LinkObserver& observer, Waveform* waveform)
    : sc_module(name),
      in("in"),
      out("out"),
      returns("returns"),
      credit("credit"),
      propagation_(propagation),
      observer_(observer),
      busy_(level_of(waveform, this->name(), "busy")) {
    in.bind(*this);
    returns.bind(*this);
}

void Link::put(const Flit& flit, ExactTime begin, ExactTime end) {
    if (flit.head()) begin_ = begin.rounded_up();
    if (flit.tail) {
        const Span span{begin_, end.rounded_up()};
        observer_.crossed(flit, span);
        if (busy_ != nullptr) busy_->add_busy(span);
    }
    out->put(flit, begin + propagation_, end + propagation_);
}

void Link::give_back(std::uint8_t channel, Bytes size, Time at) {
    observer_.returned(at + propagation_);
    credit->give_back(channel, size, at + propagation_);
}

}   // namespace oscar

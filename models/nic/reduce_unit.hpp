// The adders of a NIC, for codecs that the engine does not decode.
#pragma once

#include <vector>

#include "models/nic/nic_params.hpp"
#include "models/timing/servers.hpp"

namespace oscar {

/// A pipeline that begins one addition per adder and cycle. The values that come with one packet begin in a cycle of
/// their own: they are a piece of work.
class ReduceUnit {
public:
    explicit ReduceUnit(const NicParams& nic) : adders_(nic.clock, false, nic.adders) {}

    /// A job begins: the adders are idle. `noted`: busy() is going to be asked for.
    void begin(bool noted) { adders_.clear(noted); }
    /// The spans in which values were added in this job, where they are noted.
    const std::vector<Span>& busy() const { return adders_.busy(); }
    /// The times at which the values of `blocks` blocks of `values` each, which are there at `ready`, are added.
    /// `piece`: they begin one; else they go on with the one before.
    ServiceBatch add(const TimedEvent& ready, std::uint32_t blocks, std::uint32_t values, bool piece) {
        if (piece) adders_.begin_piece();
        return adders_.serve(ready, blocks, values, adder_latency);
    }
    /// Law: the time at which the last of add(ready[i], blocks, values, true) is done, for each i in order.
    /// Precondition: values > 0.
    TimedEvent add_run(const EventRun& ready, std::uint32_t blocks, std::uint32_t values) {
        return adders_.serve_run(ready, Cycles{blocks} * values, adder_latency);
    }

private:
    PipelinedUnit adders_;
};

}   // namespace oscar

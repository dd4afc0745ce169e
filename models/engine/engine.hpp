// The compression engine as the rest of a NIC sees it: blocks in, times out.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/codec/interface/codec.hpp"
#include "models/engine/engine_params.hpp"
#include "models/timing/servers.hpp"

namespace oscar {

/// An encoder and a decoder, each of which serves blocks in the order in which they are given to it. There are two
/// kinds: a TimedEngine answers at once, a ClockedEngine (clocked_engine.hpp) when it has done the work.
class Engine {
public:
    virtual ~Engine() = default;
    /// A job begins: both are idle.
    virtual void begin() = 0;
    /// The spans in which the encoder was occupied since begin().
    virtual const std::vector<Span>& encoder_busy() const = 0;
    /// The spans in which the decoder was occupied since begin().
    virtual const std::vector<Span>& decoder_busy() const = 0;
};

/// An engine that tells when a block will be done as soon as it is given: by a formula, or because it runs ahead on a
/// clock of its own. How long a block takes may depend on all that it was given before, never on what comes later.
class TimedEngine : public Engine {
public:
    /// The time at which the encoded bytes of a block are complete, if its values and tables are available at `ready`.
    virtual TimedEvent encode(const TimedEvent& ready, const Block& block) = 0;
    /// The times at which the values of `blocks` blocks like this one are decoded and added, if their bytes, tables and
    /// operands are available at `ready`.
    virtual ServiceBatch decode(const TimedEvent& ready, std::uint32_t blocks, const Block& block) = 0;
    /// Law: the time at which the last of decode(ready[i], blocks, block) is done, for each i in order.
    virtual TimedEvent decode_run(const EventRun& ready, std::uint32_t blocks, const Block& block) = 0;
};

/// The engine of kind pipelined: encoder and decoder arrays of `params.lanes` lanes; see
/// models/engine/engine_cycles.hpp.
std::unique_ptr<TimedEngine> make_engine(const EngineParams& params);

}   // namespace oscar

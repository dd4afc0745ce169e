// An engine without packers, pipelines and tables, for tests of what stands around an engine.
#pragma once

#include <memory>
#include <string>

#include "models/engine/engine_cycles.hpp"
#include "models/machine/node/engine_module.hpp"
#include "models/machine/node/machine_parts.hpp"
#include "tests/system/support.hpp"

namespace oscar::test {

/// A block occupies its unit for encode_cycles() or decode_cycles(), none if it costs none, and is done a latency
/// later.
class PlainEngine final : public TimedEngine {
public:
    explicit PlainEngine(const EngineParams& params)
        : params_(params), encoder_(params.clock), decoder_(params.clock) {}

    void begin() override {
        encoder_.clear();
        decoder_.clear();
    }
    TimedEvent encode(const TimedEvent& ready, const Block& block) override {
        return encoder_.serve(ready, encode_cycles(params_, block), params_.encode_latency);
    }
    ServiceBatch decode(const TimedEvent& ready, std::uint32_t blocks, const Block& block) override {
        return decoder_.serve(ready, blocks, decode_cycles(params_, block), decode_latency(params_, block));
    }
    TimedEvent decode_run(const EventRun& ready, std::uint32_t blocks, const Block& block) override {
        TimedEvent last;
        for (std::uint32_t i = 0; i < ready.count; ++i)
            last = later(last, decode(ready[i], blocks, block).done(blocks - 1));
        return last;
    }
    const std::vector<Span>& encoder_busy() const override { return encoder_.busy(); }
    const std::vector<Span>& decoder_busy() const override { return decoder_.busy(); }

private:
    EngineParams params_;
    PipelinedUnit encoder_, decoder_;
};

/// Nodes with such engines.
inline MachineParts plain_engines() {
    MachineParts parts;
    parts.make_engine = [](const std::string& name, const EngineParams& params) {
        return std::make_unique<EngineModule>(name.c_str(), std::make_unique<PlainEngine>(params));
    };
    return parts;
}

/// A machine of such nodes, whose times are those of the cycles that can be counted in a test.
class PlainMachine : public Machine {
public:
    explicit PlainMachine(const MachineSpec& spec, const std::string& name = "machine")
        : Machine(spec, name, plain_engines()) {}
};

}   // namespace oscar::test

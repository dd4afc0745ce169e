// An engine of a user's own that answers at once: one unit that encodes and decodes in turn, a fixed number of values
// in each cycle.
#pragma once

#include <systemc>

#include "models/engine/engine.hpp"

class SerialEngine : public sc_core::sc_module, public oscar::TimedEngine {
public:
    SerialEngine(const sc_core::sc_module_name& name, oscar::Frequency clock, oscar::Cycles values_per_cycle)
        : sc_module(name), unit_(clock), values_per_cycle_(values_per_cycle) {}

    void begin() override { unit_.clear(); }
    oscar::TimedEvent encode(const oscar::TimedEvent& ready, const oscar::Block& block) override {
        return unit_.serve(ready, cycles(block), 0);
    }
    oscar::ServiceBatch decode(const oscar::TimedEvent& ready, std::uint32_t blocks,
                               const oscar::Block& block) override {
        return unit_.serve(ready, blocks, cycles(block), 0);
    }
    oscar::TimedEvent decode_run(const oscar::EventRun& ready, std::uint32_t blocks,
                                 const oscar::Block& block) override {
        oscar::TimedEvent last;
        for (std::uint32_t i = 0; i < ready.count; ++i) last = decode(ready[i], blocks, block).done(blocks - 1);
        return last;
    }
    const std::vector<oscar::Span>& encoder_busy() const override { return unit_.busy(); }
    const std::vector<oscar::Span>& decoder_busy() const override { return unit_.busy(); }

private:
    oscar::Cycles cycles(const oscar::Block& block) const {
        return (block.values + values_per_cycle_ - 1) / values_per_cycle_;
    }
    oscar::PipelinedUnit unit_;
    oscar::Cycles values_per_cycle_;
};

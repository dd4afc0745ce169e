// The compression engine of a node as a SystemC module whose model can be exchanged.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <systemc>

#include "models/engine/engine.hpp"

namespace oscar {

/// Makes the engine of a node, with this name, in the hierarchy of the module under construction. An engine of a user's
/// own is a TimedEngine, which appears in the hierarchy if it is an sc_module too, or a ClockedEngineModule
/// (clocked_engine_module.hpp). docs/add-module.md describes both.
using MakeEngine = std::function<std::unique_ptr<Engine>(const std::string& name, const EngineParams& params)>;

/// Gives every block to the model that it contains.
class EngineModule final : public sc_core::sc_module, public TimedEngine {
public:
    EngineModule(const sc_core::sc_module_name& name, std::unique_ptr<TimedEngine> inside)
        : sc_module(name), inside_(std::move(inside)) {}

    void begin() override { inside_->begin(); }
    TimedEvent encode(const TimedEvent& ready, const Block& block) override { return inside_->encode(ready, block); }
    ServiceBatch decode(const TimedEvent& ready, std::uint32_t blocks, const Block& block) override {
        return inside_->decode(ready, blocks, block);
    }
    TimedEvent decode_run(const EventRun& ready, std::uint32_t blocks, const Block& block) override {
        return inside_->decode_run(ready, blocks, block);
    }
    const std::vector<Span>& encoder_busy() const override { return inside_->encoder_busy(); }
    const std::vector<Span>& decoder_busy() const override { return inside_->decoder_busy(); }

private:
    std::unique_ptr<TimedEngine> inside_;
};

/// The engine of kind pipelined.
inline std::unique_ptr<Engine> make_engine_module(const std::string& name, const EngineParams& params) {
    return std::make_unique<EngineModule>(name.c_str(), make_engine(params));
}

}   // namespace oscar

#include "models/nic/engine.hpp"

#include "models/engine/engine_cycles.hpp"

namespace oscar {
namespace {

class PipelinedEngine final : public Engine {
public:
    explicit PipelinedEngine(const EngineParams& params)
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
        const Cycles work = decode_cycles(params_, block);
        if (work > 0) return decoder_.serve_run(ready, blocks * work, decode_latency(params_, block));
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

}   // namespace

std::unique_ptr<Engine> make_engine(const EngineParams& params) { return std::make_unique<PipelinedEngine>(params); }

}   // namespace oscar

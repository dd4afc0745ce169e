#include "models/engine/engine.hpp"

#include "models/engine/engine_cycles.hpp"

namespace oscar {
namespace {

/// Cycles of blocks. Most blocks are like the one before, whose cycles are kept: they take divisions.
class BlockCycles {
public:
    explicit BlockCycles(const EngineParams& params) : params_(params) {}

    struct Cost {
        Cycles encode, decode, decode_latency;
    };
    const Cost& of(const Block& block) {
        if (block.values != values_ || block.work != work_ || block.mode != mode_) {
            values_ = block.values;
            mode_ = block.mode;
            work_ = block.work;
            cost_ = {encode_cycles(params_, block), decode_cycles(params_, block), decode_latency(params_, block)};
        }
        return cost_;
    }

private:
    EngineParams params_;
    std::uint32_t values_ = 0;
    CodingCost work_;
    BlockMode mode_ = BlockMode::raw;
    Cost cost_ = {encode_cycles(params_, Block{}), decode_cycles(params_, Block{}), decode_latency(params_, Block{})};
};

class PipelinedEngine final : public TimedEngine {
public:
    explicit PipelinedEngine(const EngineParams& params)
        : encode_latency_(params.encode_latency), cycles_(params), encoder_(params.clock), decoder_(params.clock) {}

    void begin() override {
        encoder_.clear();
        decoder_.clear();
    }
    TimedEvent encode(const TimedEvent& ready, const Block& block) override {
        return encoder_.serve(ready, cycles_.of(block).encode, encode_latency_);
    }
    ServiceBatch decode(const TimedEvent& ready, std::uint32_t blocks, const Block& block) override {
        const BlockCycles::Cost& cost = cycles_.of(block);
        return decoder_.serve(ready, blocks, cost.decode, cost.decode_latency);
    }
    TimedEvent decode_run(const EventRun& ready, std::uint32_t blocks, const Block& block) override {
        const BlockCycles::Cost& cost = cycles_.of(block);
        if (cost.decode > 0) return decoder_.serve_run(ready, blocks * cost.decode, cost.decode_latency);
        TimedEvent last;
        for (std::uint32_t i = 0; i < ready.count; ++i)
            last = later(last, decode(ready[i], blocks, block).done(blocks - 1));
        return last;
    }
    const std::vector<Span>& encoder_busy() const override { return encoder_.busy(); }
    const std::vector<Span>& decoder_busy() const override { return decoder_.busy(); }

private:
    Cycles encode_latency_;
    BlockCycles cycles_;
    PipelinedUnit encoder_, decoder_;
};

}   // namespace

std::unique_ptr<TimedEngine> make_engine(const EngineParams& params) {
    return std::make_unique<PipelinedEngine>(params);
}

}   // namespace oscar

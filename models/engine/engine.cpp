#include "models/engine/engine.hpp"

#include "models/engine/block_stages.hpp"

namespace oscar {
namespace {

/// Demands of blocks. Most blocks are like the one before, whose demands are kept: they take divisions.
class BlockDemands {
public:
    explicit BlockDemands(const EngineParams& params) : params_(params) {}

    struct Demands {
        BlockDemand encode, decode;
    };
    const Demands& of(const Block& block) {
        if (!known_ || block.values != last_.values || block.work != last_.work || block.mode != last_.mode ||
            block.bytes != last_.bytes || block.check != last_.check) {
            last_ = block;
            known_ = true;
            demands_ = {encode_demand(params_, block), decode_demand(params_, block)};
        }
        return demands_;
    }

private:
    EngineParams params_;
    bool known_ = false;
    Block last_;
    Demands demands_;
};

/// An array with its place on the time axis: stages of blocks become events with their causes.
template <class Stages>
class TimedArray {
public:
    explicit TimedArray(Frequency clock) : clock_(clock) {}

    /// The block's stages; what it waited for is in waited_for().
    BlockStages serve(const TimedEvent& ready, const BlockDemand& block) {
        from_ = later(ready, free_);
        const BlockStages stages = stages_.serve(clock_.next_edge(ready.at), block);
        free_ = from_.until(clock_.edge(stages.free), &CriticalPath::engine_ps);
        append(busy_, {clock_.edge(stages.begin), clock_.edge(stages.end)});
        return stages;
    }
    const TimedEvent& waited_for() const { return from_; }
    /// The end of a block that waited for `from`: engine, then latency.
    TimedEvent done(const TimedEvent& from, Cycles at, Cycles latency) const {
        return from.until(clock_.edge(at - std::min(at, latency)), &CriticalPath::engine_ps)
            .until(clock_.edge(at), &CriticalPath::latency_ps);
    }
    const Clock& clock() const { return clock_; }
    const std::vector<Span>& busy() const { return busy_; }
    void clear() {
        stages_ = {};
        from_ = free_ = {};
        busy_.clear();
    }

private:
    Clock clock_;
    Stages stages_;
    TimedEvent from_, free_;
    std::vector<Span> busy_;
};

class PipelinedEngine final : public TimedEngine {
public:
    explicit PipelinedEngine(const EngineParams& params)
        : demands_(params), encoder_(params.clock), decoder_(params.clock) {}

    void begin() override {
        encoder_.clear();
        decoder_.clear();
    }
    TimedEvent encode(const TimedEvent& ready, const Block& block) override {
        const BlockDemand& demand = demands_.of(block).encode;
        const BlockStages stages = encoder_.serve(ready, demand);
        return encoder_.done(encoder_.waited_for(), stages.done, demand.latency);
    }
    ServiceBatch decode(const TimedEvent& ready, std::uint32_t blocks, const Block& block) override {
        const BlockDemand& demand = demands_.of(block).decode;
        std::vector<Cycles> done{decoder_.serve(ready, demand).done};
        const TimedEvent from = decoder_.waited_for();
        while (done.size() < blocks) done.push_back(decoder_.serve(ready, demand).done);
        return {decoder_.clock(), from, demand.latency, std::move(done)};
    }
    TimedEvent decode_run(const EventRun& ready, std::uint32_t blocks, const Block& block) override {
        const BlockDemand& demand = demands_.of(block).decode;
        BlockStages stages;
        TimedEvent from;
        for (std::uint32_t i = 0; i < ready.count; ++i)
            for (std::uint32_t k = 0; k < blocks; ++k) {
                stages = decoder_.serve(ready[i], demand);
                if (k == 0) from = decoder_.waited_for();
            }
        return decoder_.done(from, stages.done, demand.latency);
    }
    const std::vector<Span>& encoder_busy() const override { return encoder_.busy(); }
    const std::vector<Span>& decoder_busy() const override { return decoder_.busy(); }

private:
    BlockDemands demands_;
    TimedArray<EncoderStages> encoder_;
    TimedArray<DecoderStages> decoder_;
};

}   // namespace

std::unique_ptr<TimedEngine> make_engine(const EngineParams& params) {
    return std::make_unique<PipelinedEngine>(params);
}

}   // namespace oscar

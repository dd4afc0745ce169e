#include "models/engine/engine.hpp"

#include <optional>

#include "models/engine/block_stages.hpp"

namespace oscar {
namespace {

/// What blocks ask of an array. Most are like the one before, whose demand is kept: it takes divisions.
class BlockDemands {
public:
    using Compute = BlockDemand (*)(const EngineParams&, const Block&);
    BlockDemands(const EngineParams& params, Compute compute) : params_(params), compute_(compute) {}

    const BlockDemand& of(const Block& block) {
        if (!last_ || block.values != last_->values || block.work != last_->work || block.mode != last_->mode ||
            block.bytes != last_->bytes || block.check != last_->check) {
            last_ = block;
            demand_ = compute_(params_, block);
        }
        return demand_;
    }

private:
    EngineParams params_;
    Compute compute_;
    std::optional<Block> last_;
    BlockDemand demand_;
};

/// An array with its place on the time axis: stages of blocks become events with their causes.
template <class Stages>
class TimedArray {
public:
    explicit TimedArray(Frequency clock) : clock_(clock) {}

    /// The block's stages; what it waited for is in waited_for().
    BlockStages serve(const TimedEvent& ready, const BlockDemand& block) {
        const Cycles from = clock_.next_edge(ready.at);
        const BlockStages stages = stages_.serve(from, block);
        occupy(ready, from <= end_ ? std::min(stages.begin, end_) : stages.begin, stages.end, stages.free);
        return stages;
    }
    /// As Stages::serve_more().
    void serve_more(std::uint32_t blocks, Cycles stride) {
        stages_.serve_more(blocks, stride);
        occupy(free_, end_, end_ + blocks * stride, free_cycle_ + blocks * stride);
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
        end_ = free_cycle_ = 0;
        busy_.clear();
    }

private:
    /// A block that waits for the array occupies it from the end of the one before on, while tables are loaded, too.
    void occupy(const TimedEvent& ready, Cycles begin, Cycles end, Cycles free) {
        from_ = later(ready, free_);
        free_ = from_.until(clock_.edge(free), &CriticalPath::engine_ps);
        free_cycle_ = free;
        end_ = end;
        append(busy_, {clock_.edge(begin), clock_.edge(end)});
    }

    Clock clock_;
    Stages stages_;
    TimedEvent from_, free_;
    Cycles end_ = 0, free_cycle_ = 0;   ///< of the last block's occupation of the lanes and of the array's input
    std::vector<Span> busy_;
};

/// A decoder array, which is given blocks that are alike.
class TimedDecoder : public TimedArray<DecoderStages> {
public:
    using TimedArray::TimedArray;

    /// The first blocks of some that are ready at once, one by one, and the others as far apart as these in the end.
    ServiceBatch serve(const TimedEvent& ready, std::uint32_t blocks, const BlockDemand& demand) {
        const Cycles first = TimedArray::serve(ready, demand).done;
        const TimedEvent from = waited_for();
        if (blocks == 1) return {clock(), from, 1, first - demand.latency, 0, demand.latency, 1};
        std::vector<Cycles> done{first};
        while (done.size() < blocks && (!demand.uncoded || done.size() < steady))
            done.push_back(TimedArray::serve(ready, demand).done);
        const std::uint32_t more = blocks - static_cast<std::uint32_t>(done.size());
        const Cycles stride = more > 0 ? done.back() - done[done.size() - 2] : 0;
        if (more > 0) serve_more(more, stride);
        return {clock(), from, demand.latency, blocks, std::move(done), stride};
    }

private:
    /// Uncoded blocks, of which the last two are as far apart as all that follow.
    static constexpr std::size_t steady = 4;
};

class PipelinedEngine final : public TimedEngine {
public:
    explicit PipelinedEngine(const EngineParams& params)
        : encodes_(params, encode_demand),
          decodes_(params, decode_demand),
          encoder_(params.clock),
          decoder_(params.clock) {}

    void begin() override {
        encoder_.clear();
        decoder_.clear();
    }
    TimedEvent encode(const TimedEvent& ready, const Block& block) override {
        const BlockDemand& demand = encodes_.of(block);
        const BlockStages stages = encoder_.serve(ready, demand);
        return encoder_.done(encoder_.waited_for(), stages.done, demand.latency);
    }
    ServiceBatch decode(const TimedEvent& ready, std::uint32_t blocks, const Block& block) override {
        return decoder_.serve(ready, blocks, decodes_.of(block));
    }
    TimedEvent decode_run(const EventRun& ready, std::uint32_t blocks, const Block& block) override {
        TimedEvent last;
        for (std::uint32_t i = 0; i < ready.count; ++i) last = decode(ready[i], blocks, block).done(blocks - 1);
        return last;
    }
    const std::vector<Span>& encoder_busy() const override { return encoder_.busy(); }
    const std::vector<Span>& decoder_busy() const override { return decoder_.busy(); }

private:
    BlockDemands encodes_, decodes_;
    TimedArray<EncoderStages> encoder_;
    TimedDecoder decoder_;
};

}   // namespace

std::unique_ptr<TimedEngine> make_engine(const EngineParams& params) {
    return std::make_unique<PipelinedEngine>(params);
}

}   // namespace oscar

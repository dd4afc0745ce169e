// An engine whose arrays are stepped through cycle by cycle, as the clock of the hardware would.
#pragma once

#include <cstdint>
#include <vector>

#include "models/engine/engine.hpp"
#include "models/engine/engine_cycles.hpp"

namespace oscar {

/// The registers of an array of lanes between two edges of its clock. All lanes take their values in the same cycle:
/// the slowest sub-stream of a block decides. The same for encoder and decoder, which differ in their intervals and
/// latency.
class LaneArray {
public:
    explicit LaneArray(Frequency clock) : clock_(clock) {}

    /// What a block asks of an array.
    struct Work {
        Cycles tables = 0;   ///< making of tables, before the first value
        CodingRounds rounds;
        Cycles latency = 0;   ///< from the cycle after the last round to the block's end
    };
    /// Steps through the cycles up to the one in which the array has taken the last value of the last of `blocks` >= 1
    /// such blocks, whose data is there at `ready`. Idle cycles, which change nothing, are passed over.
    ServiceBatch serve(const TimedEvent& ready, std::uint32_t blocks, const Work& work);
    /// When it took values or made tables since the last clear.
    const std::vector<Span>& busy() const { return busy_; }
    /// A job begins: it is idle, at cycle 0.
    void clear();

private:
    /// The counters that an edge of the clock changes.
    struct Registers {
        Cycles tables = 0;                     ///< cycles of table making that are left
        Cycles wait = 0;                       ///< cycles until the next round may begin
        std::uint64_t coded = 0, others = 0;   ///< rounds that have not begun
        bool all_in() const { return tables == 0 && wait == 0 && coded == 0 && others == 0; }
        void step(const CodingRounds& rounds);
    };

    Clock clock_;
    Cycles cycle_ = 0;   ///< the next one
    TimedEvent free_;    ///< when it had taken its last value
    std::vector<Span> busy_;
};

/// The same cycles as the pipelined model (tests/engine/cycle_stepped_engine_test.cpp), found by counting them.
class CycleSteppedEngine final : public TimedEngine {
public:
    explicit CycleSteppedEngine(const EngineParams& params)
        : params_(params), encoder_(params.clock), decoder_(params.clock) {}

    void begin() override;
    TimedEvent encode(const TimedEvent& ready, const Block& block) override;
    ServiceBatch decode(const TimedEvent& ready, std::uint32_t blocks, const Block& block) override;
    TimedEvent decode_run(const EventRun& ready, std::uint32_t blocks, const Block& block) override;
    const std::vector<Span>& encoder_busy() const override { return encoder_.busy(); }
    const std::vector<Span>& decoder_busy() const override { return decoder_.busy(); }

private:
    LaneArray::Work encoding(const Block& block) const;
    LaneArray::Work decoding(const Block& block) const;

    EngineParams params_;
    LaneArray encoder_, decoder_;
};

}   // namespace oscar

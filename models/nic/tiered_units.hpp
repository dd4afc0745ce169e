// The units of a node with two ways out: its GPU's port inside the island, and its NIC.
#pragma once

#include <memory>
#include <vector>

#include "models/nic/coding_gpu_units.hpp"
#include "models/nic/island_units.hpp"

namespace oscar {

/// Each step is served by the units of its tier.
class TieredUnits final : public BlockUnits {
public:
    /// The parts must outlive it. Precondition: node and parts have an island port.
    TieredUnits(Rank rank, const NodeParams& node, const NodeParts& parts, Scheduler& scheduler)
        : inside_(rank, node.gpu.island_port->switch_start, *parts.island_port),
          between_(make_units_between(rank, node, parts, scheduler)) {}

    void begin(RunningJob& job) override {
        job_ = &job;
        inside_.begin(job);
        between_->begin(job);
    }
    void issued(StepId step, const TimedEvent& now) override { of(step).issued(step, now); }
    void packet_arrived(StepId step, const TimedEvent& now) override { of(step).packet_arrived(step, now); }
    void encode_blocks(StepId step, const SharedMessage& message, const TimedEvent& now, EventRuns& ready) override {
        of(step).encode_blocks(step, message, now, ready);
    }
    bool answers_later(StepId step) const override { return of(step).answers_later(step); }
    void encode_later(StepId step, const SharedMessage& message, const TimedEvent& now,
                      const BlockDone& done) override {
        of(step).encode_later(step, message, now, done);
    }
    void on_decoded(const std::function<void(StepId, const TimedEvent&)>& decoded) override {
        between_->on_decoded(decoded);
    }
    TimedEvent operands_there(StepId step, const Inbound& inbound) const override {
        return of(step).operands_there(step, inbound);
    }
    void decode_blocks(StepId step, Inbound& inbound, const BlockBatches& batch, const EventRun& ready) override {
        of(step).decode_blocks(step, inbound, batch, ready);
    }
    void departed(StepId step, const TimedEvent& now) override { of(step).departed(step, now); }
    std::vector<Span> encoder_busy() const override { return between_->encoder_busy(); }
    std::vector<Span> decoder_busy() const override { return between_->decoder_busy(); }
    NotedSpans noted() const override {
        NotedSpans spans = inside_.noted();
        spans.adders = between_->noted().adders;
        return spans;
    }

private:
    bool is_inside(StepId step) const { return job_->places.tier(step) == Tier::inside; }
    BlockUnits& of(StepId step) {
        if (is_inside(step)) return inside_;
        return *between_;
    }
    const BlockUnits& of(StepId step) const {
        if (is_inside(step)) return inside_;
        return *between_;
    }

    RunningJob* job_ = nullptr;
    IslandUnits inside_;
    std::unique_ptr<BlockUnits> between_;
};

}   // namespace oscar

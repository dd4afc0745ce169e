// Direct memory access to GPU memory.
#pragma once

#include <memory>
#include <optional>

#include "models/gpu/dma_rates.hpp"
#include "models/gpu/gpu_params.hpp"
#include "models/timing/servers.hpp"

namespace oscar {

/// When the channels of a DMA engine were occupied.
struct DmaUse {
    ChannelUse read, write;
    std::optional<UplinkUse> uplink = {};   ///< of the PCI Express switch before it, where several engines share one
};

/// One read and one write channel, each of which serves its requests in the order in which they come. A request is
/// answered with the time at which it is done, like requests to all units (models/timing/servers.hpp).
class Dma {
public:
    virtual ~Dma() = default;
    /// A job begins: both channels are free. `noted`: the spans of use() are going to be asked for.
    virtual void begin(bool noted) = 0;
    /// When the channels were occupied in this job.
    virtual DmaUse use() const = 0;
    /// The time at which the last of `size` bytes that are asked for at `now` is in the NIC.
    virtual TimedEvent read(const TimedEvent& now, Bytes size) = 0;
    /// Serves `count` reads of `size` bytes each, and appends the time of each to `there`.
    virtual void read(const TimedEvent& now, std::uint32_t count, Bytes size, EventRuns& there) = 0;
    /// The time at which the last of `count` writes at each of the moments is in GPU memory.
    virtual TimedEvent write(const EventRun& ready, std::uint32_t count, Bytes size) = 0;
    /// The time at which the last of the writes is in GPU memory, one after each of the blocks that a unit has served.
    virtual TimedEvent write(const ServiceBatch& served, Bytes size) = 0;
};

/// The memory answers each request after the latency of `gpu`: many equal ones are served at once.
class ChannelDma final : public Dma {
public:
    explicit ChannelDma(const GpuParams& gpu) : ChannelDma(gpu, read_latency(gpu), write_latency(gpu)) {}
    /// With other latencies.
    ChannelDma(const GpuParams& gpu, Time of_reads, Time of_writes)
        : read_(read_rate(gpu), of_reads), write_(write_rate(gpu), of_writes) {}

    void begin(bool noted) override {
        read_.clear(noted);
        write_.clear(noted);
    }
    DmaUse use() const override { return {read_.use(), write_.use()}; }
    TimedEvent read(const TimedEvent& now, Bytes size) override { return read_.serve(now, size); }
    void read(const TimedEvent& now, std::uint32_t count, Bytes size, EventRuns& there) override {
        there.push_back(read_.serve(now, count, size));
    }
    TimedEvent write(const EventRun& ready, std::uint32_t count, Bytes size) override {
        return write_.serve_run(ready, count, size);
    }
    TimedEvent write(const ServiceBatch& served, Bytes size) override { return write_.serve(served, size); }

private:
    DmaChannel read_, write_;
};

}   // namespace oscar

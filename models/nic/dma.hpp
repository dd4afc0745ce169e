// Direct memory access to GPU memory.
#pragma once

#include "models/nic/gpu_params.hpp"
#include "models/timing/servers.hpp"

namespace oscar {

/// One read and one write channel, each of which serves its requests in the order in which they come.
class Dma {
public:
    explicit Dma(const GpuParams& gpu)
        : gpu_(gpu), read_(gpu.dma_bandwidth, gpu.dma_latency), write_(gpu.dma_bandwidth, gpu.dma_latency) {}

    /// Both channels are free.
    void begin() { *this = Dma(gpu_); }
    /// When the last of `size` bytes that are asked for at `now` is in the NIC.
    TimedEvent read(const TimedEvent& now, Bytes size) { return read_.serve(now, size); }
    /// The same of `count` reads, of each.
    EventRun read(const TimedEvent& now, std::uint32_t count, Bytes size) { return read_.serve(now, count, size); }
    /// When the last of `count` writes at each of the moments is in GPU memory.
    TimedEvent write(const EventRun& ready, std::uint32_t count, Bytes size) {
        return write_.serve_run(ready, count, size);
    }
    /// The same of one write behind each of the blocks that a unit has served.
    TimedEvent write(const ServiceBatch& served, Bytes size) { return write_.serve(served, size); }

private:
    GpuParams gpu_;
    DmaChannel read_, write_;
};

}   // namespace oscar

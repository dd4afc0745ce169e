#include "models/nic/pcie_switch.hpp"

#include <algorithm>

namespace oscar {
namespace {

/// The rate at which a transfer of `bytes` passes in `span` by itself.
Bandwidth even_rate(Bytes bytes, Time span) {
    constexpr std::uint64_t units_of_byte = 8'000'000;   // Mbit/s times picoseconds
    const auto length = static_cast<std::uint64_t>(std::max<std::int64_t>(1, span.ps));
    return {std::max<std::uint64_t>(1, (bytes.count * units_of_byte + length - 1) / length)};
}

}   // namespace

/// Where the channel and not the uplink limits a transfer, that takes the uplink at the channel's even rate.
TimedEvent SwitchedChannel::serve(const TimedEvent& ready, Bytes size) {
    const TimedEvent begin = later(ready, free_);
    const Time alone = rate_.time_of(size);
    const Bytes bytes = rate_.with_headers(size);
    const Time end = std::max(begin.at + alone, uplink_.carry(begin.at, bytes, even_rate(bytes, alone)));
    free_ = begin.until(end, &CriticalPath::dma_ps);
    use_.busy += end - begin.at;
    delayed_ += end - begin.at - alone;
    if (noted_) append(use_.spans, {begin.at, end});
    return free_.after(latency_, &CriticalPath::latency_ps);
}

void SwitchedChannel::clear(bool noted) {
    noted_ = noted;
    free_ = {};
    use_ = {};
    delayed_ = {};
}

/// All DMA engines of a switch begin a job before the first transfers anything.
void SwitchedDma::begin(bool noted) {
    pcie_.begin();
    read_.clear(noted);
    write_.clear(noted);
}

void SwitchedDma::read(const TimedEvent& now, std::uint32_t count, Bytes size, EventRuns& there) {
    for (std::uint32_t i = 0; i < count; ++i) there.push_back({read_.serve(now, size)});
}

TimedEvent SwitchedDma::write(const EventRun& ready, std::uint32_t count, Bytes size) {
    TimedEvent last;
    for (std::uint32_t i = 0; i < ready.count; ++i)
        for (std::uint32_t k = 0; k < count; ++k) last = later(last, write_.serve(ready[i], size));
    return last;
}

TimedEvent SwitchedDma::write(const ServiceBatch& served, Bytes size) {
    TimedEvent last;
    for (std::uint32_t i = 0; i < served.count(); ++i) last = later(last, write_.serve(served.done(i), size));
    return last;
}

std::unique_ptr<Dma> make_dma(const GpuParams& gpu, PcieSwitch* pcie, Time of_reads, Time of_writes) {
    if (pcie == nullptr) return std::make_unique<ChannelDma>(gpu, of_reads, of_writes);
    return std::make_unique<SwitchedDma>(gpu, *pcie, of_reads, of_writes);
}

}   // namespace oscar

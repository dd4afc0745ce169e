// PCI Express switch: GPUs whose NICs reach them by one uplink.
#pragma once

#include <memory>

#include "models/gpu/dma_rates.hpp"
#include "models/nic/dma.hpp"
#include "models/timing/shared_rate.hpp"

namespace oscar {

/// The uplink of a PCI Express switch, which the DMA engines of several NICs share: reads take one direction of it, and
/// writes the other. Where transfers meet they are served byte by byte, first come, first served (SharedRate). The
/// links of the GPUs are in the rate of each engine (models/gpu/dma_rates.hpp), for one NIC alone uses each.
struct PcieSwitch {
    SharedRate reads, writes;

    /// Precondition: gpu.pcie_switch has an uplink.
    explicit PcieSwitch(const GpuParams& gpu) : reads(*gpu.pcie_switch->uplink), writes(*gpu.pcie_switch->uplink) {}
    /// A job begins: nothing has passed.
    void begin() {
        reads.clear();
        writes.clear();
    }
    /// The time that all its bytes, of both directions, take at the rate of the uplink.
    Time busy() const { return reads.busy() + writes.busy(); }
};

/// One channel of a DMA engine behind an uplink. Law: where nobody else uses the uplink, as a DmaChannel.
class SwitchedChannel {
public:
    /// `uplink` must outlive it.
    SwitchedChannel(const ChannelRate& rate, Time latency, SharedRate& uplink)
        : rate_(rate), latency_(latency), uplink_(uplink) {}

    /// Moves `size` bytes asked for at `ready`, after those asked for before; returns when the last of them is there.
    /// The channel is occupied until they have passed the uplink.
    TimedEvent serve(const TimedEvent& ready, Bytes size);
    const ChannelUse& use() const { return use_; }   ///< since the last clear
    /// The part of use().busy that transfers took beyond what they take alone.
    Time delayed() const { return delayed_; }
    /// Forgets what it has served. `noted`: the spans in which it is occupied are going to be asked for.
    void clear(bool noted);

private:
    ChannelRate rate_;
    Time latency_;
    SharedRate& uplink_;
    bool noted_ = false;
    TimedEvent free_;
    ChannelUse use_;
    Time delayed_;
};

/// Direct memory access behind an uplink. Each request is served by itself, for others may come between two of a kind.
class SwitchedDma final : public Dma {
public:
    /// With the rates of `gpu` and its switch. `pcie` must outlive it.
    SwitchedDma(const GpuParams& gpu, PcieSwitch& pcie, Time of_reads, Time of_writes)
        : pcie_(pcie), read_(read_rate(gpu), of_reads, pcie.reads), write_(write_rate(gpu), of_writes, pcie.writes) {}

    void begin(bool noted) override;
    DmaUse use() const override {
        return {read_.use(), write_.use(), UplinkUse{pcie_.busy(), read_.delayed() + write_.delayed()}};
    }
    TimedEvent read(const TimedEvent& now, Bytes size) override { return read_.serve(now, size); }
    void read(const TimedEvent& now, std::uint32_t count, Bytes size, EventRuns& there) override;
    TimedEvent write(const EventRun& ready, std::uint32_t count, Bytes size) override;
    TimedEvent write(const ServiceBatch& served, Bytes size) override;

private:
    PcieSwitch& pcie_;
    SwitchedChannel read_, write_;
};

/// A DMA engine at once: behind a switch with an uplink, or without one where `pcie` is null.
std::unique_ptr<Dma> make_dma(const GpuParams& gpu, PcieSwitch* pcie, Time of_reads, Time of_writes);

}   // namespace oscar

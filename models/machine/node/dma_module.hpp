// The DMA engine of a node as a SystemC module, which reaches GPU memory by a TLM-2.0 socket.
#pragma once

#include <cstdint>
#include <memory>

#include <tlm_utils/simple_initiator_socket.h>
#include <systemc>
#include <tlm>

#include "models/machine/base/waveform.hpp"
#include "models/nic/pcie_switch.hpp"

namespace oscar {

/// By transactions, one for each block that is read or written (models/machine/node/gpu_memory.hpp): a request occupies
/// its channel for size / bandwidth; then the memory says when it is done. Or by the event core, ChannelDma, which
/// serves many equal requests at once and takes the memory's latency to be fixed.
/// Law: with memory that answers after a fixed latency all times are the same.
class DmaModule final : public sc_core::sc_module, public Dma {
public:
    enum class Grain : std::uint8_t { transactions, event_core };
    /// `pcie`: a switch whose uplink it shares; it must outlive the module. Null: none.
    DmaModule(const sc_core::sc_module_name& name, const GpuParams& gpu, Grain grain, Waveform* waveform = nullptr,
              PcieSwitch* pcie = nullptr);

    tlm_utils::simple_initiator_socket<DmaModule> socket;

    /// The server of a NIC's requests: the module, or its event core by itself.
    Dma& server() { return grain_ == Grain::event_core ? *core_ : *this; }

    void begin(bool noted) override;
    DmaUse use() const override { return channels_->use(); }
    TimedEvent read(const TimedEvent& now, Bytes size) override;
    void read(const TimedEvent& now, std::uint32_t count, Bytes size, EventRuns& there) override;
    TimedEvent write(const EventRun& ready, std::uint32_t count, Bytes size) override;
    TimedEvent write(const ServiceBatch& served, Bytes size) override;

private:
    struct Direction {
        tlm::tlm_command command;
        ChannelRate rate;
        Time latency;   ///< of the switch before the memory
        Level* busy;    ///< for a waveform
        std::uint64_t address = 0;
    };
    TimedEvent move(Direction& direction, const TimedEvent& ready, Bytes size);
    tlm::tlm_sync_enum answered_late(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&);

    Grain grain_;
    std::unique_ptr<Dma> core_, channels_;   ///< with the memory's latency, and without
    Direction read_, write_;
};

}   // namespace oscar

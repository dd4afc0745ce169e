// A node of the machine: GPU memory, DMA, compression engine, reduce unit and NIC port.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "models/machine/flit/nic_port.hpp"
#include "models/machine/node/dma_module.hpp"
#include "models/machine/node/machine_parts.hpp"
#include "models/nic/node_parts.hpp"

namespace oscar {

/// The reduce unit as a module.
struct ReduceUnitModule final : sc_core::sc_module, ReduceUnit {
    ReduceUnitModule(const sc_core::sc_module_name& name, const NicParams& nic) : sc_module(name), ReduceUnit(nic) {}
};

/// The links of a NIC port, and who owns the packets that pass it.
struct NicPortParams {
    const LinkedModuleParams& links;
    PacketOwner& owner;
};

/// Binds the DMA to the memory. The logic of transmit and receive uses the other parts (models/nic/nic.hpp).
class Node : public sc_core::sc_module {
public:
    /// `dma`: by transactions, or at once by the event core. `port`: at fidelity flit.
    Node(const sc_core::sc_module_name& name, const NodeParams& params, const MachineParts& parts, DmaModule::Grain dma,
         const NicPortParams* port = nullptr);

    NodeParts parts() { return {dma_.server(), *engine_, reduce_unit_}; }
    /// For a waveform: when the engine was busy in the job that has ended.
    void record_engine();
    /// Precondition: it was given one.
    NicPort& nic() { return *nic_; }

private:
    std::unique_ptr<MemoryModule> memory_;
    DmaModule dma_;
    std::unique_ptr<Engine> engine_;
    ReduceUnitModule reduce_unit_;
    std::optional<NicPort> nic_;
    Level* encoder_busy_ = nullptr;
    Level* decoder_busy_ = nullptr;
};

}   // namespace oscar

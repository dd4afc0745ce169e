// A node of the machine: GPU memory, DMA, compression engine, reduce unit and NIC port.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "models/engine/clocked_engine.hpp"
#include "models/machine/base/make_node.hpp"
#include "models/machine/node/dma_module.hpp"
#include "models/machine/node/machine_parts.hpp"
#include "models/nic/node_parts.hpp"

namespace oscar {

/// The reduce unit as a module.
struct ReduceUnitModule final : sc_core::sc_module, ReduceUnit {
    ReduceUnitModule(const sc_core::sc_module_name& name, const NicParams& nic) : sc_module(name), ReduceUnit(nic) {}
};

/// Limited staging memory as a module.
struct StagingMemoryModule final : sc_core::sc_module, StagingMemory {
    StagingMemoryModule(const sc_core::sc_module_name& name, Bytes capacity)
        : sc_module(name), StagingMemory(capacity) {}
};

/// A PCI Express switch as a module, which belongs to several nodes.
struct PcieSwitchModule final : sc_core::sc_module, PcieSwitch {
    PcieSwitchModule(const sc_core::sc_module_name& name, const GpuParams& gpu) : sc_module(name), PcieSwitch(gpu) {}
};

/// Binds the DMA to the memory. The logic of transmit and receive uses the other parts (models/nic/nic.hpp).
class Node : public sc_core::sc_module {
public:
    /// `dma`: by transactions, or at once by the event core. `make_port`: at fidelity flit; else empty. `pcie`: the
    /// switch whose uplink the DMA shares, which must outlive the node; null: none.
    Node(const sc_core::sc_module_name& name, const NodeParams& params, const MachineParts& parts, DmaModule::Grain dma,
         const MakePort& make_port = {}, PcieSwitch* pcie = nullptr);

    /// References to the parts that the NIC's logic uses, valid as long as the node.
    NodeParts parts() {
        return {dma_.server(), *engine_, reduce_unit_, island_port_ ? &*island_port_ : nullptr, staging_.get()};
    }
    const Engine& engine() const { return *engine_; }
    /// For a waveform: when the engine was busy in the job that has ended.
    void record_engine();

private:
    std::unique_ptr<MemoryModule> memory_;
    DmaModule dma_;
    std::unique_ptr<Engine> engine_;
    ReduceUnitModule reduce_unit_;
    std::optional<IslandPort> island_port_;
    std::unique_ptr<StagingMemoryModule> staging_;   ///< null: unlimited
    std::unique_ptr<sc_core::sc_module> nic_;        ///< the port
    Level* encoder_busy_ = nullptr;
    Level* decoder_busy_ = nullptr;
};

}   // namespace oscar

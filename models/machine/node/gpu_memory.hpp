// GPU memory as the DMA of a node reaches it: a target of TLM-2.0 transactions.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <tlm_utils/simple_target_socket.h>
#include <systemc>
#include <tlm>

#include "models/gpu/gpu_params.hpp"

namespace oscar {

/// A module that a DMA can be bound to, such as a DRAM simulator or an adapter to one. Transactions are non-blocking
/// generic payloads, one for each block that is read or written: a command, an address, a length. Their data pointer is
/// null, because values live in models/collective/endpoint; a memory that stores them sets its storage aside.
/// Addresses of each direction go up through the gradient in the order of the requests.
///
/// nb_transport_fw(payload, BEGIN_REQ, delay) is called when the request's bytes have crossed the DMA's channel, at the
/// time of SystemC's clock plus `delay`. It answers in the same call: TLM_COMPLETED, or TLM_UPDATED with BEGIN_RESP,
/// and `delay` moved on to the time of its response. Times of a NIC are known ahead of SystemC's clock, so that an
/// answer by nb_transport_bw, later, is an error.
struct MemoryModule : sc_core::sc_module {
    using sc_module::sc_module;
    /// The socket to which a node binds its DMA.
    virtual tlm::tlm_target_socket<>& socket() = 0;
};

using MakeGpuMemory = std::function<std::unique_ptr<MemoryModule>(const std::string& name, const GpuParams& gpu)>;

/// Answers each request `gpu.dma_latency` later; any number are in progress at once.
class GpuMemory final : public MemoryModule {
public:
    GpuMemory(const sc_core::sc_module_name& name, const GpuParams& gpu);
    tlm::tlm_target_socket<>& socket() override { return socket_; }

private:
    tlm::tlm_sync_enum transport(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);

    sc_core::sc_time latency_;
    tlm_utils::simple_target_socket<GpuMemory> socket_;
};

/// The supplied memory.
std::unique_ptr<MemoryModule> make_gpu_memory(const std::string& name, const GpuParams& gpu);

}   // namespace oscar

#include "models/machine/node/gpu_memory.hpp"

#include "models/machine/base/kernel_time.hpp"

namespace oscar {

GpuMemory::GpuMemory(const sc_core::sc_module_name& name, const GpuParams& gpu)
    : MemoryModule(name), latency_(to_sc(gpu.dma_latency)), socket_("socket") {
    socket_.register_nb_transport_fw(this, &GpuMemory::transport);
}

tlm::tlm_sync_enum GpuMemory::transport(tlm::tlm_generic_payload& payload, tlm::tlm_phase&, sc_core::sc_time& delay) {
    delay += latency_;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
}

std::unique_ptr<MemoryModule> make_gpu_memory(const std::string& name, const GpuParams& gpu) {
    return std::make_unique<GpuMemory>(name.c_str(), gpu);
}

}   // namespace oscar

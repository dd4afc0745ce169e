#include "models/machine/node/node.hpp"

namespace oscar {

Node::Node(const sc_core::sc_module_name& name, const NodeParams& params, const MachineParts& parts,
           DmaModule::Grain dma, const NicPortParams* port)
    : sc_module(name),
      memory_((parts.make_gpu_memory ? parts.make_gpu_memory : make_gpu_memory)("gpu_memory", params.gpu)),
      dma_("dma", params.gpu, dma),
      engine_((parts.make_engine ? parts.make_engine : make_engine_module)("engine", params.engine)),
      reduce_unit_("reduce_unit", params.nic) {
    dma_.socket.bind(memory_->socket());
    if (port != nullptr) nic_.emplace("nic", port->links, port->owner);
}

}   // namespace oscar

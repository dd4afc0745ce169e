#include "models/machine/node/node.hpp"

#include "models/machine/node/array_engine_module.hpp"

namespace oscar {
namespace {

std::unique_ptr<Engine> supplied_engine(const std::string& name, const EngineParams& params) {
    return params.kind == EngineKind::pipelined ? make_engine_module(name, params)
                                                : make_array_engine_module(name, params);
}

}   // namespace

Node::Node(const sc_core::sc_module_name& name, const NodeParams& params, const MachineParts& parts,
           DmaModule::Grain dma, const MakePort& make_port, PcieSwitch* pcie)
    : sc_module(name),
      memory_((parts.make_gpu_memory ? parts.make_gpu_memory : make_gpu_memory)("gpu_memory", params.gpu)),
      dma_("dma", params.gpu, dma, parts.waveform, pcie),
      engine_((parts.make_engine ? parts.make_engine : supplied_engine)("engine", params.engine)),
      reduce_unit_("reduce_unit", params.nic) {
    if (params.nic.staging_memory)
        staging_ = std::make_unique<StagingMemoryModule>("staging_memory", *params.nic.staging_memory);
    dma_.socket.bind(memory_->socket());
    encoder_busy_ = level_of(parts.waveform, std::string(this->name()) + ".engine", "encoder_busy");
    decoder_busy_ = level_of(parts.waveform, std::string(this->name()) + ".engine", "decoder_busy");
    if (params.gpu.island_port) island_port_.emplace(*params.gpu.island_port);
    if (make_port) nic_ = make_port();
}

void Node::record_engine() {
    if (encoder_busy_ != nullptr)
        for (const Span span : engine_->encoder_busy()) encoder_busy_->add_busy(span);
    if (decoder_busy_ != nullptr)
        for (const Span span : engine_->decoder_busy()) decoder_busy_->add_busy(span);
}

}   // namespace oscar

#include "sim/checks/staging.hpp"

#include <string>

#include "models/gpu/gpu_kernels.hpp"

namespace oscar {

void check_staging(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    for (std::size_t i = 0; i < p.nodes.size(); ++i)
        if (p.nodes[i].gpu.staging != p.gpu.staging)
            experiment.source.child("nodes")
                .child(std::to_string(i))
                .child("gpu")
                .child("staging")
                .fail("all GPUs stage alike; write it for all, and here only what differs");
    if (p.gpu.staging == Staging::nic) return;
    const ConfigNode node = experiment.source.child("gpu").child("staging");
    if (kernel_bandwidth(p.gpu) < Bandwidth{3 * p.gpu.dma_bandwidth.mbps})
        node.fail(
            "kernels read a value twice and write it once, and cannot keep up with gpu.dma_bandwidth; raise "
            "gpu.memory_bandwidth, or write nic");
    for (const Method& method : p.methods) {
        if (p.gpu.gradients == GradientForm::fp32 && !std::holds_alternative<Fp32Params>(method.codec.params))
            node.fail("kernels add what " + method.name +
                      " sends, and with gpu.gradients: fp32 the NIC alone makes that; write gpu.gradients: codes");
        if (method.delta_gather.value_or(p.delta_gather))
            node.fail("with delta_gather, what a NIC adds must stay in the NIC; leave out one of the two");
        if (method.lossy && method.lossy->coded)
            node.fail("kernels add uncoded values, and " + method.name +
                      " would code them; leave out its codec, or "
                      "write nic");
    }
}

}   // namespace oscar

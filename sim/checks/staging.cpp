#include "sim/checks/staging.hpp"

#include <string>

#include "models/gpu/gpu_kernels.hpp"

#include "sim/checks/kernel_sums.hpp"

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
    check_sums_of_kernels(p, node, "write nic");
}

}   // namespace oscar

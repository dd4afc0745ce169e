#include "sim/checks/kernel_sums.hpp"

namespace oscar {

void check_sums_of_kernels(const Parameters& p, const ConfigNode& node, const std::string& instead) {
    for (const Method& method : p.methods) {
        if (p.gpu.gradients == GradientForm::fp32 && !std::holds_alternative<Fp32Params>(method.codec.params))
            node.fail("kernels add what " + method.name +
                      " sends, and with gpu.gradients: fp32 the NIC alone makes that; write gpu.gradients: codes");
        if (method.delta_gather.value_or(p.delta_gather))
            node.fail("with delta_gather, what a NIC adds must stay in the NIC; leave out one of the two");
        if (method.lossy && method.lossy->coded)
            node.fail("kernels add uncoded values, and " + method.name + " would code them; leave out its codec, or " +
                      instead);
    }
}

}   // namespace oscar

#include "sim/checks/kernel_sums.hpp"

#include <fmt/format.h>

#include "sim/parameters/method_setup.hpp"

namespace oscar {
namespace {

bool sends_words(const Method& method) { return !method.lossy && element_type_of(method) != ElementType::integer; }

/// ConfigError at a method that sends other than words; `why` says what they are needed for.
void require_words(const Experiment& experiment, const std::string& why) {
    const Parameters& p = experiment.parameters;
    for (std::size_t i = 0; i < p.methods.size(); ++i)
        if (!sends_words(p.methods[i]))
            experiment.source.child("methods")
                .child(std::to_string(i))
                .fail(fmt::format("{}, and {} sends others; choose fp32, bf16 or fp8, or run it in a file of its own",
                                  why, p.methods[i].name));
}

}   // namespace

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

void check_protocol_of_direct(const Experiment& experiment) {
    const auto* direct = std::get_if<DirectParams>(&experiment.parameters.collective.params);
    if (direct == nullptr || direct->protocol == NcclProtocol::simple) return;
    require_words(experiment, fmt::format("collective.protocol: {} has flags between words of whole bytes",
                                          to_text(direct->protocol)));
}

void check_words(const Experiment& experiment) {
    if (experiment.parameters.gpu.gradients != GradientForm::words) return;
    require_words(experiment, "gpu.gradients: words are sent as they are");
}

}   // namespace oscar

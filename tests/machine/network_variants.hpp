// The same machine at each fidelity and with each flow control.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "tests/machine/support.hpp"

namespace oscar::test {

struct NetworkVariant {
    std::string name;
    MachineSpec spec;
    bool as_packet =
        true;   ///< documented to take the times of fidelity packet with credits, which is the first variant
};

/// Whether packets of a flow take routes of their own.
inline bool sprays(const MachineSpec& spec) { return std::holds_alternative<SprayParams>(spec.network.routing.params); }

/// At each fidelity, with credits: what changes no time whatever the buffers.
inline std::vector<NetworkVariant> fidelities_of(MachineSpec spec) {
    std::vector<NetworkVariant> variants;
    for (const TimingFidelity fidelity : {TimingFidelity::packet, TimingFidelity::flit, TimingFidelity::message}) {
        spec.fidelity = fidelity;
        variants.push_back({std::string(to_text(fidelity)), spec});
    }
    return variants;
}

/// With each flow control, repair and congestion control: where no credit is waited for, nothing is dropped, paused,
/// marked or damaged, only answers, which take room on the links, change times. Precondition: links whose buffers hold
/// all that is ever on its way.
inline std::vector<NetworkVariant> controls_of(MachineSpec spec) {
    spec.fidelity = TimingFidelity::packet;
    LinkRetryParams retry;
    retry.replay_buffer = 1_GiB;
    DcqcnParams unmarked;
    unmarked.mark_from = unmarked.mark_all_from = 1_GiB;
    std::vector<NetworkVariant> variants;
    const auto add = [&](const std::string& name, bool as_packet, const auto& change) {
        variants.push_back({name, spec, as_packet});
        change(variants.back().spec.network);
    };
    add("pfc", true, [](NetworkParams& n) { n.flow_control = PfcParams{}; });
    add("lossy", true, [](NetworkParams& n) { n.flow_control = LossyParams{}; });
    add("link_retry", true, [&](NetworkParams& n) { n.reliability = retry; });
    add("pfc with link_retry", true, [&](NetworkParams& n) {
        n.flow_control = PfcParams{};
        n.reliability = retry;
    });
    if (sprays(spec)) return variants;   // those below answer in order
    add("dcqcn", true, [&](NetworkParams& n) { n.congestion = unmarked; });
    add("lossy with go_back_n", false, [](NetworkParams& n) {
        n.flow_control = LossyParams{};
        n.reliability = GoBackNParams{};
    });
    return variants;
}

/// One machine for each: all of them before the kernel starts.
inline std::vector<std::unique_ptr<Machine>> machines_of(const std::vector<NetworkVariant>& variants,
                                                         const std::string& prefix = "machine") {
    std::vector<std::unique_ptr<Machine>> machines;
    for (std::size_t i = 0; i < variants.size(); ++i)
        machines.push_back(std::make_unique<Machine>(variants[i].spec, prefix + "_" + std::to_string(i)));
    return machines;
}

}   // namespace oscar::test

#include "sim/checks/waveform.hpp"

namespace oscar {

void check_waveform(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    if (!p.waveform) return;
    const ConfigNode node = experiment.source.child("waveform");
    if (p.fidelity != TimingFidelity::flit)
        node.fail("signals are those of the modules of fidelity flit; write fidelity: flit");
    if (p.waveform->to && *p.waveform->to <= p.waveform->from)
        node.child("to").fail("ends no later than from; write a later end, or leave it out");
}

}   // namespace oscar

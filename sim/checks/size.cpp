#include "sim/checks/size.hpp"

#include <limits>
#include <stdexcept>

#include "sim/config/read.hpp"

namespace oscar {
namespace {

const FlowsParams* flows_in(const Parameters& p) { return std::get_if<FlowsParams>(&p.collective.params); }

void check_flow_sizes(const FlowsParams& params, std::uint32_t ranks, const ConfigNode& list) {
    for (std::size_t i = 0; i < params.flows.size(); ++i)
        if (params.flows[i].bytes.count % 4 != 0)
            list.child(std::to_string(i))
                .child("bytes")
                .fail("is no whole number of fp32 values; make it a multiple of 4B");
    Bytes all;
    try {
        all = size_of(params, ranks);
    } catch (const std::invalid_argument& error) {
        list.fail(error.what());
    }
    if (values_of(all) > std::numeric_limits<std::uint32_t>::max())
        list.fail("all flows together have more than 2^32 values; send fewer bytes");
}

}   // namespace

void check_flows(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    if (flows_in(p) == nullptr) return;
    const ConfigNode list = experiment.source.child("collective").child("flows");
    if (p.payload == Payload::synthetic) return check_flow_sizes(*flows_in(p), p.ranks, list);
    if (!flows_in(p)->flows.empty())
        list.fail("a list of transfers carries no values; set payload: synthetic and leave out trace");
}

void check_keys_of_a_trace(const Experiment& experiment) {
    if (experiment.parameters.payload != Payload::synthetic) return;
    for (const char* key : {"trace", "iterations", "layers", "bucket", "step"})
        if (const ConfigNode node = experiment.source.child(key); node.form != ConfigNode::Form::null)
            node.fail(
                "payload synthetic carries no values and has no trace; leave it out, and say how big a gradient is, "
                "like size: 64MiB");
}

void check_size(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    const ConfigNode node = experiment.source.child("size");
    if (p.payload != Payload::synthetic) {
        if (p.size) node.fail("a trace has its own; leave it out, or set payload: synthetic and leave out trace");
        return;
    }
    if (flows_in(p) != nullptr) {
        if (p.size) node.fail("flows have sizes of their own; leave it out");
        return;
    }
    if (!p.size) node.fail("is missing; payload synthetic needs the size of a gradient, like size: 64MiB");
    if (p.size->count % 4 != 0) node.fail("is no whole number of fp32 values; make it a multiple of 4B");
}

void check_trace_is_named(const Experiment& experiment) {
    const ConfigNode trace = experiment.source.child("trace");
    if (experiment.parameters.payload == Payload::synthetic || trace.form != ConfigNode::Form::null) return;
    if (experiment.file.parent_path().filename() == "parts")
        trace.fail("is missing, for the file is a part; an experiment takes it by base: [" +
                   experiment.file.stem().string() + "] beside its trace");
    trace.fail("is missing; write trace: FOLDER, like trace: lenet-fmnist");
}

}   // namespace oscar

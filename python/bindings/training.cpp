// Training files and the prices of a GPU, as python/oscar_training takes them.
#include "sim/parameters/training_file.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "models/gpu/gpu_kernels.hpp"
#include "python/bindings/bindings.hpp"

namespace oscar::python {

namespace {

using namespace py::literals;

double seconds_of(Time time) { return static_cast<double>(time.ps) / 1e12; }

/// Bytes a second and seconds of a launch, of kernels on this GPU.
py::tuple price_of(const GpuParams& gpu) {
    return py::make_tuple(static_cast<double>(kernel_bandwidth(gpu).mbps) * 1e6 / 8, seconds_of(gpu.kernel_latency));
}

/// The same of a GPU that `json` tells of as `gpu` of an experiment does. Throws ConfigError.
py::tuple kernel_price(const std::string& json) {
    GpuParams gpu;
    read(parse_config(json, "gpu"), gpu);
    return price_of(gpu);
}

/// Maps, lists and texts; None for nothing.
py::object content_of(const ConfigNode& node) {
    switch (node.form) {
        case ConfigNode::Form::null:
            return py::none();
        case ConfigNode::Form::scalar:
            return py::str(node.text);
        case ConfigNode::Form::list: {
            py::list list;
            for (const ConfigNode& entry : node.children) list.append(content_of(entry));
            return list;
        }
        case ConfigNode::Form::map: {
            py::dict map;
            for (const ConfigNode& entry : node.children) map[py::str(entry.key)] = content_of(entry);
            return map;
        }
    }
    return py::none();
}

/// `FILE:LINE:COLUMN: path`, to which Python adds what is wrong.
std::string place_of(const ConfigNode& node) { return node.location.text() + ": " + node.path; }

py::dict training_of(const std::filesystem::path& file) {
    const TrainingFile training = read_training(file);
    const TrainingParams& p = training.params;
    py::list methods;
    for (const TrainingMethod& method : training.methods)
        methods.append(py::make_tuple(method.name, method.kind, content_of(method.source), place_of(method.source)));
    py::dict places;
    for (const ConfigNode& entry : training.source.children) places[py::str(entry.key)] = place_of(entry);
    return py::dict("workload"_a = p.workload, "name"_a = p.name, "gpu"_a = p.gpu,
                    "compute"_a = py::make_tuple(seconds_of(p.compute.forward), seconds_of(p.compute.backward),
                                                 seconds_of(p.compute.optimiser)),
                    "scale"_a = p.scale, "learning_rate"_a = p.learning_rate, "ranks"_a = p.ranks, "steps"_a = p.steps,
                    "epoch"_a = p.epoch, "evaluate"_a = p.evaluate, "seeds"_a = py::tuple(py::cast(p.seeds)),
                    "machine"_a = content_of(training.source.child("machine")), "methods"_a = methods,
                    "kernel_price"_a = price_of(training.machine.gpu), "places"_a = places);
}

/// The operations that have a price.
py::dict given(const OperationPrices& prices) {
    py::dict result;
    for_each_field<OperationPrices>([&](const auto& field) {
        if (const auto& value = prices.*field.member) result[py::str(field.key)] = *value;
    });
    return result;
}

py::dict price_list_of(const std::filesystem::path& file) {
    const PriceList list = read_price_list(file);
    return py::dict("source"_a = list.source, "bytes"_a = given(list.bytes), "seconds"_a = given(list.seconds));
}

}   // namespace

void bind_training(py::module_& module) {
    module.def("kernel_price", &kernel_price, py::arg("json"));
    module.def("read_training", &training_of, py::arg("file"));
    module.def("read_price_list", &price_list_of, py::arg("file"));
}

}   // namespace oscar::python

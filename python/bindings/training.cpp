// Training files, as python/oscar_training takes them.
#include "sim/parameters/training_file.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "python/bindings/bindings.hpp"

namespace oscar::python {

namespace {

using namespace py::literals;

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
    return py::dict(
        "workload"_a = p.workload, "name"_a = p.name, "learning_rate"_a = p.learning_rate, "ranks"_a = p.ranks,
        "steps"_a = p.steps, "epoch"_a = p.epoch, "evaluate"_a = p.evaluate, "seeds"_a = py::tuple(py::cast(p.seeds)),
        "machine"_a = content_of(training.source.child("machine")), "methods"_a = methods, "places"_a = places);
}

}   // namespace

void bind_training(py::module_& module) { module.def("read_training", &training_of, py::arg("file")); }

}   // namespace oscar::python

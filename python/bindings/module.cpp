// oscar_sim._core: quantisers, codecs and compressors on NumPy arrays. The Python side is python/oscar_sim.
#include "python/bindings/bindings.hpp"

#include <pybind11/stl.h>

#include "models/codec/kinds/codecs.hpp"
#include "models/compressor/compressors.hpp"
#include "models/quantise/quantiser.hpp"

namespace oscar::python {

namespace {

template <class List>
py::dict meanings(const List& list) {
    py::dict result;
    for_each_kind(list, [&](const auto& kind) { result[py::str(kind.name)] = py::str(kind.meaning); });
    return result;
}

py::dict families() {
    py::dict result;
    result["quantiser"] = meanings(quantisers);
    result["codec"] = meanings(codecs);
    result["compressor"] = meanings(lossy_kinds);
    return result;
}

}   // namespace

PYBIND11_MODULE(_core, module) {
    module.doc() = "Quantisers, codecs and lossy compressors of oscar-sim on NumPy arrays";
    module.attr("__version__") = OSCAR_VERSION;
    py::register_exception<ConfigError>(module, "ConfigError", PyExc_ValueError);
    const auto& corrupt = py::register_exception<CorruptStream>(module, "CorruptStream", PyExc_ValueError);
    py::register_exception<TableMismatch>(module, "TableMismatch", corrupt);
    module.def("families", &families, "Kinds and their meanings, by family");
    bind_quantiser(module);
    bind_codec(module);
    bind_compressor(module);
    bind_trace_codes(module);
    bind_training(module);
}

}   // namespace oscar::python

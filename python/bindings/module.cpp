// oscar_sim._core: quantisers, codecs and compressors on NumPy arrays. The Python side is python/oscar_sim.
#include "python/bindings/bindings.hpp"

#include <pybind11/stl.h>

#include <nlohmann/json.hpp>

#include "models/codec/kinds/codecs.hpp"
#include "models/compressor/compressors.hpp"
#include "models/gpu/gpu_kernels.hpp"
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

/// A time as a configuration would hold it, such as "1.4ms". Throws ConfigError.
std::int64_t picoseconds(const std::string& text) {
    Time time{};
    read(parse_config(nlohmann::json(text).dump(), "time"), time);
    return time.ps;
}

/// Bytes a second and seconds of a launch, of kernels on the GPU that `json` tells of as `gpu` of an experiment does.
/// Throws ConfigError.
py::tuple kernel_price(const std::string& json) {
    GpuParams gpu;
    read(parse_config(json, "gpu"), gpu);
    return py::make_tuple(static_cast<double>(kernel_bandwidth(gpu).mbps) * 1e6 / 8,
                          static_cast<double>(gpu.kernel_latency.ps) / 1e12);
}

}   // namespace

PYBIND11_MODULE(_core, module) {
    module.doc() = "Quantisers, codecs and lossy compressors of oscar-sim on NumPy arrays";
    module.attr("__version__") = OSCAR_VERSION;
    py::register_exception<ConfigError>(module, "ConfigError", PyExc_ValueError);
    const auto& corrupt = py::register_exception<CorruptStream>(module, "CorruptStream", PyExc_ValueError);
    py::register_exception<TableMismatch>(module, "TableMismatch", corrupt);
    module.def("families", &families, "Kinds and their meanings, by family");
    module.def("picoseconds", &picoseconds, py::arg("text"));
    module.def("kernel_price", &kernel_price, py::arg("json"));
    bind_quantiser(module);
    bind_codec(module);
    bind_compressor(module);
    bind_trace_codes(module);
}

}   // namespace oscar::python

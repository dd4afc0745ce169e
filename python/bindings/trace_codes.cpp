// The codes that an experiment makes of a trace, to hold them against those that something else sends.
#include <numeric>

#include "python/bindings/arrays.hpp"
#include "python/bindings/bindings.hpp"
#include "sim/replay/codes.hpp"
#include "sim/trace/error.hpp"

namespace oscar::python {

namespace {

/// Arrays [iteration][rank][element] of all layers. Throws TraceError.
py::list trace_codes(const std::string& folder, const std::string& quantiser, std::uint32_t ranks, std::uint64_t seed) {
    const Trace trace = Trace::open(folder);
    std::vector<std::size_t> layers(trace.manifest().layers.size());
    std::iota(layers.begin(), layers.end(), 0);
    const Replay replay(trace, ranks, std::move(layers));
    CodeSource source(replay.tensors(), ranks, read_kind_from<Quantiser>(quantiser, "quantiser"), seed);
    py::list result;
    for (std::uint32_t position = 0; position < trace.manifest().iterations.size(); ++position) {
        py::list of_ranks;
        for (auto& codes : source.next(replay, position).codes) of_ranks.append(to_array(std::move(codes)));
        result.append(std::move(of_ranks));
    }
    return result;
}

}   // namespace

void bind_trace_codes(py::module_& module) {
    py::register_exception<TraceError>(module, "TraceError", PyExc_ValueError);
    module.def("trace_codes", &trace_codes, py::arg("folder"), py::arg("quantiser"), py::arg("ranks"),
               py::arg("seed") = 1);
}

}   // namespace oscar::python

#include "models/compressor/base/compressor.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <map>

#include "models/compressor/base/feedback.hpp"
#include "models/compressor/compressors.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/bindings.hpp"

namespace oscar::python {

namespace {

using Shapes = std::vector<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>>;   // begin, end, rows

/// A compressor of all ranks and its state.
class PyCompressor {
public:
    PyCompressor(const std::string& json, std::uint32_t ranks, std::uint64_t seed, bool feedback)
        : compressor_(make_compressor(read_kind_from<LossyKind>(json, "compressor"), ranks, seed)) {
        if (!feedback) return;
        if (!takes_error_feedback())
            throw std::invalid_argument("feedback: this kind has its own, or what it sends is no part of the gradient");
        compressor_ = with_error_feedback(std::move(compressor_));
    }

    CompressionResult step(const py::sequence& gradients, const std::optional<Shapes>& tensors) {
        std::vector<Array<float>> held;   // alive while spans of them are in use
        std::vector<std::span<const float>> views;
        for (const py::handle gradient : gradients) {
            const std::string what = "rank " + std::to_string(views.size());
            if (!Array<float>::check_(gradient))
                throw py::type_error(what + ": a contiguous array of float32 is wanted");
            held.push_back(py::reinterpret_borrow<Array<float>>(gradient));
            views.push_back(elements(held.back(), what));
        }
        std::vector<TensorShape> shapes;
        if (!tensors) shapes.push_back({0, views.empty() ? 0 : views[0].size(), 0});
        else
            for (const auto& [begin, end, rows] : *tensors) shapes.push_back({begin, end, rows});
        const py::gil_scoped_release others_may_run;
        return compressor_->step(views, shapes);
    }
    void completed(double backward, double compression, double communication) {
        compressor_->completed({seconds(backward), seconds(compression), seconds(communication)});
    }
    void end_epoch(double learning_rate) { compressor_->end_epoch(learning_rate); }
    void reset() { compressor_->reset(); }
    bool takes_error_feedback() const { return compressor_->takes_error_feedback(); }

private:
    static Time seconds(double s) { return Time{static_cast<std::int64_t>(s * 1e12)}; }
    std::unique_ptr<Compressor> compressor_;
};

py::dict to_dict(const ComputeCost& o) {
    using namespace py::literals;
    return py::dict("elements"_a = o.elements, "comparisons"_a = o.comparisons, "hashes"_a = o.hashes,
                    "additions"_a = o.additions, "multiplications"_a = o.multiplications, "draws"_a = o.draws,
                    "rounds"_a = o.rounds);
}

const char* name_of(CollectiveKind carrier) {
    switch (carrier) {
        case CollectiveKind::all_reduce:
            return "all_reduce";
        case CollectiveKind::all_gather:
            return "all_gather";
        case CollectiveKind::reduce_scatter:
            return "reduce_scatter";
        case CollectiveKind::reduce:
            return "reduce";
        case CollectiveKind::broadcast:
            return "broadcast";
        case CollectiveKind::all_to_all:
            return "all_to_all";
        case CollectiveKind::shift:
            return "shift";
    }
    return "";
}

/// "<Exchange index: all_gather of 400 bytes a rank>"
std::string text_of(const WordExchange& e) {
    return fmt::format("<Exchange {}: {} of {} bytes a rank>", e.what, name_of(e.carrier), e.padded);
}

py::list sent_of(CompressionResult& step) {
    py::list result;
    for (auto& values : step.sent) result.append(to_array(std::move(values)));
    step.sent.clear();
    return result;
}

}   // namespace

void bind_compressor(py::module_& module) {
    py::class_<WordExchange>(module, "Exchange")
        .def_readonly("what", &WordExchange::what)
        .def_property_readonly("carrier", [](const WordExchange& e) { return name_of(e.carrier); })
        .def_readonly("payload", &WordExchange::payload)
        .def_readonly("padded", &WordExchange::padded)
        .def_readonly("floats", &WordExchange::floats)
        .def_readonly("after", &WordExchange::after)
        .def_readonly("root", &WordExchange::root)
        .def_readonly("overlapped", &WordExchange::overlapped)
        .def("__repr__", &text_of);
    py::class_<CompressionResult>(module, "LossyStep")
        .def("take_mean", [](CompressionResult& s) { return to_array(std::move(s.mean)); })
        .def("take_sent", &sent_of)
        .def_readonly("exchanges", &CompressionResult::exchanges)
        .def_readonly("factors", &CompressionResult::factors)
        .def_property_readonly("gains",
                               [](const CompressionResult& s) {
                                   std::map<double, double> gains;
                                   for (const FactorGain& of : s.gains) gains[of.factor] = of.gain;
                                   return gains;
                               })
        .def_property_readonly("operations", [](const CompressionResult& s) { return to_dict(s.operations); });
    py::class_<PyCompressor>(module, "Compressor")
        .def(py::init<const std::string&, std::uint32_t, std::uint64_t, bool>(), py::arg("json"), py::arg("ranks"),
             py::arg("seed") = 1, py::arg("feedback") = false)
        .def("step", &PyCompressor::step, py::arg("gradients"), py::arg("tensors") = py::none())
        .def("completed", &PyCompressor::completed, py::arg("backward"), py::arg("compression"),
             py::arg("communication"))
        .def("end_epoch", &PyCompressor::end_epoch, py::arg("learning_rate"))
        .def("reset", &PyCompressor::reset)
        .def_property_readonly("takes_error_feedback", &PyCompressor::takes_error_feedback);
}

}   // namespace oscar::python

#include "models/quantise/quantiser.hpp"

#include <pybind11/stl.h>

#include <cmath>
#include <stdexcept>

#include "python/bindings/arrays.hpp"
#include "python/bindings/bindings.hpp"
#include "sim/trace/value_type.hpp"

namespace oscar::python {

namespace {

using Bounds = std::vector<std::pair<std::uint32_t, std::uint32_t>>;   // [begin, end) of each tensor

/// The parts of `values` values that have a scale of their own. Throws std::invalid_argument unless `tensors` tile
/// them; without tensors all values are one.
std::vector<Segment> groups_of(const Quantiser& quantiser, std::size_t values, const std::optional<Bounds>& tensors) {
    std::vector<Segment> segments;
    std::size_t end = 0;
    for (const auto& [begin, next] : tensors.value_or(Bounds{{0, static_cast<std::uint32_t>(values)}})) {
        if (begin != end || next < begin) throw std::invalid_argument("tensors: do not tile the values in order");
        segments.push_back({begin, next});
        end = next;
    }
    if (end != values)
        throw std::invalid_argument("tensors: end at " + std::to_string(end) + " of " + std::to_string(values) +
                                    " values");
    return scale_groups(quantiser, segments);
}

/// The elements of `array`. Throws std::invalid_argument if one is NaN or infinite, which no code stands for.
std::span<const float> finite_elements(const Array<float>& array, const std::string& what) {
    const auto values = elements(array, what);
    const std::size_t bad = first_not_finite(std::as_bytes(values), ValueType::f4);
    if (bad == values.size()) return values;
    throw std::invalid_argument(what + ": element " + std::to_string(bad) + " is " +
                                (std::isnan(values[bad]) ? "NaN" : "infinite") +
                                "; a quantiser takes finite values only");
}

/// One peak per scale. Throws std::invalid_argument for another number of them, or one that is no magnitude.
std::span<const float> checked_peaks(const Array<float>& array, std::size_t groups) {
    const auto peaks = finite_elements(array, "peaks");
    if (peaks.size() != groups)
        throw std::invalid_argument("peaks: " + std::to_string(peaks.size()) + " for " + std::to_string(groups) +
                                    " scales");
    for (std::size_t g = 0; g < groups; ++g)
        if (peaks[g] < 0)
            throw std::invalid_argument("peaks: element " + std::to_string(g) + " is " + std::to_string(peaks[g]) +
                                        "; a peak is a magnitude, at least 0");
    return peaks;
}

py::array_t<float> peaks_of(const Quantiser& quantiser, const Array<float>& array,
                            const std::optional<Bounds>& tensors) {
    const auto values = finite_elements(array, "values");
    return to_array(peaks(quantiser, values, groups_of(quantiser, values.size(), tensors)));
}

py::tuple codes_of(const Quantiser& quantiser, const Array<float>& array, const Array<float>& peaks,
                   const std::optional<Bounds>& tensors, std::uint64_t key) {
    const auto values = finite_elements(array, "values");
    const auto groups = groups_of(quantiser, values.size(), tensors);
    Quantised result = quantise(values, groups, checked_peaks(peaks, groups.size()), fixed_point(quantiser), key);
    return py::make_tuple(to_array(std::move(result.codes)), result.saturated);
}

py::array_t<float> values_of(const Quantiser& quantiser, const Array<std::int32_t>& array, const Array<float>& peaks,
                             const std::optional<Bounds>& tensors) {
    const auto sums = elements(array, "sums");
    const auto groups = groups_of(quantiser, sums.size(), tensors);
    return to_array(dequantise(sums, groups, checked_peaks(peaks, groups.size()), fixed_point(quantiser).bits));
}

}   // namespace

void bind_quantiser(py::module_& module) {
    py::class_<Quantiser>(module, "Quantiser")
        .def(py::init([](const std::string& json) { return read_kind_from<Quantiser>(json, "quantiser"); }),
             py::arg("json"))
        .def_property_readonly("bits", [](const Quantiser& q) { return fixed_point(q).bits; })
        .def("peaks", &peaks_of, py::arg("values").noconvert(), py::arg("tensors") = py::none())
        .def("quantise", &codes_of, py::arg("values").noconvert(), py::arg("peaks").noconvert(),
             py::arg("tensors") = py::none(), py::arg("key") = 0)
        .def("dequantise", &values_of, py::arg("sums").noconvert(), py::arg("peaks").noconvert(),
             py::arg("tensors") = py::none());
    module.def("widened_bits", &widened_bits, py::arg("bits"), py::arg("ranks"));
}

}   // namespace oscar::python

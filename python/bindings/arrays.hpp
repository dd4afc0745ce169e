// NumPy arrays as spans and vectors as NumPy arrays, neither of them copied.
#pragma once

#include <pybind11/numpy.h>

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace oscar::python {

namespace py = pybind11;

/// An array of one dimension without gaps; anything else is a TypeError at the call.
template <class T>
using Array = py::array_t<T, py::array::c_style>;

/// The elements of `array`, which must outlive the span. Throws py::type_error unless it has one dimension.
template <class T>
std::span<const T> elements(const Array<T>& array, const std::string& what) {
    if (array.ndim() != 1)
        throw py::type_error(what + ": an array of one dimension is wanted, not of " + std::to_string(array.ndim()));
    return {array.data(), static_cast<std::size_t>(array.size())};
}

/// The array that owns `values` from now on.
template <class T>
py::array_t<T> to_array(std::vector<T> values) {
    auto owned = std::make_unique<std::vector<T>>(std::move(values));
    const std::vector<T>& held = *owned;
    const py::capsule owner(owned.release(), [](void* vector) { delete static_cast<std::vector<T>*>(vector); });
    return py::array_t<T>(static_cast<py::ssize_t>(held.size()), held.data(), owner);
}

}   // namespace oscar::python

// What module.cpp puts together: each family binds itself.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "sim/config/load.hpp"
#include "sim/config/read.hpp"

namespace oscar::python {

namespace py = pybind11;

void bind_quantiser(py::module_& module);
void bind_codec(py::module_& module);
void bind_compressor(py::module_& module);
void bind_trace_codes(py::module_& module);
void bind_training(py::module_& module);

/// A kind of a family with its parameters, from JSON as a configuration would hold it. Throws ConfigError.
template <class Kind>
Kind read_kind_from(const std::string& json, const char* family) {
    Kind kind;
    read(parse_config(json, family), kind);
    return kind;
}

}   // namespace oscar::python

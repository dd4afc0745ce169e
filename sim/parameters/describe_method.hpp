// Description of a method, which is read by a function of its own.
#pragma once

#include "sim/describe/description.hpp"
#include "sim/parameters/parameters.hpp"

namespace oscar {

/// A parameter that each kind may have beside its own.
template <class T>
ParameterDescription beside_kind(const char* key, const char* meaning, const T& initial) {
    ParameterDescription made{.key = key, .meaning = meaning};
    made.initial = oscar::to_json(initial);
    made.value = oscar::describe_value(initial);
    return made;
}

/// The kinds of codecs, presets and lossy compressors, and the parameters that each may have beside its own.
ValueDescription describe_value(const Method& method);

}   // namespace oscar

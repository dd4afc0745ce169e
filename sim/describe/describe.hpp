// Tables of parameters for `oscar-sim describe`: key, default, range and meaning.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/describe/description.hpp"

namespace oscar {

/// One line of a table of parameters. `initial` is the default, `legal` the range or the type.
struct DescribeRow {
    std::string key, initial, legal, meaning;
};

/// The rows below their heading, columns aligned, meanings wrapped so that lines keep to `width` characters. Where the
/// columns leave no room for meanings, these stand below their rows.
std::string describe_table(const std::vector<DescribeRow>& rows, std::size_t width,
                           const DescribeRow& heading = {"parameter", "default", "range", "meaning"});

/// A default as text: quantities with unit, `[a, b]` for lists, the name for kinds, "none" for null.
std::string describe_default(const nlohmann::ordered_json& value);

/// A table of the parameters. Members of nested sets have dotted keys, members of a list's entries `key[].member`;
/// choices and kinds are listed below their parameter.
std::string describe_parameter_table(const std::vector<ParameterDescription>& parameters, std::size_t width);

/// A table of the kinds of a family, each with its parameters indented below it. The first kind is the default.
std::string describe_kind_table(const std::vector<KindDescription>& kinds, std::size_t width);

}   // namespace oscar

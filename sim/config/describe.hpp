// Tables of parameters for `oscar-sim describe`: key, default, range and meaning, from the field tables alone.
#pragma once

#include <concepts>
#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/fields.hpp"
#include "models/core/kinds.hpp"
#include "sim/config/echo.hpp"

namespace oscar::inline config {

/// One line of a table of parameters. `initial` is the default, `legal` the range or the type.
struct DescribeRow {
    std::string key, initial, legal, meaning;
};

/// The rows below their heading, columns aligned, meanings wrapped so that lines keep to `width` characters.
std::string describe_table(const std::vector<DescribeRow>& rows, std::size_t width = 110,
                           const DescribeRow& heading = {"parameter", "default", "range", "meaning"});

/// A default as text: quantities with unit, `[a, b]` for lists, the name for kinds, "none" for null.
std::string describe_default(const nlohmann::ordered_json& value);

/// The rows of all parameters of `params`, whose values are the defaults. Members of nested sets have dotted keys below
/// `prefix`, those of the entries of a list `key[].member`; choices and kinds are listed below their parameter.
template <FieldTable P>
void describe_rows(const P& params, const std::string& prefix, std::vector<DescribeRow>& rows);

/// A table of all parameters of `P`.
template <FieldTable P>
std::string describe_params() {
    std::vector<DescribeRow> rows;
    describe_rows(P{}, "", rows);
    return describe_table(rows);
}

/// A table of the kinds of a family, each with its parameters indented below it. The first kind is the default.
template <class List>
std::string describe_family(const List& list);

}   // namespace oscar::inline config

#include "sim/config/describe_impl.hpp"

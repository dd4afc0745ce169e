// Description of parameters as data, made of the field tables: tables of `oscar-sim describe`, its JSON and the JSON
// schemas are printed from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/fields.hpp"
#include "models/core/kinds.hpp"

namespace oscar::inline config {

enum class ValueForm : std::uint8_t {
    boolean,
    whole_number,
    number,
    text,
    time,
    bytes,
    bandwidth,
    frequency,
    choice,
    kind,
    list,
    map
};

struct ParameterDescription;

/// One value of an enumeration.
struct ChoiceDescription {
    std::string name, meaning;
};

/// One kind of a family, with its parameters.
struct KindDescription {
    std::string name, meaning;
    std::vector<ParameterDescription> parameters;
};

/// What may stand at a place of a configuration or a report.
struct ValueDescription {
    ValueForm form = ValueForm::map;
    bool nullable = false;                         ///< null is a value of its own
    std::vector<ChoiceDescription> choices = {};   ///< of a choice
    std::vector<KindDescription> kinds = {};       ///< of a kind
    std::size_t initial_kind = 0;                  ///< position of the default among them
    /// Of a map, or beside those of a kind; none: a map with any keys.
    std::vector<ParameterDescription> parameters;
    std::vector<ValueDescription> element = {};   ///< of a list: the one description of all entries
};

struct ParameterDescription {
    std::string key = {}, meaning = {};
    nlohmann::ordered_json initial = {};         ///< the default, as the report echoes it
    nlohmann::ordered_json min = {}, max = {};   ///< inclusive; null where there is no range
    ValueDescription value = {};
};

/// Of a value with the default `initial`. Types of other modules join by an overload in their own namespace.
template <class T>
ValueDescription describe_value(const T& initial);

/// Of each field of the table.
template <FieldTable P>
std::vector<ParameterDescription> describe_parameters(const P& defaults);

/// Of a family, as of a parameter whose default is its first kind.
template <class List>
ValueDescription describe_kinds(const List& list);

/// "2 to 4096", "list of numbers", "time or null": what may stand there, in words.
std::string type_text(const ValueDescription& value);
/// The range of a parameter, or its type where it has none.
std::string legal_text(const ParameterDescription& parameter);

/// The description as JSON: key, type, default, min, max, meaning; choices, kinds, parameters or entries below.
nlohmann::ordered_json to_json(const ParameterDescription& parameter);
/// The same of a value: type; choices, kinds, parameters or entries below.
nlohmann::ordered_json to_json(const ValueDescription& value);

}   // namespace oscar::inline config

#include "sim/config/description_impl.hpp"

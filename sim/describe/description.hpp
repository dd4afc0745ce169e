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

namespace oscar {

enum class ValueForm : std::uint8_t {
    boolean,
    whole_number,
    number,
    text,
    time,
    bytes,
    bandwidth,
    frequency,
    area,
    energy,
    power,
    energy_per_bit,
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

/// The values that are possible at a place of a configuration or a report.
struct ValueDescription {
    ValueForm form = ValueForm::map;
    bool nullable = false;                         ///< null is a value of its own
    std::vector<ChoiceDescription> choices = {};   ///< of a choice
    std::vector<KindDescription> kinds = {};       ///< of a kind
    std::size_t initial_kind = 0;                  ///< position of the default among them
    /// The parameters of a map (none: it may have any keys), or the ones that each kind has beside its own.
    std::vector<ParameterDescription> parameters;
    std::vector<ValueDescription> element = {};   ///< of a list: the one description of all entries
};

struct ParameterDescription {
    std::string key = {}, meaning = {};
    nlohmann::ordered_json initial = {};         ///< the default, as the report echoes it
    nlohmann::ordered_json min = {}, max = {};   ///< inclusive; null where there is no range
    ValueDescription value = {};
    bool per_rank = false;   ///< each rank may have a value of its own
};

/// The description of a value with the default `initial`. Types of other modules join by an overload in their own
/// namespace.
template <class T>
ValueDescription describe_value(const T& initial);

/// The description of each field of the table, in its order, with the values of `defaults` as defaults.
template <FieldTable P>
std::vector<ParameterDescription> describe_parameters(const P& defaults);

/// The description of a family of kinds, as of a parameter whose default is its first kind.
template <class List>
ValueDescription describe_kinds(const List& list);

/// "2 to 4096", "list of numbers", "time or null": what may stand there, in words.
std::string type_text(const ValueDescription& value);
/// The range of a parameter, or its type where it has none.
std::string legal_text(const ParameterDescription& parameter);

/// The description as JSON: key, type, default, min, max, meaning; choices, kinds, parameters or entries below.
nlohmann::ordered_json to_json(const ParameterDescription& parameter);
/// The description of a value as JSON: type; choices, kinds, parameters or entries below.
nlohmann::ordered_json to_json(const ValueDescription& value);

}   // namespace oscar

#include "sim/describe/description_impl.hpp"

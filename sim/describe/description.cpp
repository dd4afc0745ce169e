#include "sim/describe/description.hpp"

#include <fmt/format.h>

namespace oscar {
namespace {

std::string plain_text(const nlohmann::ordered_json& value) {
    return value.is_string()         ? value.get<std::string>()
           : value.is_number_float() ? number_text(value.get<double>())
                                     : value.dump();
}

/// The words for one value, and for several.
struct Words {
    std::string_view one, several;
};

Words words_of(ValueForm form) {
    switch (form) {
        case ValueForm::boolean:
            return {"true or false", "true or false"};
        case ValueForm::whole_number:
            return {"whole number", "whole numbers"};
        case ValueForm::number:
            return {"number", "numbers"};
        case ValueForm::text:
            return {"text", "texts"};
        case ValueForm::time:
            return {"time", "times"};
        case ValueForm::bytes:
            return {"bytes", "bytes"};
        case ValueForm::bandwidth:
            return {"bandwidth", "bandwidths"};
        case ValueForm::frequency:
            return {"frequency", "frequencies"};
        case ValueForm::area:
            return {"area", "areas"};
        case ValueForm::energy:
            return {"energy", "energies"};
        case ValueForm::power:
            return {"power", "powers"};
        case ValueForm::energy_per_bit:
            return {"energy per bit", "energies per bit"};
        case ValueForm::choice:
            return {"one of", "choices"};
        case ValueForm::kind:
            return {"one kind of", "kinds"};
        case ValueForm::list:
            return {"list", "lists"};
        case ValueForm::map:
            return {"map", "maps"};
    }
    return {};
}

/// The name of a form in JSON.
std::string_view form_name(ValueForm form) {
    switch (form) {
        case ValueForm::boolean:
            return "boolean";
        case ValueForm::choice:
            return "choice";
        case ValueForm::kind:
            return "kind";
        default:
            return words_of(form).one;
    }
}

nlohmann::ordered_json to_json(const ChoiceDescription& choice);
nlohmann::ordered_json to_json(const KindDescription& kind);

template <class Part>
nlohmann::ordered_json list_of(const std::vector<Part>& parts) {
    auto list = nlohmann::ordered_json::array();
    for (const Part& part : parts) list.push_back(to_json(part));
    return list;
}

nlohmann::ordered_json to_json(const ChoiceDescription& choice) {
    return {{"name", choice.name}, {"meaning", choice.meaning}};
}

nlohmann::ordered_json to_json(const KindDescription& kind) {
    return {{"name", kind.name}, {"meaning", kind.meaning}, {"parameters", list_of(kind.parameters)}};
}

}   // namespace

namespace description_detail {

ValueDescription of_form(ValueForm form) {
    ValueDescription made;
    made.form = form;
    return made;
}

ValueDescription list_of(ValueDescription element) {
    ValueDescription made = of_form(ValueForm::list);
    made.element.push_back(std::move(element));
    return made;
}

ValueDescription map_of(std::vector<ParameterDescription> parameters) {
    ValueDescription made = of_form(ValueForm::map);
    made.parameters = std::move(parameters);
    return made;
}

void add_choice(ValueDescription& made, std::string_view text, std::string_view meaning) {
    made.choices.push_back({std::string(text), std::string(meaning)});
}

void add_kind(ValueDescription& made, std::string_view name, std::string_view meaning,
              std::vector<ParameterDescription> parameters) {
    made.kinds.push_back({std::string(name), std::string(meaning), std::move(parameters)});
}

ParameterDescription& add_parameter(std::vector<ParameterDescription>& made, std::string_view key,
                                    std::string_view meaning, nlohmann::ordered_json initial, ValueDescription value) {
    ParameterDescription& parameter = made.emplace_back();
    parameter.key = key;
    parameter.meaning = meaning;
    parameter.initial = std::move(initial);
    parameter.value = std::move(value);
    return parameter;
}

}   // namespace description_detail

std::string type_text(const ValueDescription& value) {
    const std::string text = value.form == ValueForm::list && value.element.front().form != ValueForm::list
                                 ? "list of " + std::string(words_of(value.element.front().form).several)
                                 : std::string(words_of(value.form).one);
    return value.nullable ? text + " or null" : text;
}

std::string legal_text(const ParameterDescription& parameter) {
    if (parameter.min.is_null()) return type_text(parameter.value);
    return fmt::format("{} to {}{}", plain_text(parameter.min), plain_text(parameter.max),
                       parameter.value.nullable ? " or null" : "");
}

nlohmann::ordered_json to_json(const ValueDescription& value) {
    nlohmann::ordered_json object{{"type", form_name(value.form)}};
    if (value.nullable) object["nullable"] = true;
    if (!value.choices.empty()) object["choices"] = list_of(value.choices);
    if (!value.kinds.empty()) object["kinds"] = list_of(value.kinds);
    if (!value.parameters.empty()) object["parameters"] = list_of(value.parameters);
    if (!value.element.empty()) object["entries"] = to_json(value.element.front());
    return object;
}

nlohmann::ordered_json to_json(const ParameterDescription& parameter) {
    nlohmann::ordered_json object{
        {"key", parameter.key}, {"meaning", parameter.meaning}, {"default", parameter.initial}};
    if (!parameter.min.is_null()) object.update({{"min", parameter.min}, {"max", parameter.max}});
    object.update(to_json(parameter.value));
    return object;
}

}   // namespace oscar

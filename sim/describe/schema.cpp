#include "sim/describe/schema.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/core/physical.hpp"
#include "models/core/quantity_units.hpp"

namespace oscar {
namespace {

using Json = nlohmann::ordered_json;

/// A decimal number and one of the units.
template <class Q>
Json quantity_schema(Q unit, std::string_view example) {
    return {{"type", "string"},
            {"pattern",
             fmt::format(R"(^([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)? *({})$)", fmt::join(unit_names(unit), "|"))},
            {"examples", {example}}};
}

/// Each name with its meaning, for those who point at it.
template <class Named>
Json names_schema(const std::vector<Named>& named) {
    auto names = Json::array();
    std::string meanings;
    for (const Named& each : named) {
        names.push_back(each.name);
        meanings += fmt::format("{}{}: {}", meanings.empty() ? "" : "\n", each.name, each.meaning);
    }
    return {{"enum", names}, {"description", meanings}};
}

Json object_of(Json properties) {
    return {{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
}

/// The schema of a parameter, with its meaning before the value's own description, such as its choices.
Json property_of(const ParameterDescription& parameter) {
    Json schema = schema_of(parameter.value);
    const std::string more = schema.value("description", "");
    schema["description"] = parameter.meaning + (more.empty() ? "" : "\n" + more);
    if (parameter.min.is_string()) {
        schema["description"] = fmt::format("{} ({})", schema["description"].get<std::string>(), legal_text(parameter));
    } else if (!parameter.min.is_null()) {
        Json& number = schema.contains("anyOf") ? schema["anyOf"][0] : schema;
        number["minimum"] = parameter.min;
        number["maximum"] = parameter.max;
    }
    schema["default"] = parameter.initial;
    return schema;
}

Json properties_of(const std::vector<ParameterDescription>& parameters) {
    auto properties = Json::object();
    for (const ParameterDescription& parameter : parameters) properties[parameter.key] = property_of(parameter);
    return properties;
}

/// The map of one kind; what may stand beside the parameters of any kind is checked once for all.
Json kind_object(const KindDescription& kind, const std::vector<ParameterDescription>& beside) {
    Json properties{{"kind", {{"enum", {kind.name}}, {"description", kind.meaning}}}};
    properties.update(properties_of(kind.parameters));
    for (const ParameterDescription& parameter : beside) properties[parameter.key] = true;
    return object_of(std::move(properties));
}

/// A name, or a map whose parameters depend on its `kind`.
Json kind_schema(const ValueDescription& value) {
    const Json names = names_schema(value.kinds);
    const Json without_kind{{"type", "object"}, {"not", {{"required", {"kind"}}}}};
    auto cases =
        Json::array({{{"if", without_kind}, {"then", kind_object(value.kinds[value.initial_kind], value.parameters)}}});
    for (const KindDescription& kind : value.kinds) {
        const Json is_this{
            {"type", "object"}, {"properties", {{"kind", {{"enum", {kind.name}}}}}}, {"required", {"kind"}}};
        cases.push_back({{"if", is_this}, {"then", kind_object(kind, value.parameters)}});
    }
    Json map{{"type", "object"}, {"properties", {{"kind", names}}}};
    map["properties"].update(properties_of(value.parameters));
    return {{"description", names["description"]}, {"anyOf", {names, map}}, {"allOf", cases}};
}

const Json text_or_number{"string", "number"};   // 8 is a text too, to a reader that wants one

Json plain_schema(const ValueDescription& value) {
    switch (value.form) {
        case ValueForm::boolean:
            return {{"type", "boolean"}};
        case ValueForm::whole_number:
            return {{"type", "integer"}};
        case ValueForm::number:
            return {{"type", "number"}};
        case ValueForm::text:
            return {{"type", text_or_number}};
        case ValueForm::time:
            return quantity_schema(Time{}, "500ns");
        case ValueForm::bytes:
            return quantity_schema(Bytes{}, "64KiB");
        case ValueForm::bandwidth:
            return quantity_schema(Bandwidth{}, "400Gbps");
        case ValueForm::frequency:
            return quantity_schema(Frequency{}, "1GHz");
        case ValueForm::area:
            return quantity_schema(Area{}, "775um2");
        case ValueForm::energy:
            return quantity_schema(Energy{}, "0.87pJ");
        case ValueForm::power:
            return quantity_schema(Power{}, "3.1uW");
        case ValueForm::energy_per_bit:
            return quantity_schema(EnergyPerBit{}, "5.5pJ/bit");
        case ValueForm::choice:
            return names_schema(value.choices);
        case ValueForm::kind:
            return kind_schema(value);
        case ValueForm::list:
            return {{"type", "array"}, {"items", schema_of(value.element.front())}};
        case ValueForm::map:
            return value.parameters.empty() ? Json{{"type", "object"}} : object_of(properties_of(value.parameters));
    }
    return {};
}

/// A report has what it has, and says so by required keys; defaults are for those who write, and so are texts without
/// quotes.
Json as_reported(Json schema) {
    if (schema.value("type", Json()) == text_or_number) schema["type"] = "string";
    if (schema.contains("properties")) {
        schema["required"] = Json::array();
        for (auto& [key, property] : schema["properties"].items()) {
            schema["required"].push_back(key);
            property.erase("default");
            property = as_reported(property);
        }
    }
    if (schema.contains("items")) schema["items"] = as_reported(schema["items"]);
    if (schema.contains("anyOf")) schema["anyOf"][0] = as_reported(schema["anyOf"][0]);
    return schema;
}

}   // namespace

Json schema_of(const ValueDescription& value) {
    Json schema = plain_schema(value);
    if (!value.nullable) return schema;
    return {{"anyOf", {schema, {{"type", "null"}}}}};
}

Json schema_of(const std::vector<ParameterDescription>& parameters) { return object_of(properties_of(parameters)); }

Json report_schema_of(const std::vector<ParameterDescription>& parameters) {
    return as_reported(schema_of(parameters));
}

Json as_schema_file(std::string_view title, const Json& schema) {
    Json file{{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", title}};
    file.update(schema);
    return file;
}

}   // namespace oscar

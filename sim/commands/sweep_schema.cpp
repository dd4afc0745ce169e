#include "sim/commands/sweep_schema.hpp"

#include "sim/config/schema.hpp"
#include "sim/parameters/describe_method.hpp"
#include "sim/sweep/range.hpp"

namespace oscar::inline commands {
namespace {

using Json = nlohmann::ordered_json;

const Json key{{"type", "string"}, {"description", "dotted path of a parameter, like network.link.bandwidth"}};

Json object(const Json& properties, const Json& required) {
    return {{"type", "object"}, {"properties", properties}, {"required", required}, {"additionalProperties", false}};
}

/// {key, values} or {key, range}.
Json column() {
    Json range = schema_of(describe_parameters(RangeParams{}));
    range["required"] = {"from", "to"};
    const Json values{{"type", "array"}, {"minItems", 1}, {"description", "the values that the parameter takes"}};
    return {{"anyOf",
             {object({{"key", key}, {"values", values}}, {"key", "values"}),
              object({{"key", key}, {"range", range}}, {"key", "range"})}}};
}

}   // namespace

Json sweep_schema() {
    const Json base{{"description", "experiment that all points start from: a file, or the experiment itself"},
                    {"anyOf", {Json{{"type", "string"}}, schema_of(describe_parameters(Parameters{}))}}};
    const Json set{{"type", "object"}, {"description", "dotted keys and values that all points share"}};
    const Json columns{{"type", "array"},
                       {"minItems", 2},
                       {"items", column()},
                       {"description", "axes that advance together, equally long"}};
    const Json axis{{"anyOf", {column(), object({{"zip", columns}}, Json::array({"zip"}))}}};
    const Json axes{{"type", "array"}, {"minItems", 1}, {"items", axis}, {"description", "the axes of the grid"}};
    return as_schema_file("A sweep of oscar-sim",
                          object({{"base", base}, {"set", set}, {"axes", axes}}, {"base", "axes"}));
}

}   // namespace oscar::inline commands

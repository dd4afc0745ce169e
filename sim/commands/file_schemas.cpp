#include "sim/commands/families.hpp"

#include "sim/describe/schema.hpp"
#include "sim/parameters/parameters.hpp"
#include "sim/parameters/training_params.hpp"
#include "sim/sweep/grid/range.hpp"
#include "sim/sweep/grid/sample.hpp"

namespace oscar {
namespace {

using Json = nlohmann::ordered_json;

const Json key{{"type", "string"}, {"description", "dotted path of a parameter, like network.link.bandwidth"}};

Json object(const Json& properties, const Json& required) {
    return {{"type", "object"}, {"properties", properties}, {"required", required}, {"additionalProperties", false}};
}

const Json text_schema{{"type", "string"}};

/// Lets a name of configs/technologies stand in the place of a technology's figures, or be its kind.
void allow_name_of_technology(Json& experiment) {
    Json& technology = experiment["properties"]["engine"]["properties"]["technology"];
    technology["anyOf"][0]["properties"]["kind"] = text_schema;
    technology["anyOf"].push_back(text_schema);
}

Json experiment() {
    Json base{{"description",
               "files that this one builds on, or names of configs/parts or configs/experiments; later ones win, and "
               "this file wins over all"},
              {"anyOf", {text_schema, Json{{"type", "array"}, {"items", text_schema}}}}};
    Json schema = schema_of(describe_parameters(Parameters{}));
    schema["properties"]["base"] = std::move(base);
    allow_name_of_technology(schema);
    return schema;
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

Json experiment_schema() { return as_schema_file("everything an experiment file can say", experiment()); }

Json training_schema() {
    Json schema = schema_of(describe_parameters(TrainingParams{}));
    Json machine = schema_of(describe_parameters(Parameters{}));
    const Json file{{"type", "string"}, {"pattern", R"(\.yaml$)"}};
    schema["properties"]["methods"] = {{"type", "array"},
                                       {"items", {{"anyOf", {file, machine["properties"]["methods"]["items"]}}}},
                                       {"description", "methods to compare, or files with more of them"}};
    allow_name_of_technology(machine);
    machine["description"] = "keys of an experiment: network, collective, engine, step, ...";
    schema["properties"]["machine"] = std::move(machine);
    schema["required"] = {"workload", "machine", "methods"};
    return as_schema_file("A training of oscar-sim", schema);
}

Json sweep_schema() {
    const Json base{{"description", "experiment that all points start from: a file, or the experiment itself"},
                    {"anyOf", {text_schema, experiment()}}};
    const Json set{{"type", "object"}, {"description", "dotted keys and values that all points share"}};
    const Json columns{{"type", "array"},
                       {"minItems", 2},
                       {"items", column()},
                       {"description", "axes that advance together, equally long"}};
    const Json axis{{"anyOf", {column(), object({{"zip", columns}}, Json::array({"zip"}))}}};
    const Json axes{{"type", "array"}, {"minItems", 1}, {"items", axis}, {"description", "the axes of the grid"}};
    Json drawn = schema_of(describe_parameters(SampleParams{}));
    drawn["description"] = "points drawn from the grid, in place of all";
    return as_schema_file("A sweep of oscar-sim",
                          object({{"base", base}, {"set", set}, {"axes", axes}, {"sample", drawn}}, {"base", "axes"}));
}

}   // namespace oscar

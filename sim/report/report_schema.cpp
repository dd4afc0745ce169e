
#include "sim/describe/schema.hpp"
#include "sim/report/background_report.hpp"
#include "sim/report/job_report.hpp"
#include "sim/report/report.hpp"
#include "sim/report/statistics.hpp"

namespace oscar {
namespace {

using Json = nlohmann::ordered_json;

template <FieldTable P>
Json object_schema() {
    return report_schema_of(describe_parameters(P{}));
}

Json list_schema(const Json& entry) { return {{"type", "array"}, {"items", entry}}; }
Json by_method(const Json& entry) { return {{"type", "object"}, {"additionalProperties", entry}}; }
const Json text_schema{{"type", "string"}}, number_schema{{"type", "number"}}, integer_schema{{"type", "integer"}};

/// A property that every such object has.
void require(Json& object, const char* key, const Json& schema) {
    object["properties"][key] = schema;
    object["required"].push_back(key);
}

/// The statistics that are shown in `place`, and the ones of `also`.
Json statistics_schema(Shown place, Shown also = Shown::everywhere) {
    std::vector<ParameterDescription> made;
    for_each_statistic([&]<class S>(const S& statistic) {
        if (statistic.shown != place && statistic.shown != also) return;
        ParameterDescription& parameter = made.emplace_back();
        parameter.key = statistic.key;
        parameter.meaning = statistic.meaning;
        parameter.value = describe_value(typename S::Value{});
    });
    return report_schema_of(made);
}

Json step_schema() {
    Json step = object_schema<StepReport>();
    step["properties"]["sharding"] = object_schema<ShardingReport>();
    require(step, "speedup", by_method(number_schema));
    require(step, "amdahl", by_method(object_schema<AmdahlCheck>()));
    return step;
}

Json method_schema() {
    Json method = statistics_schema(Shown::methods);
    require(method, "name", text_schema);
    require(method, "speedup", by_method(number_schema));
    require(method, "links", list_schema(object_schema<LinkShare>()));
    require(method, "iterations", list_schema(statistics_schema(Shown::iterations)));
    Json& properties = method["properties"];
    properties.update(statistics_schema(Shown::methods_if_costed, Shown::methods_if_tiered)["properties"]);
    properties["flows"] = list_schema(object_schema<FlowReport>());
    properties["exchanges"] = list_schema(object_schema<ExchangeReport>());
    properties["factors"] = list_schema(object_schema<FactorReport>());
    properties["transport"] = object_schema<TransportUse>();
    properties["faults"] = object_schema<FaultUse>();
    properties["background"] = object_schema<BackgroundReport>();
    properties["longest_step"] = object_schema<LongestStep>();
    properties["activity"] = object_schema<RunActivity>();
    properties["timesteps"] = object_schema<TimestepReport>();
    properties["chunk_balance"] = object_schema<ChunkBalance>();
    properties["jobs"] = list_schema(object_schema<JobReport>());
    properties["step"] = step_schema();
    return method;
}

/// A configuration is described by `describe experiment`; here is what pages look at.
Json config_schema() {
    Json method{{"type", "object"}, {"properties", {{"kind", text_schema}, {"name", text_schema}}}};
    return {{"type", "object"}, {"properties", {{"methods", list_schema(method)}}}};
}

}   // namespace

Json report_schema() {
    Json report{{"type", "object"}, {"properties", Json::object()}, {"required", Json::array()}};
    report["additionalProperties"] = false;
    require(report, "schema", {{"const", 1}});
    require(report, "experiment", text_schema);
    require(report, "program_version", text_schema);
    require(report, "config", config_schema());
    require(report, "seed", integer_schema);
    require(report, "trace", object_schema<TraceReport>());
    require(report, "methods", list_schema(method_schema()));
    require(report, "host", object_schema<HostReport>());
    report["properties"]["config_as_written"] = config_schema();
    report["properties"]["notes"] = list_schema(text_schema);
    report["properties"]["costs"] = text_schema;
    return as_schema_file("Report of oscar-sim run", report);
}

}   // namespace oscar

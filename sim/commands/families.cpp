#include "sim/commands/families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "models/compressor/compressors.hpp"
#include "sim/commands/parts.hpp"
#include "sim/commands/prediction.hpp"
#include "sim/config/suggest.hpp"
#include "sim/describe/describe.hpp"
#include "sim/describe/schema.hpp"
#include "sim/describe/wrap.hpp"
#include "sim/generator/model.hpp"
#include "sim/parameters/describe_method.hpp"
#include "sim/report/describe_report.hpp"
#include "sim/report/report.hpp"
#include "sim/traffic/parameters.hpp"

namespace oscar {
namespace {

/// One that stands beside the others, for its kinds are files; null for another name.
const BaseFamily* base_family(std::string_view name) {
    const auto found = std::ranges::find(base_families, name, &BaseFamily::name);
    return found == base_families.end() ? nullptr : &*found;
}

/// A family of kinds, or a set of parameters.
struct Family {
    std::string_view name, key, meaning;          ///< key: where it stands in an experiment file
    std::function<ValueDescription()> describe;   ///< none: the report, which is described by its parts
};

[[noreturn]] void unknown(std::string_view what, std::string_view name, const std::vector<std::string_view>& names) {
    throw InputError(fmt::format("describe: no {} '{}'{}; known: {}", what, name, did_you_mean(name, names),
                                 fmt::join(names, ", ")));
}

template <FieldTable P>
Family parameters(std::string_view name, std::string_view key, std::string_view meaning) {
    return {name, key, meaning, [] { return describe_value(P{}); }};
}

template <class List>
Family kinds(std::string_view name, std::string_view key, std::string_view meaning, const List& list) {
    return {name, key, meaning, [&list] { return describe_kinds(list); }};
}

ParameterDescription& parameter_named(std::string_view key, std::vector<ParameterDescription>& parameters) {
    return *std::ranges::find(parameters, key, &ParameterDescription::key);
}

/// Leaves in the engine of `nodes` what a rank may have of its own. The schemas keep the rest, since a resolved
/// configuration repeats it.
void leave_out_what_ranks_share(std::vector<ParameterDescription>& experiment) {
    ValueDescription& node = parameter_named("nodes", experiment).value.element.front();
    std::erase_if(parameter_named("engine", node.parameters).value.parameters,
                  [](const ParameterDescription& parameter) { return !parameter.per_rank; });
}

/// The parameters, and the key that is gone once the files that it names are read.
ValueDescription describe_experiment() {
    ValueDescription value = describe_value(Parameters{});
    leave_out_what_ranks_share(value.parameters);
    ParameterDescription base{.key = "base",
                              .meaning = "file that this one builds on, or a list of files; later ones win"};
    base.value = {.form = ValueForm::text, .nullable = true, .parameters = {}};
    value.parameters.insert(value.parameters.begin(), std::move(base));
    return value;
}

const std::vector<Family>& families() {
    static const std::vector<Family> list{
        {"experiment", "", "everything an experiment file can say", describe_experiment},
        {"method", "", "all that methods can name: codecs, published methods, lossy compressors",
         [] { return describe_value(Method{}); }},
        kinds("codec", "methods[]", "lossless codes to compare", codecs),
        kinds("quantiser", "quantiser", "fixed-point codes with a shared scale", quantisers),
        kinds("compressor", "", "lossy compressors of training, and controllers that steer them", lossy_kinds),
        kinds("chunks", "chunks", "partition of the bucket into chunks", chunk_kinds),
        kinds("split", "split", "coding of classes of elements", splits),
        kinds("classes", "classes", "class of an element", classifiers),
        parameters<StepParams>("step", "step", "the training step around the AllReduces"),
        kinds("collective", "collective", "schedule of messages between ranks", collectives),
        kinds("topology", "network.topology", "nodes and the cables between them", topologies),
        kinds("routing", "network.routing", "choice among the shortest paths", routings),
        kinds("flow_control", "network.flow_control", "reaction of a sender to a full receive buffer", flow_controls),
        kinds("congestion", "network.congestion", "congestion control: marks, and the rate of each flow",
              congestion_controls),
        kinds("reliability", "network.reliability", "what repairs the loss of packets", reliabilities),
        parameters<LossParams>("loss", "network.loss", "random damage of packets on links"),
        parameters<FaultParams>("faults", "network.faults", "injected faults of packets"),
        parameters<BackgroundParams>("background", "network.background", "traffic of other hosts on the same network"),
        kinds("background_pattern", "network.background.pattern", "pattern of senders and receivers", traffic_patterns),
        parameters<NetworkParams>("network", "network", "links, switches, packets"),
        parameters<LinkParams>("link", "network.link", "one direction of a cable"),
        parameters<SwitchParams>("switch", "network.switch", "a cut-through switch"),
        kinds("switch_architecture", "network.switch.architecture", "microarchitecture of every switch",
              switch_architectures),
        parameters<WaveformParams>("waveform", "waveform", "signals of the machine over time, as a VCD"),
        parameters<TimelineWindow>("timeline_window", "timeline_window", "the time that timelines show"),
        parameters<EngineParams>("engine", "engine", "the compression engine of a NIC"),
        parameters<NicParams>("nic", "nic", "a NIC without its engine"),
        parameters<GpuParams>("gpu", "gpu", "GPU memory and DMA"),
        parameters<TrafficParameters>("traffic", "", "all parameters of a file of `oscar-sim traffic`"),
        kinds("grid", "topology", "grids of routers (`oscar-sim traffic`)", router_grids),
        parameters<VcRouterParams>("router", "router", "an input-queued virtual-channel router"),
        kinds("pattern", "traffic.pattern", "pattern of senders and receivers", traffic_patterns),
        parameters<PredictionParams>("prediction", "", "all parameters of a file for `oscar-sim predict`"),
        kinds("predictor", "predictor", "formulas for a collective's time", predictors),
        {"report", "", "everything in report.json: statistics, units, and how they add up", nullptr},
        parameters<LayerParams>("generator", "--set", "a layer of `oscar-sim trace generate`"),
    };
    return list;
}

std::string list_of_families(std::size_t width) {
    std::vector<DescribeRow> rows;
    for (const Family& family : families())
        rows.push_back({"  " + std::string(family.name), std::string(family.key), "", std::string(family.meaning)});
    return "oscar-sim describe FAMILY [KIND]\n\n" + describe_table(rows, width, {"family", "key", "", "meaning"}) +
           "\noscar-sim describe part [NAME]\noscar-sim describe machine [NAME]\n\n" +
           paragraph("Shipped parts of machines, and nodes made of them, for the key base of an experiment.", width, 2);
}

const Family& family_named(std::string_view name) {
    if (base_family(name) != nullptr)
        throw InputError(fmt::format("describe: a {} is a YAML file; leave --json and --schema out", name));
    std::vector<std::string_view> names;
    for (const Family& candidate : families()) {
        if (candidate.name == name) return candidate;
        names.push_back(candidate.name);
    }
    for (const BaseFamily& family : base_families) names.push_back(family.name);
    unknown("family", name, names);
}

const KindDescription& kind_named(std::string_view name, const ValueDescription& family) {
    std::vector<std::string_view> names;
    for (const KindDescription& candidate : family.kinds) {
        if (candidate.name == name) return candidate;
        names.push_back(candidate.name);
    }
    unknown("kind", name, names);
}

void refuse_kind(const Family& family, std::string_view kind) {
    if (!kind.empty())
        throw InputError(fmt::format("describe: '{}' has {}no kinds; leave '{}' out", family.name,
                                     family.describe ? "parameters but " : "", kind));
}

/// The family, or the one kind of it that is asked for.
ValueDescription description_of(const Family& family, std::string_view kind) {
    ValueDescription value = family.describe();
    if (value.form != ValueForm::kind) refuse_kind(family, kind);
    else if (!kind.empty()) value.kinds = {KindDescription(kind_named(kind, value))};
    return value;
}

nlohmann::ordered_json json_of(const Family& family, std::string_view kind) {
    nlohmann::ordered_json object{{"family", family.name}, {"key", family.key}, {"meaning", family.meaning}};
    if (family.describe) object.update(to_json(description_of(family, kind)));
    else object["parts"] = describe_report_json();
    return object;
}

}   // namespace

std::string describe(std::string_view name, std::string_view kind, std::size_t width) {
    if (name.empty()) return list_of_families(width);
    if (const BaseFamily* family = base_family(name))
        return kind.empty() ? list_of_bases(*family, width) : text_of_base(*family, std::string(kind));
    const Family& family = family_named(name);
    if (!family.describe) {
        refuse_kind(family, kind);
        return describe_report(width);
    }
    const ValueDescription value = description_of(family, kind);
    if (value.form != ValueForm::kind) return describe_parameter_table(value.parameters, width);
    if (kind.empty()) return describe_kind_table(value.kinds, width);
    const KindDescription& one = value.kinds.front();
    return paragraph(one.name + ": " + one.meaning, width, 2) + "\n" + describe_parameter_table(one.parameters, width);
}

std::string describe_json(std::string_view name, std::string_view kind) {
    nlohmann::ordered_json described;
    if (name.empty())
        for (const Family& family : families()) described.push_back(json_of(family, ""));
    else described = json_of(family_named(name), kind);
    return described.dump(2) + "\n";
}

std::string describe_schema(std::string_view name) {
    if (name == "report") return report_schema().dump(2) + "\n";
    if (name == "experiment") return experiment_schema().dump(2) + "\n";
    if (name == "sweep") return sweep_schema().dump(2) + "\n";
    if (name == "training") return training_schema().dump(2) + "\n";
    const Family& family = family_named(name);
    nlohmann::ordered_json schema = schema_of(family.describe());
    if (name == "prediction") schema["required"] = {"predictor", "sizes"};
    return as_schema_file(family.meaning, schema).dump(2) + "\n";
}

}   // namespace oscar

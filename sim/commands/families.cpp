#include "sim/commands/families.hpp"

#include <fmt/format.h>

#include <functional>
#include <vector>

#include "models/compressor/compressors.hpp"
#include "sim/commands/prediction.hpp"
#include "sim/config/describe.hpp"
#include "sim/config/suggest.hpp"
#include "sim/generator/model.hpp"
#include "sim/parameters/parameters.hpp"
#include "sim/report/describe_report.hpp"
#include "sim/traffic/parameters.hpp"

namespace oscar::inline commands {
namespace {

/// A family of kinds, or a set of parameters.
struct Family {
    std::string_view name, key, meaning;                     ///< key: where it stands in an experiment file
    std::function<std::string(std::string_view)> describe;   ///< of one kind, or of all if that is empty
};

[[noreturn]] void unknown(std::string_view what, std::string_view wanted, const std::vector<std::string_view>& known) {
    throw InputError(fmt::format("describe: no {} '{}'{}; known: {}", what, wanted, did_you_mean(wanted, known),
                                 fmt::join(known, ", ")));
}

template <FieldTable P>
Family parameters(std::string_view name, std::string_view key, std::string_view meaning) {
    return {
        name, key, meaning, [name](std::string_view kind) {
            if (!kind.empty())
                throw InputError(fmt::format("describe: '{}' has parameters but no kinds; leave '{}' out", name, kind));
            return describe_params<P>();
        }};
}

template <class List>
Family kinds(std::string_view name, std::string_view key, std::string_view meaning, const List& list) {
    return {name, key, meaning, [&list](std::string_view wanted) {
                if (wanted.empty()) return describe_family(list);
                std::string text;
                std::vector<std::string_view> known;
                for_each_kind(list, [&]<class P>(const Kind<P>& kind) {
                    known.push_back(kind.name);
                    if (kind.name == wanted)
                        text = fmt::format("{}: {}\n\n{}", kind.name, kind.meaning, describe_params<P>());
                });
                if (text.empty()) unknown("kind", wanted, known);
                return text;
            }};
}

Family report_family() {
    return {"report", "", "everything in report.json: statistics, units, and how they add up",
            [](std::string_view part) {
                if (!part.empty())
                    throw InputError(fmt::format("describe: 'report' has no kinds; leave '{}' out", part));
                return describe_report();
            }};
}

const std::vector<Family>& families() {
    static const std::vector<Family> list{
        parameters<Parameters>("experiment", "", "everything an experiment file can say"),
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
        parameters<EngineParams>("engine", "engine", "the compression engine of a NIC"),
        parameters<NicParams>("nic", "nic", "a NIC without its engine"),
        parameters<GpuParams>("gpu", "gpu", "GPU memory and DMA"),
        parameters<TrafficParameters>("traffic", "", "all parameters of a file of `oscar-sim traffic`"),
        kinds("grid", "topology", "grids of routers (`oscar-sim traffic`)", router_grids),
        parameters<VcRouterParams>("router", "router", "an input-queued virtual-channel router"),
        kinds("pattern", "traffic.pattern", "pattern of senders and receivers", traffic_patterns),
        parameters<PredictionParams>("prediction", "", "all parameters of a file for `oscar-sim predict`"),
        kinds("predictor", "predictor", "formulas for a collective's time", predictors),
        report_family(),
        parameters<LayerParams>("generator", "--set", "a layer of `oscar-sim trace generate`"),
    };
    return list;
}

std::string list_of_families() {
    std::string text = "oscar-sim describe FAMILY [KIND]\n\n";
    for (const Family& family : families())
        text += fmt::format("  {:<12} {:<20} {}\n", family.name, family.key, family.meaning);
    return text;
}

}   // namespace

std::string describe(std::string_view family, std::string_view kind) {
    if (family.empty()) return list_of_families();
    std::vector<std::string_view> known;
    for (const Family& candidate : families()) {
        if (candidate.name == family) return candidate.describe(kind);
        known.push_back(candidate.name);
    }
    unknown("family", family, known);
}

}   // namespace oscar::inline commands

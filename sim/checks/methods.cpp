#include "sim/checks/methods.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <stdexcept>
#include <string_view>

#include "models/job/schedule_on.hpp"
#include "sim/checks/lossy.hpp"
#include "sim/checks/trace.hpp"
#include "sim/config/read.hpp"
#include "sim/config/text.hpp"
#include "sim/parameters/method_setup.hpp"
#include "sim/parameters/tensor_shapes.hpp"

namespace oscar {
namespace {

using Problem = std::optional<std::string>;

/// The codecs whose messages have one size whatever the values are.
std::string constant_rate_kinds(const Framing& framing) {
    std::string names;
    for_each_kind(codecs, [&]<class P>(const Kind<P>& kind) {
        if (make_codec(CodecChoice{P{}}, framing)->constant_rate())
            names += (names.empty() ? "" : ", ") + std::string(kind.name);
    });
    return names;
}

/// A method on a bucket.
struct MethodOnBucket {
    const ChunkKind& chunks;
    const Codec& codec;
    const Plan& plan;
    bool delta_gather = false;
    std::uint32_t classes = 1, elements = 0;
};

Problem find_delta_gather_problem(const MethodOnBucket& m) {
    if (!m.delta_gather) return std::nullopt;
    if (m.plan.schedule.scratch)
        return "deltas are from a sum that both ends hold, and ranks hold several of a chunk in scratch; leave out "
               "delta_gather";
    if (m.plan.operation == Operation::all_reduce) return std::nullopt;
    return "deltas are of final sums that go to all ranks, and this collective has none; leave out delta_gather, or "
           "choose an AllReduce";
}

/// What is made of the values of the last iteration at each rank alone must be made of the same values everywhere.
Problem find_unshared_values_problem(const MethodOnBucket& m) {
    if (m.plan.ends_alike() || m.codec.constant_rate()) return std::nullopt;
    const std::string remedy = ", but this collective leaves other values at each rank; ";
    const CostSource costs = std::visit([](const auto& params) { return params.costs; }, m.chunks.params);
    if (costs == CostSource::sums || costs == CostSource::measured)
        return "its chunks are cut by what all ranks know of the last iteration" + remedy + "choose chunks: equal";
    if (m.classes > 1) return "its classes are made of the sums of the last iteration" + remedy + "choose split: none";
    if (m.codec.table_source() == TableSource::stepwise && m.codec.stepwise().table_source != StepSource::per_link)
        return "its tables are made of the sums of the last iteration" + remedy + "choose table_source: per_link";
    return std::nullopt;
}

/// A switch holds chunks while they pass.
Problem find_switch_problem(const MethodOnBucket& m) {
    if (m.plan.schedule.aggregators == 0 || m.plan.schedule.island_switches || m.classes == 1 || m.codec.adds_coded())
        return std::nullopt;
    return "its classes are of all values of the bucket, of which a switch that decodes them holds only some; choose "
           "split: none";
}

Problem find_unknown_cost_problem(const MethodOnBucket& m) {
    if (!std::holds_alternative<MeasuredParams>(m.chunks.params) || m.codec.constant_rate()) return std::nullopt;
    if (m.plan.schedule.scratch)
        return "chunks measured: ranks hold several sums of a chunk in scratch, and the costs of one; cut chunks "
               "otherwise";
    if (std::ranges::find(m.plan.is_delta_base, true) == m.plan.is_delta_base.end()) return std::nullopt;
    return "chunks measured: what deltas cost is not known to all ranks; leave out delta_gather, or cut chunks "
           "otherwise";
}

constexpr std::size_t longest_name = 100;

/// Names are printed, and columns of tables that spreadsheets read are named after them.
void check_name(const std::string& name, const ConfigNode& node) {
    const bool is_plain = is_printable(name) && name.size() <= longest_name && name.front() != ' ' &&
                          std::string_view("=+-@").find(name.front()) == std::string_view::npos;
    if (!is_plain)
        node.fail(in_quotes(name) + " cannot name a method; write at most " + std::to_string(longest_name) +
                  " characters, none of them a control character, which begin with none of = + - @ and blank");
}

/// Values between two places where chunks may be cut.
std::uint32_t block_of(const ChunkKind& kind) {
    return std::visit(
        [](const auto& params) -> std::uint32_t {
            if constexpr (requires { params.granularity; }) return params.granularity;
            else if constexpr (requires { params.block; }) return params.block;
            else return 1;
        },
        kind.params);
}

std::string kind_written(const ConfigNode& method) {
    const ConfigNode* kind = read_detail::kind_node(method);
    return kind == nullptr ? std::string(Method{}.codec.name()) : kind->text;
}

}   // namespace

void check_methods(const Experiment& experiment) {
    const ConfigNode node = experiment.source.child("methods");
    if (experiment.parameters.methods.empty()) node.fail("no method to run; write it like [fp32, asc]");
    std::set<std::string> names;
    for (std::size_t m = 0; m < experiment.parameters.methods.size(); ++m)
        check_name(experiment.parameters.methods[m].name, node.child(std::to_string(m)).child("name"));
    for (std::size_t m = 0; m < experiment.parameters.methods.size(); ++m) {
        const std::string& name = experiment.parameters.methods[m].name;
        if (names.insert(name).second) continue;
        node.fail("two methods are named '" + name + "'; tell them apart with name:, like {kind: " +
                  kind_written(node.child(std::to_string(m))) + ", name: " + name + "-2}");
    }
}

void check_constant_rates(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    if (p.payload != Payload::synthetic) return;
    for (std::size_t m = 0; m < p.methods.size(); ++m)
        if (!p.methods[m].lossy && !make_codec(p.methods[m].codec, p.engine.framing())->constant_rate())
            experiment.source.child("methods")
                .child(std::to_string(m))
                .fail(p.methods[m].name +
                      " makes messages whose size depends on their values, of which payload synthetic has "
                      "none; choose among " +
                      constant_rate_kinds(p.engine.framing()) + ", or payload: size_only with a trace");
}

Problem find_method_problem(const Parameters& p, const Method& method, const Topology& topology,
                            std::span<const Segment> tensors) {
    const std::uint32_t classes = class_count(classes_of(p, method), tensors);
    std::unique_ptr<Codec> codec;
    try {
        codec = make_codec_of(p, method, classes);
    } catch (const std::invalid_argument& error) {   // a setting or a split that the codec does not have
        return error.what();
    }
    const Plan plan = make_plan_of(p, method, topology);
    const bool by_class = codes_by_class(p, method, *codec);
    const MethodOnBucket m{
        chunks_of(p, method), *codec, plan, method.delta_gather.value_or(p.delta_gather), by_class ? classes : 1,
        tensors.back().end};
    if (auto problem = find_delta_gather_problem(m)) return problem;
    if (auto problem = find_unshared_values_problem(m)) return problem;
    if (auto problem = find_switch_problem(m)) return problem;
    const ChunkKind cut = codec->constant_rate() ? ChunkKind(EqualParams{}) : m.chunks;
    if (auto problem = find_channel_problem(p.collective, plan.schedule.chunks, m.elements, cut)) return problem;
    return find_unknown_cost_problem(m);
}

void check_methods_on_buckets(const CapturedExperiment& captured) {
    const Experiment& experiment = captured.experiment;
    const Parameters& p = experiment.parameters;
    const Routes routes(captured.topology, p.network.routing, p.network.virtual_channels);
    for (const auto& layers : captured.buckets)
        for (std::size_t m = 0; m < p.methods.size(); ++m) {
            const Method& method = p.methods[m];
            const auto problem = method.lossy
                                     ? find_lossy_problem(p, method, tensor_shapes(captured.manifest, layers), routes)
                                     : find_method_problem(p, method, captured.topology,
                                                           tensors_of(layer_offsets(captured.manifest), layers));
            if (problem)
                experiment.source.child("methods").child(std::to_string(m)).fail(method.name + ": " + *problem);
        }
}

std::optional<std::string> find_channel_problem(const Collective& collective, std::uint32_t chunks,
                                                std::uint64_t values, const ChunkKind& kind) {
    const std::uint32_t channels = channels_of(collective), block = block_of(kind);
    const std::uint64_t blocks = (values + block - 1) / block;
    if (channels == 1 || chunks <= blocks) return std::nullopt;
    return fmt::format("{} channels make {} chunks, more than the {} blocks of {} that {} values are; choose fewer",
                       channels, chunks, blocks, block == 1 ? "a value" : fmt::format("{} values", block), values);
}

void check_channels(const CabledExperiment& cabled) {
    const Parameters& p = cabled.experiment.parameters;
    if (p.payload != Payload::synthetic || !p.jobs.empty() || channels_of(p.collective) == 1) return;
    const std::uint32_t chunks = schedule_on(p.collective, cabled.topology).chunks;
    if (const auto reason = find_channel_problem(p.collective, chunks, values_of(*p.size), EqualParams{}))
        cabled.experiment.source.child("collective").child("channels").fail(*reason);
}

/// In lock-step nothing comes down before everything has gone up.
void check_aggregator_slots(const CabledExperiment& cabled) {
    const Parameters& p = cabled.experiment.parameters;
    const auto* params = std::get_if<InNetworkParams>(&p.collective.params);
    const std::uint32_t slots = p.network.switches.aggregator.slots;
    if (params == nullptr || params->issue != Issue::lock_step || params->slices <= slots) return;
    cabled.experiment.source.child("collective")
        .fail(
            fmt::format("in lock_step a switch holds all {} chunks at once, and has {} slots; write issue: dependency, "
                        "or network.switch.aggregator.slots: {}",
                        params->slices, slots, params->slices));
}

}   // namespace oscar

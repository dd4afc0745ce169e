#include "sim/checks/engine_kind.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "models/engine/arrays/rtl_library.hpp"
#include "models/gpu/coding_kernels.hpp"
#include "sim/config/text.hpp"
#include "sim/parameters/method_setup.hpp"

namespace oscar {
namespace {

/// What the arrays of the RTL do not have of a method.
std::optional<std::string> lacking(const Parameters& p, const Method& method) {
    if (method.lossy) return "which leaves other messages than its lanes code";
    std::unique_ptr<Codec> codec;
    try {
        codec = make_codec_of(p, method, 2);
    } catch (const std::invalid_argument&) {
        return std::nullopt;   // a wrong setting, which check_methods_on_buckets tells
    }
    if (!codec->uses_engine() || codec->fixed_table_layout() || codec->constant_rate()) return std::nullopt;
    return "whose coder or split it does not have; it has asc with adapt: none, atalanta, and fixed_point";
}

/// ConfigError: nobody has made the RTL of these lanes and streams.
void require_rtl(const ConfigNode& node, const EngineParams& engine) {
    try {
        rtl_arrays(rtl_folder(engine.lanes, engine.streams), engine.lanes, engine.streams);
    } catch (const std::runtime_error& error) {
        constexpr std::string_view subject = "engine.kind rtl: ";
        std::string_view what = error.what();
        if (what.starts_with(subject)) what.remove_prefix(subject.size());
        node.fail(fmt::format("{}; or write kind: cycles, which has the same cycles", what));
    }
}

void check_rates(const ConfigNode& gpu, const std::optional<CodingKernelParams>& coding) {
    const ConfigNode node = gpu.child("coding");
    if (!coding)
        node.fail(
            "is missing, and engine.place: gpu takes its speeds from there; take base: dietgpu-a100, or write encode "
            "and "
            "decode");
    for (const auto& [key, rates] : {std::pair{"encode", &coding->encode}, std::pair{"decode", &coding->decode}})
        if (const std::string problem = find_problem(*rates); !problem.empty())
            node.child(key).fail(problem + "; write the measured ones as [{values: 1048576, values_per_ns: 10}, ...]");
}

}   // namespace

void check_engine_kind(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    if (p.engine.kind == EngineKind::pipelined) return;
    const ConfigNode engine = experiment.source.child("engine");
    const std::string_view kind = to_text(p.engine.kind);
    if (p.payload != Payload::encoded)
        engine.child("kind").fail(
            fmt::format("{} codes the bytes of every block, of which payload: {} has none; write "
                        "payload: encoded with a trace, or kind: pipelined",
                        kind, to_text(p.payload)));
    if (p.engine.streams != 1 && p.engine.streams != 2 && p.engine.streams != 4)
        engine.child("streams").fail(
            fmt::format("lanes of kind {} have 1, 2 or 4 streams, not {}", kind, p.engine.streams));
    if (p.engine.packers != p.scale || p.engine.packer_interval != 1)
        engine.child("packers").fail(
            fmt::format("an array of kind {} has one packer, which moves 64 bytes a cycle; write packers: {} and "
                        "packer_interval: 1, of which scale: {} leaves one",
                        kind, p.scale, p.scale));
    for (const Method& method : p.methods)
        if (const auto reason = lacking(p, method))
            engine.child("kind").fail(fmt::format(
                "{} is the engine of the RTL; method {} is one {}; write kind: pipelined", kind, method.name, *reason));
    if (p.engine.kind == EngineKind::rtl) require_rtl(engine.child("kind"), p.engine);
}

void check_engine_place(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    if (p.engine.place == EnginePlace::nic) return;
    const ConfigNode engine = experiment.source.child("engine"), gpu = experiment.source.child("gpu");
    check_rates(gpu, p.gpu.coding);
    for (std::size_t i = 0; i < p.nodes.size(); ++i)
        check_rates(experiment.source.child("nodes").child(std::to_string(i)).child("gpu"), p.nodes[i].gpu.coding);
    if (p.gpu.staging != Staging::gpu)
        gpu.child("staging").fail(
            "a NIC cannot add what the GPU alone decodes (engine.place: gpu); write staging: gpu");
    if (p.engine.kind != EngineKind::pipelined)
        engine.child("kind").fail(fmt::format(
            "{} is an engine of the NIC, and place: gpu has none; leave out one of the two", to_text(p.engine.kind)));
    if (p.engine.technology)
        engine.child("technology").fail("is that of an engine of the NIC, and place: gpu has none; write null");
}

}   // namespace oscar

#include "sim/run/notes/notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <variant>
#include <vector>

#include "models/engine/table_learning.hpp"
#include "sim/parameters/method_setup.hpp"

namespace oscar {
namespace {

/// The work of an experiment's methods beside coding.
struct WorkOfMethods {
    bool compresses = false;
    bool plans = false, plans_own_codes = false;   ///< by earlier sums; by the codes of rank 0
    bool keeps_tables = false;                     ///< made of the counts of the iteration before
    bool makes_tables = false;                     ///< while it codes: adaptive or inline ones
    bool loses = false;                            ///< a lossy compressor computes
};

bool adapts(const Method& method) {
    const auto* asc = std::get_if<AscParams>(&method.codec.params);
    return asc != nullptr && asc->adapt != Update::none;
}

void add(WorkOfMethods& all, const Parameters& p, const Method& method) {
    all.loses |= method.lossy.has_value();
    const auto codec = make_codec(method.codec, p.engine.framing());
    if (codec->constant_rate()) return;
    const Planning planning = method.lossy ? Planning{} : planning_of(p, method, *codec, 1);
    const TableSource source = codec->table_source();
    const bool within = source == TableSource::adaptive || source == TableSource::sent_inline;
    all.compresses = true;
    (planning.of_own_codes ? all.plans_own_codes : all.plans) |= planning.values > 0;
    all.makes_tables |= within || adapts(method);
    all.keeps_tables |= !within && source != TableSource::none;
}

WorkOfMethods work_of(const Parameters& p) {
    WorkOfMethods work;
    for (const Method& method : p.methods) add(work, p, method);
    return work;
}

/// Work in words, with the keys that decide whether it takes time.
struct Cost {
    bool charged;
    std::string text;
};

std::vector<Cost> costs_of(const Parameters& p) {
    const WorkOfMethods work = work_of(p);
    const auto exposed = [](Exposure exposure) { return exposure == Exposure::exposed; };
    const bool by_gpu = p.gpu.gradients == GradientForm::codes;
    const std::string passes = fmt::format("gpu.plan_passes {}", p.gpu.plan_passes);
    const Cycles cycles = cycles_of_a_table(p.engine);
    const bool computed = p.engine.kind == EngineKind::pipelined;   // others charge no table that lanes wait for
    const std::string update =
        computed ? fmt::format("engine.table_update {}", cycles) : fmt::format("{} cycles in the table unit", cycles);
    std::vector<Cost> costs;
    const auto add = [&](bool there, bool charged, std::string text) {
        if (there) costs.push_back({charged, std::move(text)});
    };
    add(work.compresses, p.gpu.scan_passes > 0,
        fmt::format("search of peaks before an exchange of scales (gpu.scan_passes {})", p.gpu.scan_passes));
    add(work.compresses, by_gpu,
        fmt::format("quantisation by the {} (gpu.gradients {})", by_gpu ? "GPU" : "NIC", to_text(p.gpu.gradients)));
    add(work.compresses && fixed_point(p.quantiser).residual, true, "update of the residual");
    add(work.plans_own_codes, p.gpu.plan_passes > 0, fmt::format("boundaries cut by the leader ({})", passes));
    add(work.plans, p.gpu.plan_passes > 0 && exposed(p.gpu.planning),
        fmt::format("classes of values and chunks by cost ({}, gpu.planning {})", passes, to_text(p.gpu.planning)));
    add(work.keeps_tables, cycles > 0 && exposed(p.engine.learning),
        fmt::format("tables of the next iteration ({}, engine.learning {})", update, to_text(p.engine.learning)));
    add(work.loses, true, "operations of lossy compressors (gpu.prices)");
    add(work.makes_tables, computed && cycles > 0, fmt::format("adaptive and inline tables ({})", update));
    return costs;
}

std::string list(const std::vector<Cost>& costs, bool charged) {
    std::vector<std::string> texts;
    for (const Cost& cost : costs)
        if (cost.charged == charged) texts.push_back(cost.text);
    return texts.empty() ? "nothing" : fmt::format("{}", fmt::join(texts, ", "));
}

}   // namespace

std::optional<std::string> note_on_costs(const Parameters& p) {
    const std::vector<Cost> costs = costs_of(p);
    if (costs.empty()) return std::nullopt;
    return fmt::format("charged: {}; hidden, no time: {}", list(costs, true), list(costs, false));
}

}   // namespace oscar

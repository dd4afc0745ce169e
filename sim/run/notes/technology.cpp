#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "models/core/quantity.hpp"
#include "models/engine/engine_cost.hpp"
#include "sim/parameters/nodes.hpp"
#include "sim/run/notes/notes.hpp"

namespace oscar {
namespace {

/// The codec that codes the method's integers.
CodecChoice coder_of(const Method& method) {
    if (method.lossy && !method.lossy->coded) return FixedPointParams{};
    return method.codec;
}

void add_new(std::vector<std::string>& list, const std::vector<std::string>& more) {
    for (const std::string& text : more)
        if (std::ranges::find(list, text) == list.end()) list.push_back(text);
}

/// "asc_decoder_lane flash 626 MHz, derated 480 MHz".
std::string clock_text(const Technology& technology, const UnitCost& unit) {
    const auto mhz = [](Frequency clock) { return static_cast<double>(clock.khz) / 1000; };
    Technology raw = technology;
    raw.derating.clock.factor = 1;
    return fmt::format("{}{}{} {:.0f} MHz, derated {:.0f} MHz", to_text(unit.unit), unit.variant.empty() ? "" : " ",
                       unit.variant, mhz(*fastest_clock(raw, unit)), mhz(*fastest_clock(technology, unit)));
}

/// Of the parts that clock with the engine, the one that allows the slowest clock; null if none limits it.
const UnitCost* slowest_unit(const Technology& technology, const PricedEngine& engine, bool bypasses) {
    const UnitCost* slowest = nullptr;
    for (const auto& [part, cost] : engine.parts) {
        if (!cost->period || (bypasses && part.activity == Activity::adding)) continue;
        if (slowest == nullptr || *fastest_clock(technology, *cost) < *fastest_clock(technology, *slowest))
            slowest = cost;
    }
    return slowest;
}

/// What the clock of an engine exceeds, if it does.
std::optional<std::string> excess(const Parameters& p, const Method& method, const EngineParams& own) {
    const Technology& technology = *own.technology;
    const CodecChoice codec = coder_of(method);
    const PricedEngine engine = priced_engine(technology, codec, own, p.nic.adders, 1);
    const bool bypasses = !make_codec(codec, own.framing())->uses_engine();
    const UnitCost* unit = slowest_unit(technology, engine, bypasses);
    if (unit == nullptr || own.clock <= *fastest_clock(technology, *unit)) return std::nullopt;
    return fmt::format(
        "engine.clock {} exceeds what technology {} gives: {}; set engine.clock to {}MHz or less, or choose another "
        "engine.search or engine.streams",
        to_text(own.clock), technology.name, clock_text(technology, *unit),
        fastest_clock(technology, *unit)->khz / 1000);
}

/// One for each clock and unit, with the methods that it holds for.
std::vector<std::string> notes_on_clocks(const Parameters& p) {
    std::vector<std::pair<std::string, std::vector<std::string>>> found;
    for (const NodeParams& node : nodes_of(p))
        for (const Method& method : p.methods) {
            const auto text = excess(p, method, node.engine);
            if (!text) continue;
            auto entry = std::ranges::find(found, *text, &std::pair<std::string, std::vector<std::string>>::first);
            if (entry == found.end()) entry = found.insert(entry, {*text, {}});
            add_new(entry->second, {method.name});
        }
    std::vector<std::string> notes;
    notes.reserve(found.size());
    for (const auto& [text, methods] : found) notes.push_back(fmt::format("{}: {}", fmt::join(methods, ", "), text));
    return notes;
}

std::string note_on_figures(const Technology& technology) {
    std::vector<std::string> figures;
    const auto add = [&](const char* name, const std::string& figure, const std::string& source) {
        figures.push_back(fmt::format("{} {} ({})", name, figure, source));
    };
    const Deratings& derating = technology.derating;
    add("clock x", fmt::format("{}", derating.clock.factor), derating.clock.source);
    add("area x", fmt::format("{}", derating.area.factor), derating.area.source);
    add("energy x", fmt::format("{}", derating.energy.factor), derating.energy.source);
    add("link", to_text(technology.link.energy), technology.link.source);
    add("DMA", to_text(technology.dma.energy), technology.dma.source);
    add("GPU memory", to_text(technology.gpu_memory.energy), technology.gpu_memory.source);
    return fmt::format("engine.technology {} ({} nm): energies and areas are estimates; {}", technology.name,
                       technology.node_nm, fmt::join(figures, ", "));
}

/// The units of `engine` that take energy when they work, of this basis, each once.
std::vector<std::string> units_of(const PricedEngine& engine, EnergyBasis basis) {
    std::vector<std::string> names;
    for (const auto& [part, cost] : engine.parts)
        if (part.activity != Activity::adding && cost->energy_basis == basis)
            add_new(names, {std::string(to_text(part.unit))});
    return names;
}

/// "asc: energy_codec_pj is replayed for asc_encoder_lane; vectorless for block_packer"; none without a coder.
std::optional<std::string> note_on_bases(const std::string& method, const PricedEngine& engine) {
    std::vector<std::string> bases;
    for (const EnergyBasis basis : {EnergyBasis::replayed, EnergyBasis::vectorless, EnergyBasis::assumed})
        if (const auto names = units_of(engine, basis); !names.empty())
            bases.push_back(fmt::format("{} for {}", to_text(basis), fmt::join(names, ", ")));
    if (bases.empty()) return std::nullopt;
    return fmt::format("{}: energy_codec_pj is {}", method, fmt::join(bases, "; "));
}

}   // namespace

std::vector<std::string> notes_on_technology(const Parameters& p) {
    if (!p.engine.technology) return {};
    const Technology& technology = *p.engine.technology;
    std::vector<std::string> notes{note_on_figures(technology)}, uncounted;
    for (const Method& method : p.methods) {
        const PricedEngine engine = priced_engine(technology, coder_of(method), p.engine, p.nic.adders, 1);
        if (!engine.missing.empty())
            notes.push_back(fmt::format("{}: engine.technology has no {}; its energy and area are null", method.name,
                                        fmt::join(engine.missing, ", no ")));
        else if (const auto note = note_on_bases(method.name, engine)) notes.push_back(*note);
        add_new(uncounted, engine.uncounted);
    }
    for (std::string& note : notes_on_clocks(p)) notes.push_back(std::move(note));
    if (!uncounted.empty())
        notes.push_back(fmt::format("energies and areas are without {}: engine.technology does not have them",
                                    fmt::join(uncounted, ", ")));
    return notes;
}

}   // namespace oscar

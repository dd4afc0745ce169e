#include "models/engine/engine_parts.hpp"

#include <cmath>
#include <utility>
#include <variant>

namespace oscar {
namespace {

/// 1 if `own` is what is needed, 0 if it fits anything, -1 if it is something else.
template <class T>
int match(const std::optional<T>& own, const T& needed) {
    if (!own) return 0;
    return *own == needed ? 1 : -1;
}

/// The number of keys that match, or -1 if one is something else.
int matches(const UnitCost& cost, const PartNeeds& needs) {
    int sum = 0;
    for (const int one :
         {match(cost.search, needs.search), match(cost.streams, needs.streams), match(cost.layout, needs.layout),
          match(cost.adaptive, needs.adaptive), match(cost.classes, needs.classes)}) {
        if (one < 0) return -1;
        sum += one;
    }
    return sum;
}

/// The lanes that a unit serves as it is synthesised (models/engine/rtl/units.yaml), and the units that an engine
/// needs.
constexpr std::uint32_t lanes_of_counts = 16, lanes_of_packer = 16, lanes_of_distributor = 64;

std::vector<EnginePart> parts_of(const EngineCoder& coder, const EngineParams& engine, double adders,
                                 std::uint32_t scale) {
    using E = EngineUnit;
    std::vector<EnginePart> parts;
    const double lanes = engine.lanes, one = 1.0 / scale;   // of the larger engine
    const double banks = engine.table_load == 0 ? 2 : 1;
    const auto units_of = [&](std::uint32_t lanes_of_unit) { return one * std::ceil(lanes * scale / lanes_of_unit); };
    if (coder.kind == EngineCoder::Kind::arithmetic)
        parts = {{E::asc_encoder_lane, lanes, Activity::encoding}, {E::asc_decoder_lane, lanes, Activity::decoding}};
    if (coder.kind == EngineCoder::Kind::rans)
        parts = {{E::rans_encoder_lane, lanes, Activity::encoding},
                 {E::rans_decoder_lane, lanes, Activity::decoding},
                 {E::rans_word_distributor, units_of(lanes_of_distributor), Activity::decoding, false}};
    if (!parts.empty()) {
        for (const auto& [activity, packets] :
             {std::pair{Activity::encoding, E::block_packer}, {Activity::decoding, E::block_unpacker}}) {
            parts.push_back({E::table_registers, banks * one, activity, false});
            parts.push_back({E::symbol_counts, units_of(lanes_of_counts), activity, false});
            parts.push_back({packets, units_of(lanes_of_packer), activity, false});
        }
        parts.push_back({E::table_unit, one, Activity::making_tables, false});
    }
    if (coder.bypasses) parts.push_back({E::value_adder, adders, Activity::adding, false});
    else parts.push_back({E::integer_adder, lanes, Activity::adding, false});
    return parts;
}

}   // namespace

const UnitCost* find_unit(const Technology& technology, EngineUnit unit, const PartNeeds& needs) {
    const UnitCost* best = nullptr;
    int most = -1;
    for (const UnitCost& cost : technology.units) {
        const int own = cost.unit == unit ? matches(cost, needs) : -1;
        if (own > most) {
            most = own;
            best = &cost;
        }
    }
    return best;
}

std::string unit_text(EngineUnit unit, const PartNeeds& needs) {
    std::string text(to_text(unit));
    const bool rans = unit == EngineUnit::rans_encoder_lane || unit == EngineUnit::rans_decoder_lane;
    if (rans) return text + " with streams: " + std::to_string(needs.streams);
    if (unit == EngineUnit::asc_decoder_lane) text += " with search: " + std::string(to_text(needs.search)) + ",";
    else if (unit != EngineUnit::asc_encoder_lane) return text;
    else text += " with";
    return text + " streams: " + std::to_string(needs.streams) + ", layout: " + std::string(to_text(needs.layout)) +
           ", adaptive: " + (needs.adaptive ? "true" : "false");
}

PricedEngine priced_engine(const Technology& technology, const CodecChoice& codec, const EngineParams& engine,
                           std::uint32_t adders, std::uint32_t classes, std::uint32_t scale) {
    PricedEngine priced;
    const EngineCoder coder = std::visit([](const auto& params) { return engine_coder_of(params); }, codec.params);
    if (coder.kind == EngineCoder::Kind::unknown) priced.missing.push_back("lanes of " + std::string(codec.name()));
    if (coder.kind == EngineCoder::Kind::software) priced.missing.emplace_back("processor for its software");
    const PartNeeds needs{engine.search, engine.streams, coder.layout, coder.adaptive, classes};
    for (const EnginePart& part : parts_of(coder, engine, adders, scale)) {
        const UnitCost* cost = find_unit(technology, part.unit, needs);
        if (cost != nullptr) {
            priced.parts.push_back({part, cost});
            continue;
        }
        std::vector<std::string>& list = part.required ? priced.missing : priced.uncounted;
        const std::string text = unit_text(part.unit, needs);
        if (list.empty() || list.back() != text) list.push_back(text);
    }
    return priced;
}

}   // namespace oscar

#include "models/engine/engine_cost.hpp"

#include <algorithm>
#include <cmath>

namespace oscar {
namespace {

double bits(Bytes size) { return 8 * static_cast<double>(size.count); }

double cycles_of(Activity activity, const EngineWork& work) {
    switch (activity) {
        case Activity::encoding:
            return work.encoder_cycles;
        case Activity::decoding:
            return work.decoder_cycles;
        case Activity::making_tables:
            return work.table_cycles;
        case Activity::adding:
            return 0;   // by the value, see adder_energy
    }
    return 0;
}

}   // namespace

EngineSram engine_sram(const EngineParams& engine, const Codec& codec, const EngineMemoryTraffic& traffic,
                       std::uint32_t width) {
    EngineSram sram;
    if (!codec.uses_engine() || codec.constant_rate()) return sram;
    if (traffic.table_memory_needed > Bytes{}) sram.tables = engine.table_sram;
    if (traffic.mask_memory_needed > Bytes{}) sram.masks = engine.mask_sram;
    const Framing framing = engine.framing();
    const std::uint64_t block = std::uint64_t{framing.sub_streams()} * framing.sub_stream_values();
    sram.buffers = Bytes{4 * codec.bound(block, width).count};
    return sram;
}

Area engine_area(const Technology& technology, const PricedEngine& engine, Bytes sram, std::uint32_t scale) {
    double cells = 0;
    for (const auto& [part, cost] : engine.parts) cells += part.count * cost->area.um2;
    return {scale * cells * technology.derating.area.factor + bits(sram) * technology.sram.area_per_bit.um2};
}

Power engine_leakage(const Technology& technology, const PricedEngine& engine, Bytes sram, std::uint32_t scale) {
    double cells = 0;
    for (const auto& [part, cost] : engine.parts) cells += part.count * cost->leakage.uw;
    return {scale * cells + bits(sram) * technology.sram.leakage_per_bit.uw};
}

CoderEnergy coder_energy(const Technology& technology, const PricedEngine& engine, const EngineWork& work) {
    double total = 0, replayed = 0;
    for (const auto& [part, cost] : engine.parts) {
        const double pj = cycles_of(part.activity, work) * part.count * cost->energy_per_cycle.pj;
        total += pj;
        if (cost->energy_basis == EnergyBasis::replayed) replayed += pj;
    }
    const double factor = technology.derating.energy.factor;
    return {{total * factor}, {replayed * factor}};
}

std::optional<Energy> adder_energy(const Technology& technology, const PricedEngine& engine, const EngineWork& work) {
    for (const auto& [part, cost] : engine.parts)
        if (part.activity == Activity::adding)
            return Energy{work.added_values * cost->energy_per_cycle.pj * technology.derating.energy.factor};
    return std::nullopt;
}

Energy energy_in(Power power, Time time) { return {power.uw * 1e-6 * static_cast<double>(time.ps)}; }

Energy energy_of(double bytes, EnergyPerBit of_a_bit) { return {8 * bytes * of_a_bit.pj}; }

std::optional<Frequency> fastest_clock(const Technology& technology, const UnitCost& unit) {
    if (!unit.period) return std::nullopt;
    const double period_ps = static_cast<double>(unit.period->ps) * technology.derating.clock.factor;
    return Frequency{static_cast<std::uint64_t>(std::floor(1e9 / period_ps))};
}

std::optional<EnergyPerBit> break_even_link_energy(Energy more, double saved_link_bits) {
    if (saved_link_bits <= 0) return std::nullopt;
    return EnergyPerBit{std::max(0.0, more.pj / saved_link_bits)};
}

}   // namespace oscar

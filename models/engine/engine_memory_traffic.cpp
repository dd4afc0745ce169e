#include "models/engine/engine_memory_traffic.hpp"

#include <algorithm>
#include <bit>
#include <set>
#include <tuple>

namespace oscar {
namespace {

bool stores_tables(TableSource source) {
    return source == TableSource::stepwise || source == TableSource::profiled || source == TableSource::pooled;
}

/// Where one table serves all links, it is used first in the first timestep that the rank takes part in.
std::vector<std::vector<Bytes>> tables_by_timestep(const Plan& plan, const Codec& codec, Bytes of_a_key) {
    const Schedule& schedule = plan.schedule;
    std::vector<std::vector<Bytes>> result(schedule.participants(), std::vector<Bytes>(schedule.timesteps()));
    std::vector<bool> holds_common(schedule.participants());
    std::set<std::tuple<Rank, Rank, Timestep, std::uint32_t>> links;   // on which that many ranks' sum travels then
    for (std::uint32_t i = 0; i < schedule.steps.size(); ++i) {
        const Step& step = schedule.steps[i];
        const bool common = codec.table_source() != TableSource::stepwise || plan.final_sum(StepId{i});
        if (!common &&
            !links.insert({step.from, step.to, schedule.table_timestep(StepId{i}), plan.addends(StepId{i})}).second)
            continue;
        for (const Rank rank : {step.from, step.to}) {
            if (common && holds_common[rank.value]) continue;
            if (common) holds_common[rank.value] = true;
            result[rank.value][step.timestep.value] += of_a_key;
        }
    }
    result.resize(schedule.ranks);   // switches hold theirs, and a port's tables no other
    return result;
}

Bytes largest_sum(const std::vector<std::vector<Bytes>>& tables) {
    Bytes largest;
    for (const auto& rank : tables) {
        Bytes sum;
        for (const Bytes timestep : rank) sum += timestep;
        largest = std::max(largest, sum);
    }
    return largest;
}

Bytes largest_of_a_timestep(const std::vector<std::vector<Bytes>>& tables) {
    Bytes largest;
    for (const auto& rank : tables) largest = std::max(largest, *std::ranges::max_element(rank));
    return largest;
}

constexpr std::uint64_t table_bits = table_rows * probability_bits;
constexpr std::uint64_t bound_bits = std::bit_width(static_cast<std::uint32_t>(SymbolCounts::one)) - 1;

std::uint64_t bits_to_count(std::uint64_t most) { return static_cast<std::uint64_t>(std::bit_width(most)); }

/// Of one class.
std::uint64_t adaptive_bits(const Adaptation& adaptation, std::uint64_t lanes) {
    switch (adaptation.update) {
        case Update::symbol: {
            const std::uint64_t speeds = adaptation.quick_rate > 0 ? 2 : 1;
            return lanes * (speeds * (table_rows - 1) * bound_bits + bits_to_count(adaptation.window));
        }
        case Update::block:
            return 2 * table_bits +
                   table_rows * (bits_to_count(adaptation.window * lanes) + bits_to_count(adaptation.interval * lanes));
        case Update::none:
            break;
    }
    return 0;
}

std::uint64_t bits_of(const AscParams& params, std::uint64_t lanes) {
    return adaptive_bits({.update = params.adapt,
                          .interval = params.adapt_interval,
                          .window = params.adapt_window,
                          .quick_rate = params.adapt_quick},
                         lanes);
}
std::uint64_t bits_of(const AacParams& params, std::uint64_t lanes) {
    return adaptive_bits(
        {.update = params.update, .interval = params.interval, .window = params.window, .quick_rate = params.quick},
        lanes);
}
std::uint64_t bits_of(const AtalantaParams& params, std::uint64_t) {
    return params.table == AtalantaTable::sent_inline ? table_bits : 0;
}
template <class Params>
std::uint64_t bits_of(const Params&, std::uint64_t) {
    return 0;
}

}   // namespace

Bytes table_memory(const Codec& codec, std::uint32_t width) {
    constexpr std::uint64_t counter_bits = 24, length_bits = 4;
    Counts counters;
    codec.learn({}, width, counters);
    const bool searched = counters.size() != table_rows;
    const std::uint64_t row_bits = probability_bits + (searched ? width + length_bits : 0);
    return Bytes{(table_rows * row_bits + counters.size() * counter_bits + 7) / 8};
}

EngineMemoryTraffic engine_reads(const EngineParams& engine, const Plan& plan, const Codec& codec, ValueClasses classes,
                                 std::uint64_t elements) {
    EngineMemoryTraffic reads;
    if (!codec.uses_engine() || engine.place == EnginePlace::gpu) return reads;   // kernels have theirs in GPU memory
    if (codec.uses_classes() && classes.neighbours > 0) {
        reads.mask_bits = static_cast<std::uint32_t>(std::bit_width(classes.count - 1));
        reads.values_per_class = classes.neighbours;
    }
    reads.mask_memory_needed = reads.mask_of(elements);
    if (reads.mask_memory_needed <= engine.mask_sram) reads.mask_bits = 0;
    if (!stores_tables(codec.table_source())) return reads;
    const Bytes of_a_table = table_memory(codec, plan.final_width());
    const std::uint64_t of_a_key = classes.count > 1 ? classes.count + 1 : 1;
    auto tables = tables_by_timestep(plan, codec, Bytes{of_a_key * of_a_table.count});
    reads.table_memory_needed = largest_sum(tables);
    reads.tables_kept = reads.table_memory_needed.count / of_a_table.count;
    if (reads.table_memory_needed <= engine.table_sram) return reads;
    reads.prefetch = 2 * largest_of_a_timestep(tables).count <= engine.table_sram.count;
    reads.tables = std::move(tables);
    return reads;
}

Bytes lane_tables(const CodecChoice& codec, const Framing& framing, std::uint32_t classes) {
    const std::uint64_t bits =
        std::visit([&](const auto& params) { return bits_of(params, framing.sub_streams()); }, codec.params);
    return Bytes{(classes * bits + 7) / 8};
}

}   // namespace oscar

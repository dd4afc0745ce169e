#include "sim/run/iteration/cost_of.hpp"

#include <algorithm>

#include "models/engine/engine_cost.hpp"
#include "models/engine/table_learning.hpp"

namespace oscar {
namespace {

/// Cycles of `clock` in spans that do not overlap.
double cycles_in(const std::vector<Span>& spans, Frequency clock) {
    std::int64_t ps = 0;
    for (const Span span : spans) ps += (span.end - span.begin).ps;
    return static_cast<double>(ps) * static_cast<double>(clock.khz) * 1e-9;
}

/// An equal share of what the engine did for the ranks that have it.
EngineWork work_of(const RankUse& rank, const EngineParams& engine, const CodedWork& work) {
    const std::uint64_t tables = work.after_another ? work.reads.tables_kept : 0;
    return {cycles_in(rank.encoder, engine.clock) / rank.sharing, cycles_in(rank.decoder, engine.clock) / rank.sharing,
            static_cast<double>(tables * cycles_of_a_table(engine)), static_cast<double>(rank.added_values)};
}

/// Bits that engines read from or write to SRAM. Encoded bytes are written to and read from a buffer at either end; the
/// classes of values are read at either end; tables, which do not grow with the gradient, are read and written back
/// once by each rank.
double sram_bytes(const IterationResult& result, const CodedWork& work, std::size_t ranks, std::uint32_t scale) {
    const auto number = [](std::uint64_t n) { return static_cast<double>(n); };
    const double masks =
        number(work.reads.mask_memory_needed.count) / number(std::max<std::uint64_t>(1, work.elements));
    return scale * (4 * number(result.payload_bytes) + 2 * masks * number(result.values)) +
           2 * number(ranks) * number(work.reads.table_memory_needed.count);
}

void add(std::optional<double>& sum, double more) { sum = sum.value_or(0) + more; }

/// The engine of one rank, of the machine before it was divided by `scale`: each value that it coded or added stands
/// for `scale` values, and each lane for `scale` lanes.
void add_engine(IterationResult& result, const NodeParams& node, const RankUse& rank, const CodedWork& work,
                std::uint32_t scale) {
    const Technology& technology = *node.engine.technology;
    const PricedEngine engine =
        priced_engine(technology, work.choice, node.engine, node.nic.adders, work.classes, scale);
    if (!engine.missing.empty()) return;
    const Bytes sram = engine_sram(node.engine, work.codec, work.reads, work.width).total(scale);
    const EngineWork done = work_of(rank, node.engine, work);
    const CoderEnergy coder = coder_energy(technology, engine, done);
    add(result.energy_codec_pj, scale * coder.total.pj);
    add(result.energy_codec_replayed_pj, scale * coder.replayed.pj);
    add(result.energy_leakage_pj,
        energy_in(engine_leakage(technology, engine, sram, scale), Time{result.allreduce_ps}).pj / rank.sharing);
    if (const auto energy = adder_energy(technology, engine, done)) add(result.energy_reduce_pj, scale * energy->pj);
}

/// The largest engine of all ranks, of which there may be several.
void set_area(IterationResult& result, const Nodes& nodes, const CodedWork& work, std::uint32_t scale) {
    for (const NodeParams& node : nodes) {
        const Technology& technology = *node.engine.technology;
        const PricedEngine engine =
            priced_engine(technology, work.choice, node.engine, node.nic.adders, work.classes, scale);
        if (!engine.missing.empty()) return;
        const Bytes sram = engine_sram(node.engine, work.codec, work.reads, work.width).total(scale);
        result.engine_sram_bytes = std::max(result.engine_sram_bytes.value_or(0), sram.count);
        result.engine_area_um2 =
            std::max(result.engine_area_um2.value_or(0), engine_area(technology, engine, sram, scale).um2);
    }
}

}   // namespace

void add_cost(IterationResult& result, const Nodes& nodes, const Outcome& outcome, const CodedWork& work,
              std::uint32_t scale) {
    if (nodes.empty() || !nodes.front().engine.technology) return;
    const Technology& technology = *nodes.front().engine.technology;
    result.costed = true;
    double dma_bytes = 0, link_bytes = 0;
    for (const LinkShare& link : result.links) link_bytes += scale * static_cast<double>(link.wire_bytes);
    for (std::size_t r = 0; r < nodes.size(); ++r) {
        add_engine(result, nodes[r], outcome.ranks[r], work, scale);
        dma_bytes += scale * static_cast<double>(outcome.ranks[r].dma_bytes);
    }
    set_area(result, nodes, work, scale);
    const bool has_coder = work.codec.uses_engine() && !work.codec.constant_rate();
    if (result.energy_codec_pj)
        result.energy_memory_pj =
            has_coder ? energy_of(sram_bytes(result, work, nodes.size(), scale), technology.sram.energy_per_bit).pj : 0;
    result.energy_dma_pj =
        energy_of(dma_bytes, technology.dma.energy).pj + energy_of(dma_bytes, technology.gpu_memory.energy).pj;
    result.energy_link_pj = energy_of(link_bytes, technology.link.energy).pj;
    result.link_bits = 8 * link_bytes;
}

}   // namespace oscar

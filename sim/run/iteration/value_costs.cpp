#include "sim/run/iteration/value_costs.hpp"

#include <algorithm>
#include <optional>

namespace oscar {

Table table_of(const MethodSetting& setting, std::span<const Symbol> symbols) {
    Counts counts;
    setting.codec->learn(symbols, setting.plan.final_width(), counts);
    return setting.codec->make_table(counts, setting.plan.final_width());
}

std::vector<std::uint32_t> costs_of(const MethodSetting& setting, const RankState& rank_state,
                                    std::span<const Symbol> values, std::span<const std::uint8_t> classes) {
    const Codec& codec = *setting.codec;
    const std::uint32_t width = setting.plan.final_width();
    std::vector<std::uint32_t> costs(setting.elements);
    if (const auto tables = rank_state.tables().of_final_sums_by_class(); !classes.empty() && !tables.empty()) {
        std::ranges::transform(values, classes, costs.begin(),
                               [&](Symbol v, std::uint8_t c) { return codec.cost(v, width, tables[c]); });
        return costs;
    }
    std::optional<Table> own;
    if (!rank_state.tables().of_final_sums() &&
        codec.table_source() != TableSource::none)   // a codec that holds no tables
        own = table_of(setting, rank_state.values().all());
    const Table* table = own ? &*own : rank_state.tables().of_final_sums();
    std::ranges::transform(values, costs.begin(), [&](Symbol v) { return codec.cost(v, width, table); });
    return costs;
}

}   // namespace oscar

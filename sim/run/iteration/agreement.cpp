#include "sim/run/iteration/agreement.hpp"

#include <optional>

#include "models/codec/message/inline_table.hpp"
#include "models/codec/table/scale_move.hpp"
#include "sim/run/iteration/boundary_broadcast.hpp"
#include "sim/run/iteration/chunk_choice.hpp"
#include "sim/run/iteration/value_costs.hpp"

namespace oscar {
namespace {

/// The one table of an iteration that follows another, if the codec wants one.
std::optional<Table> common_table(const MethodSetting& setting, const Participants& reference, const History& history) {
    const Codec& codec = *setting.codec;
    if (!history.exists()) return std::nullopt;
    if (codec.table_source() == TableSource::profiled) return table_of(setting, history.local);
    if (codec.table_source() != TableSource::pooled) return std::nullopt;
    Counts pool;
    for (const RankState& rank_state : reference.rank_states) oscar::add(pool, rank_state.tables().received_counts());
    if (pool.empty()) return std::nullopt;   // nothing was coded: all messages have stayed in islands
    return codec.make_table(pool, setting.plan.final_width());
}

/// A table goes from rank 0 to the others, which, if it is pooled, have sent rank 0 their counts of 32 bits.
std::uint64_t bytes_of(const Table& table, const MethodSetting& setting, const Participants& reference) {
    const std::uint64_t counts = 4 * reference.rank_states.front().tables().received_counts().size();
    return (counts + inline_table_bytes(table.layout, table.width)) * (setting.plan.schedule.participants() - 1);
}

/// The rows / 256 by which the same gradients lie higher than in the iteration before: 0 unless both have one scale.
std::int32_t scale_move(const History& history, const IterationCodes& codes) {
    if (!codes.continues || history.peaks.size() != 1 || codes.peaks.size() != 1) return 0;
    if (history.peaks.front() <= 0 || codes.peaks.front() <= 0) return 0;
    return rows_between(history.peaks.front(), codes.peaks.front());
}

}   // namespace

Agreement agree(const MethodSetting& setting, ParticipantSets sets, History& history, const IterationCodes& codes) {
    if (!codes.continues) {
        history.local.clear();
        for (Participants* set : sets) set->forget();
    }
    const Participants& reference = *sets.front();
    Agreement agreement{.follows = history.exists(), .broadcast = history.exists() && cuts_by_own_codes(reference)};
    const std::optional<Table> table = common_table(setting, reference, history);
    if (agreement.broadcast) agreement.bytes += boundary_bytes(setting.chunk_count(), setting.parameters.ranks);
    if (table) agreement.bytes += bytes_of(*table, setting, reference);
    const bool repeated = !reference.layouts.empty();
    for (Participants* set : sets)
        for (RankState& rank_state : set->rank_states) {
            if (table) rank_state.tables().set_profile(*table);
            if (!repeated) rank_state.tables().follow_scale(scale_move(history, codes));
        }
    if (!repeated) choose_layouts(setting, sets, agreement.follows, codes);
    return agreement;
}

}   // namespace oscar

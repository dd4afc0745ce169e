#include "models/collective/endpoint/rank_tables.hpp"

#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "models/collective/endpoint/partial_sums.hpp"
#include "models/quantise/quantiser.hpp"

namespace oscar {
namespace {

constexpr std::uint32_t no_link = 0xFFFFFFFF;   // of tables that are made of final sums

/// Groups of numbers of ranks whose sums share a table: 1, 2, 3-4, 5-8, ...
std::uint32_t doubling(std::uint32_t ranks) { return static_cast<std::uint32_t>(std::bit_width(ranks - 1)); }

bool shares_by_power_of_two(const Codec& codec) { return codec.stepwise().table_sharing == TableSharing::power_of_two; }

/// Whether partial sums have tables that are made of final ones: rescaled tables.
bool rescales(const Codec& codec) {
    return codec.table_source() == TableSource::stepwise && codec.stepwise().table_source == StepSource::rescaled;
}

/// Rescaled tables: of sums of `ranks` ranks; number 0 is that of final sums.
TableKey partial_key(const Codec& codec, std::uint32_t ranks) {
    return {no_link, Timestep{1 + (shares_by_power_of_two(codec) ? doubling(ranks) : ranks)}};
}

/// Whether messages may need a table that came before them.
bool has_common_tables(TableSource source) {
    return source == TableSource::stepwise || source == TableSource::profiled || source == TableSource::pooled;
}

std::uint64_t contents_of(std::span<const Symbol> symbols, std::span<const std::uint8_t> classes) {
    return XXH3_64bits_withSeed(classes.data(), classes.size(), XXH3_64bits(symbols.data(), symbols.size_bytes()));
}

}   // namespace

void RankTables::begin() {
    received_counts_.clear();
    doubts_ = false;
}

TableKey RankTables::final_key() { return {no_link, Timestep{0}}; }

bool RankTables::per_link(StepId id) const {
    return codec_->table_source() == TableSource::stepwise && codec_->stepwise().table_source == StepSource::per_link &&
           !plan_->final_sum(id);
}

/// Timesteps that share a table, by the ranks whose sum they carry; otherwise the timestep itself.
Timestep RankTables::group(StepId id) const {
    return shares_by_power_of_two(*codec_) ? Timestep{doubling(plan_->addends(id))}
                                           : plan_->schedule.table_timestep(id);
}

/// Per-link tables: one for the sums of one number of ranks on a link in a timestep, or a group of them. Rescaled
/// tables: one made of final sums for each number of ranks. The final-sum table, or a profile: one table for all final
/// sums, or for everything.
TableKey RankTables::key(StepId id) const {
    const Step& step = plan_->schedule.steps[id.value];
    if (per_link(id)) {
        const std::uint32_t summed = shares_by_power_of_two(*codec_) ? 0 : plan_->addends(id);
        return {step.from.value * plan_->schedule.participants() + step.to.value, group(id), summed};
    }
    if (rescales(*codec_) && !plan_->final_sum(id)) return partial_key(*codec_, plan_->addends(id));
    return final_key();
}

bool RankTables::holds(StepId id, const Block& block, bool classes) const {
    if (block.mode != BlockMode::coded || !has_common_tables(codec_->table_source())) return true;
    if (!classes) return of(id) != nullptr && of(id)->check() == block.check;
    const auto tables = by_class(id);
    return !tables.empty() && Tables(tables, {}).check() == block.check;
}

bool RankTables::equal_of_final_sums(const RankTables& a, const RankTables& b) {
    const auto equal = [](const Table* one, const Table* other) {
        return one != nullptr && other != nullptr ? *one == *other : one == other;
    };
    return equal(a.of_final_sums(), b.of_final_sums()) &&
           std::ranges::equal(a.of_final_sums_by_class(), b.of_final_sums_by_class(), equal);
}

SharedCounts RankTables::learn(StepId step, std::span<const Symbol> symbols, std::span<const std::uint8_t> classes,
                               const SharedCounts& candidate) {
    if (!per_link(step)) return nullptr;
    const std::uint32_t width = plan_->width(step);
    SharedCounts counts = candidate;
    if (const std::uint64_t contents = contents_of(symbols, classes); !counts || counts->contents != contents)
        counts = std::make_shared<const MessageCounts>(MessageCounts{contents, store_.count(symbols, classes, width)});
    store_.learn(key(step), counts->counts, width);
    return counts;
}

void RankTables::count_received(std::span<const Symbol> symbols) {
    if (codec_->table_source() == TableSource::pooled) codec_->learn(symbols, plan_->final_width(), received_counts_);
}

bool RankTables::looks_at_blocks(StepId step) const {
    return codec_->table_source() == TableSource::stepwise && of(step) != nullptr;
}

void RankTables::compare(StepId id, std::span<const Block> blocks) {
    if (codec_->table_source() != TableSource::stepwise || proves_common_tables(blocks)) return;
    // Tables made of final sums are reset at all ranks or at none. Every rank sees a message of final sums, so each can
    // decide alone. Only two ranks see a delta, so they raise a doubt, which agree_on_tables() spreads.
    if (per_link(id)) {
        store_.reset_at_commit(key(id));
        doubts_ = doubts_ || plan_->delta_base[id.value];
    } else if (plan_->final_sum(id)) {
        reset_at_commit();
    }
}

void RankTables::reset_at_commit() {
    doubts_ = true;
    store_.reset_at_commit(no_link);
}

/// The final-sum table, and rescaled tables for each number of ranks whose sums travel; where all ranks end with the
/// same.
FinalCounts RankTables::count_final_sums(std::span<const Symbol> values, std::span<const std::uint8_t> classes) const {
    FinalCounts counts;
    if (codec_->table_source() != TableSource::stepwise || !plan_->ends_alike()) return counts;
    const auto add = [&](TableKey key, std::span<const Symbol> symbols, std::uint32_t width) {
        counts.keys.push_back({key, width, store_.count(symbols, classes, width)});
    };
    add(final_key(), values, plan_->final_width());
    if (!rescales(*codec_)) return counts;
    for (const std::uint32_t ranks : plan_->partial_sums)
        add(partial_key(*codec_, ranks), partial_sums(values, ranks, plan_->schedule.ranks, codec_->stepwise().scaling),
            widened_bits(plan_->bits, ranks));
    return counts;
}

void RankTables::commit(const FinalCounts& counts) {
    for (const auto& [key, width, own] : counts.keys) store_.learn(key, own, width);
    store_.commit();
    committed_counts_ = std::exchange(received_counts_, {});
}

void RankTables::rollback() {
    store_.rollback();
    received_counts_.clear();
}

void RankTables::reset() {
    store_.reset();
    received_counts_.clear();
    committed_counts_.clear();
}

}   // namespace oscar

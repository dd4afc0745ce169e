// One rank's tables: the choice of a table for each step, and learning from messages.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/codec/interface/codec.hpp"
#include "models/codec/learning/table_store.hpp"
#include "models/collective/endpoint/plan.hpp"

namespace oscar {

/// The counts that final sums add to each table key that learns from them.
struct FinalCounts {
    struct OfKey {
        TableKey key;
        std::uint32_t width = 0;
        ClassCounts counts = {};
    };
    std::vector<OfKey> keys = {};
};

/// Counts of a message's symbols by their classes, and the hash of both.
struct MessageCounts {
    std::uint64_t contents = 0;
    ClassCounts counts = {};
};
using SharedCounts = std::shared_ptr<const MessageCounts>;

/// Copyable, as RankValues. Elements are of one class or several.
class RankTables {
public:
    /// `plan` and `codec` outlive it.
    RankTables(const Plan& plan, const Codec& codec, std::uint32_t classes)
        : plan_(&plan), codec_(&codec), store_(codec, classes) {}

    /// Begins an iteration.
    void begin();
    /// Sets the table made beforehand (TableSource::profiled or pooled), the same at all ranks.
    void set_profile(const Table& table) { store_.set(final_key(), table); }
    /// Between two iterations: the same gradients now lie `rows` / 256 rows of magnitude higher.
    void follow_scale(std::int32_t rows) { store_.follow_scale(rows); }

    /// True if the step's table is known to the two ends of its link only: per-link tables.
    bool per_link(StepId step) const;
    /// The table of a step that this rank sends or receives; null if there is none yet.
    const Table* of(StepId step) const { return store_.find(key(step)); }
    /// The tables of a step for each class; empty if there is none.
    std::vector<const Table*> by_class(StepId step) const { return store_.by_class(key(step)); }
    /// The table that final sums are coded with, on which all ranks agree; null if there is none.
    const Table* of_final_sums() const { return store_.find(final_key()); }
    /// The table of final sums for each class; empty if there is none.
    std::vector<const Table*> of_final_sums_by_class() const { return store_.by_class(final_key()); }
    /// True if both ranks hold equal tables of final sums; the tables of their links are not compared.
    static bool equal_of_final_sums(const RankTables& a, const RankTables& b);
    /// True if this rank holds the tables that a block of a step's message names. `classes`: elements have classes.
    bool holds(StepId step, const Block& block, bool classes) const;

    /// If the message does not prove that both ends hold equal tables, marks its key (or all keys learnt from final
    /// sums) for reset at commit(). Both ends see the same blocks, and so does every rank that hands them on.
    void compare(StepId step, std::span<const Block> blocks);
    /// True if compare() depends on the blocks of a step's message: with tables, they show whether both ends hold them.
    bool looks_at_blocks(StepId step) const;
    /// Learns what the tables of a link carry, and returns its counts; null where links learn nothing. `candidate`:
    /// counts of the same step and iteration, which are taken instead of counting again if their contents are equal.
    SharedCounts learn(StepId step, std::span<const Symbol> symbols, std::span<const std::uint8_t> classes,
                       const SharedCounts& candidate = nullptr);
    /// Counts what this rank received, for a pooled table.
    void count_received(std::span<const Symbol> symbols);
    /// True if a message of this iteration left open whether all ranks hold the same tables of final sums.
    bool doubts() const { return doubts_; }
    /// Marks all tables that are learnt from final sums for reset at commit(); the rank then doubts them.
    void reset_at_commit();

    /// Counts of the final sums `values`; none where ranks end with different ones. Law: a function of its arguments,
    /// equal at all ranks.
    FinalCounts count_final_sums(std::span<const Symbol> values, std::span<const std::uint8_t> classes) const;
    /// Ends the iteration, whose final sums have these counts: tables learn from it.
    void commit(const FinalCounts& counts);
    /// Ends an aborted iteration: tables and counts are as before it; the rank's values are void until the next begins.
    void rollback();
    /// Forgets all tables and counts: after a loss, or at all ranks at a change of membership.
    void reset();

    const TableStore& store() const { return store_; }
    /// Counts of what the rank received in the iteration committed last; none unless tables are pooled.
    const Counts& received_counts() const { return committed_counts_; }

private:
    TableKey key(StepId step) const;
    static TableKey final_key();
    Timestep group(StepId step) const;

    const Plan* plan_;
    const Codec* codec_;
    TableStore store_;
    Counts received_counts_, committed_counts_;   ///< none unless TableSource::pooled
    bool doubts_ = false;
};

}   // namespace oscar

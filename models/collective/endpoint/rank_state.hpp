// One rank's half of the data: its values, its tables, and what each step makes of them. It has no clock: the untimed
// reference and the timed system drive the same endpoints, each its own set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "models/codec/interface/codec.hpp"
#include "models/codec/learning/table_store.hpp"
#include "models/collective/endpoint/block_totals.hpp"
#include "models/collective/endpoint/plan.hpp"
#include "models/partition/chunks.hpp"

namespace oscar {

/// A rank's values and tables. Copyable: a copy goes on independently from the same state.
/// Law: after all steps of an AllReduce, the values of every endpoint are equal, and the same whatever order the
/// dependencies left open: what is not exact is added in the order of the schedule.
class RankState {
public:
    /// `plan` and `codec` outlive the endpoint. Elements are of up to `classes` classes.
    RankState(Rank rank, const Plan& plan, const Codec& codec, std::uint32_t classes = 1);

    /// From the next iteration on, counts what blocks cost, and tells the other ranks behind each message.
    void count_blocks(BlockUnit unit) { totals_.emplace(unit); }
    /// Begins iteration `epoch` with this rank's values (codes, or fp32 bit patterns) split as `layout` says.
    /// `classes`: of each element, the same at all ranks; empty where they are not known.
    void begin(std::vector<Symbol> values, ChunkLayout layout, std::uint8_t epoch,
               std::vector<std::uint8_t> classes = {});
    /// Sets the table made beforehand (TableSource::profiled or pooled), the same at all ranks.
    void set_profile(const Table& table);

    /// What a step that this rank sends will carry.
    std::vector<Symbol> carried(StepId step) const;
    /// The message of a step that this rank sends. A chunk received by copy, or sent before, and not changed since goes
    /// on as it is, unless the link has tables of its own.
    std::shared_ptr<const Encoded> send(StepId step);
    /// Whether send(step) hands on bytes that it has, without encoding.
    bool forwards(StepId step) const;
    /// Decodes what a step brought and copies or adds it. Throws CorruptStream; after a TableMismatch the endpoint is
    /// as before, and takes what the sender's resend(step) makes.
    void receive(StepId step, std::vector<std::byte> bytes);
    /// The same for a message that came as it was sent, which is shared with its sender; one of a size-only codec has
    /// values instead of bytes.
    void receive(StepId step, std::shared_ptr<const Encoded> message);
    /// The message of a step that was sent and not accepted, made again with a table inline, for which the receiver
    /// needs none. Precondition: the schedule is free of races, so that what the sender holds is still what it sent.
    std::shared_ptr<const Encoded> resend(StepId step);
    /// Whether this rank holds the tables that a block of a step's message names in its header.
    bool holds_tables_of(StepId step, const Block& block) const;

    /// Between two iterations: the same gradients come to lie `rows` / 256 rows of magnitude higher, for the scale of
    /// the codes has changed.
    void follow_scale(std::int32_t rows) { tables_.follow_scale(rows); }

    /// Whether a message of this iteration did not show that all ranks hold the same tables of final values; makes them
    /// begin anew (see agree_on_tables).
    bool doubts_tables() const { return doubts_; }
    void begin_tables_anew();

    /// Ends the iteration: tables learn from it. A key whose messages did not all show that their two ends hold the
    /// same tables begins anew (docs/model.md 4a).
    void commit();
    /// Ends an aborted iteration: tables and counts are as before begin(); the values are void until the next begin().
    void rollback();
    /// Forgets all tables and counts: after a loss, or at all ranks at a change of membership.
    void reset();

    std::span<const Symbol> values() const { return values_; }
    /// Of the iteration begun last; empty where they were not known.
    std::span<const std::uint8_t> classes() const { return classes_; }
    const ChunkLayout& layout() const { return layout_; }
    const TableStore& tables() const { return tables_; }
    /// Of what this rank received in the iteration committed last, what a pooled table is made of: counts at the width
    /// of final sums.
    const Counts& received_counts() const { return committed_counts_; }
    /// Of the blocks of the iteration run last, over all messages of all ranks; none without count_blocks(). Law: equal
    /// at all ranks after an AllReduce that reduces partial sums and copies final ones.
    const std::optional<BlockTotals>& block_totals() const { return totals_; }
    /// The table that final sums are coded with, on which all ranks agree; null if there is none.
    const Table* final_table() const { return tables_.find(final_key()); }
    /// The same for each class; empty if there is none.
    std::vector<const Table*> final_tables() const { return tables_.by_class(final_key()); }
    /// The table of a step that this rank sends or receives; null if there is none yet.
    const Table* table(StepId step) const { return tables_.find(key(step)); }

private:
    bool per_link(StepId step) const;
    Timestep group(StepId step) const;
    void learn_final_sums();
    Context context(StepId step) const;
    TableKey key(StepId step) const;
    static TableKey final_key();
    /// Keeps what a later step will be the delta of.
    void remember(StepId step, std::span<const Symbol> symbols);
    /// What a step is coded with, for the classes of its symbols.
    struct StepTables {
        std::vector<const Table*> by_class;
        std::vector<std::uint8_t> classes;
        Tables view() const { return {by_class, classes}; }
    };
    StepTables step_tables(StepId step) const;
    /// The message, with the trailer that tells what its blocks have cost so far if that is counted.
    std::shared_ptr<const Encoded> with_trailer(StepId step, Encoded message);
    /// Adds to the totals what the symbols of a step's message cost, a final sum's on all of its hops, once.
    void spend(StepId step, std::span<const Symbol> symbols, const StepTables& tables);
    /// Per symbol, in 1/256 bit; without a table that both ends hold, under one of the message itself.
    std::vector<std::uint32_t> costs_of(StepId step, std::span<const Symbol> symbols, const StepTables& tables) const;
    std::uint64_t trailer_bytes(ChunkId chunk) const;
    /// Marks the key of a step, or all that are learnt from final sums, if its message does not show that both ends
    /// hold the same tables. Both see the same blocks, and so does every rank that hands them on.
    void compare_tables(StepId step, std::span<const Block> blocks);
    void learn(StepId step, std::span<const Symbol> symbols, std::span<const std::uint8_t> classes);
    /// The symbols of a message, and the blocks that they came in.
    struct Decoded {
        std::vector<Symbol> symbols;
        std::vector<Block> blocks;
    };
    Decoded decode(StepId step, std::span<const std::byte> bytes, const StepTables& tables) const;
    void receive_values(StepId step, std::shared_ptr<const Encoded> message);
    void add(StepId step, std::span<const Symbol> symbols);
    void add_now(ChunkId chunk, std::span<const Symbol> symbols);
    template <class F>
    void for_each_segment(ChunkId chunk, std::span<const Symbol> symbols, F&& f);
    void accept(StepId step, std::span<const Symbol> symbols, std::span<const std::uint8_t> classes,
                std::shared_ptr<const Encoded> message);

    Rank rank_;
    const Plan* plan_;
    const Codec* codec_;
    TableStore tables_;
    std::vector<Symbol> values_;
    std::vector<std::uint8_t> classes_;   ///< per element, or empty
    ChunkLayout layout_;
    std::uint8_t epoch_ = 0;
    Counts received_counts_, committed_counts_;                    ///< none unless TableSource::pooled
    std::vector<std::shared_ptr<const Encoded>> cached_message_;   ///< per chunk: the message it is in, if it is known
    bool doubts_ = false;
    std::vector<std::uint32_t> added_;   ///< per chunk: additions made, of floats
    std::map<std::pair<ChunkId, std::uint32_t>, std::vector<Symbol>> out_of_order_;   ///< that other additions precede
    std::map<std::uint32_t, std::vector<Symbol>> shared_partial_;   ///< per step, what later ones are the deltas of
    std::optional<BlockTotals> totals_;
    std::vector<bool> spent_;   ///< per chunk: the totals have what this rank's message of it costs
};

/// Between the last step of an iteration and its commit: if any rank doubts the tables that are made of final values,
/// they begin anew at all ranks (docs/model.md 4a). One bit a rank, not timed.
void agree_on_tables(std::span<RankState> endpoints);

}   // namespace oscar

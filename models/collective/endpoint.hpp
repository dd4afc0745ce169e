// One rank's half of the data: its values, its tables, and what each step makes of them. It has no clock: the untimed
// reference and the timed system drive the same endpoints, each its own set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "models/codec/codec.hpp"
#include "models/codec/table_store.hpp"
#include "models/collective/block_totals.hpp"
#include "models/collective/number.hpp"
#include "models/collective/schedule.hpp"
#include "models/compress/chunks.hpp"

namespace oscar {

/// What all endpoints of one collective hold in common and never change.
struct Plan {
    Schedule schedule;
    std::vector<Contributions> contributions;   ///< per step
    /// Per step, that which brought a part of what this one carries, so that only the remainder travels
    /// (remainders.hpp).
    std::vector<std::optional<StepId>> known;
    std::vector<bool> exchanged;   ///< per step, whether it brings such a part
    std::vector<StepId> origin;    ///< per step, the step whose message it may hand on as it came
    Number number = Number::integer;
    std::uint32_t bits = 32;                   ///< width of one rank's value; sums of integers widen
    std::vector<std::uint32_t> partial_sums;   ///< of how many ranks some step carries the sum, ascending, but of all
    std::vector<std::uint32_t> final_hops;     ///< per chunk, the steps that carry its final sum

    /// `remainders`: of what both ends of a step know only the rest is sent. Floats, whose differences are not exact,
    /// are sent whole.
    Plan(Schedule schedule, Number number, std::uint32_t bits, bool remainders = false);
    /// Of how many ranks a step's symbols are the sum.
    std::uint32_t addends(StepId step) const;
    /// Width of what a step carries, or of the final sum: bits + ceil(log2 ranks).
    std::uint32_t width(StepId step) const;
    std::uint32_t final_width() const;
    /// Whether a step's symbols are the sum of all ranks; whether its receiver then holds it.
    bool final_sum(StepId step) const { return addends(step) == schedule.ranks; }
    bool completes(StepId step) const { return contributions[step.value].held == schedule.ranks; }
    /// Whether the receiver adds what comes to what it has, and has to decode it before anything can follow.
    bool adds(StepId step) const { return schedule.steps[step.value].op == Op::reduce || known[step.value]; }
};

/// A rank's values and tables. Copyable: a copy goes on independently from the same state.
/// Law: after all steps of an AllReduce, the values of every endpoint are equal.
class Endpoint {
public:
    /// `plan` and `codec` outlive the endpoint. Elements are of up to `classes` classes.
    Endpoint(Rank rank, const Plan& plan, const Codec& codec, std::uint32_t classes = 1);

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
    /// The message of a step that this rank sends. A chunk received by copy and not changed since goes on as it came.
    std::shared_ptr<const Encoded> send(StepId step);
    /// Whether send(step) hands on bytes that it received, without encoding.
    bool forwards(StepId step) const;
    /// Decodes what a step brought and copies or adds it. Throws CorruptStream; after a TableMismatch the endpoint is
    /// as before, and takes what the sender's resend(step) makes.
    void receive(StepId step, std::vector<std::byte> bytes);
    /// The same for a message of a sized codec, which has values instead of bytes.
    void receive_values(StepId step, std::shared_ptr<const Encoded> message);
    /// The message of a step that was sent and not accepted, made again with a table inline, for which the receiver
    /// needs none. Precondition: the schedule is free of races, so that what the sender holds is still what it sent.
    std::shared_ptr<const Encoded> resend(StepId step);
    /// Whether this rank holds the tables that a block of a step's message names in its header.
    bool holds_tables_of(StepId step, const Block& block) const;

    /// Between two iterations: the same gradients come to lie `rows` / 256 rows of magnitude higher, for the scale of
    /// the codes has changed.
    void follow_scale(std::int32_t rows) { tables_.follow_scale(rows); }

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
    /// Keeps what a later step will be the remainder of.
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
    Counts received_counts_, committed_counts_;              ///< none unless TableSource::pooled
    std::vector<std::shared_ptr<const Encoded>> received_;   ///< per chunk: the message it came in, if it came by copy
    std::map<std::uint32_t, std::vector<Symbol>> exchanged_;   ///< per step, what later ones are the remainders of
    std::optional<BlockTotals> totals_;
    std::vector<bool> spent_;   ///< per chunk: the totals have what this rank's message of it costs
};

}   // namespace oscar

// One rank's half of the data: its values, its tables, and what each step makes of them. It has no clock: the untimed
// reference and the timed system drive the same endpoints, each its own set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/codec/codec.hpp"
#include "models/codec/table_store.hpp"
#include "models/collective/schedule.hpp"
#include "models/compress/chunks.hpp"

namespace oscar {

/// What the 32-bit words of a bucket are, which decides how they add.
enum class Number : std::uint8_t { integer, float32 };

/// What all endpoints of one collective hold in common and never change.
struct Plan {
    Schedule schedule;
    std::vector<Contributions> contributions;   ///< per step
    std::vector<StepId> origin;                 ///< per step, the step whose message it may hand on as it came
    Number number = Number::integer;
    std::uint32_t bits = 32;   ///< width of one rank's value; sums widen, fp32 does not

    Plan(Schedule schedule, Number number, std::uint32_t bits);
    /// Width of what a step carries, or of the final sum: bits + ceil(log2 ranks).
    std::uint32_t width(StepId step) const;
    std::uint32_t final_width() const;
    /// Whether a step carries the sum of all ranks; whether its receiver then holds it.
    bool final_sum(StepId step) const { return contributions[step.value].carried == schedule.ranks; }
    bool completes(StepId step) const { return contributions[step.value].held == schedule.ranks; }
};

/// A rank's values and tables. Copyable: a copy goes on independently from the same state.
/// Law: after all steps of an AllReduce, the values of every endpoint are equal.
class Endpoint {
public:
    /// `plan` and `codec` outlive the endpoint. Elements are of up to `classes` classes.
    Endpoint(Rank rank, const Plan& plan, const Codec& codec, std::uint32_t classes = 1);

    /// Begins iteration `epoch` with this rank's values (codes, or fp32 bit patterns) split as `layout` says.
    /// `classes`: of each element, the same at all ranks; empty where they are not known.
    void begin(std::vector<Symbol> values, ChunkLayout layout, std::uint8_t epoch,
               std::vector<std::uint8_t> classes = {});
    /// Sets the table made beforehand (TableSource::profiled or pooled), the same at all ranks.
    void set_profile(const Table& table);

    /// The message of a step that this rank sends. A chunk received by copy and not changed since goes on as it came.
    std::shared_ptr<const Encoded> send(StepId step);
    /// Whether send(step) hands on bytes that it received, without encoding.
    bool forwards(StepId step) const;
    /// Decodes what a step brought and copies or adds it. Throws CorruptStream.
    void receive(StepId step, std::vector<std::byte> bytes);
    /// The same for a message of a sized codec, which has values instead of bytes.
    void receive_values(StepId step, std::shared_ptr<const Encoded> message);

    /// Ends the iteration: tables learn from it; or, after an aborted one, forget it.
    void commit();
    void rollback();
    /// Forgets all history, as after a change of membership.
    void reset() { tables_.reset(); }

    std::span<const Symbol> values() const { return values_; }
    /// Of the iteration begun last; empty where they were not known.
    std::span<const std::uint8_t> classes() const { return classes_; }
    const ChunkLayout& layout() const { return layout_; }
    const TableStore& tables() const { return tables_; }
    /// Of what this rank received since begin(), what a pooled table is made of: counts at the width of final sums.
    const Counts& received_counts() const { return received_counts_; }
    /// The table that final sums are coded with, on which all ranks agree; null if there is none.
    const Table* final_table() const { return tables_.find(final_key()); }
    /// The same for each class; empty if there is none.
    std::vector<const Table*> final_tables() const { return tables_.by_class(final_key()); }
    /// The table of a step that this rank sends or receives; null if there is none yet.
    const Table* table(StepId step) const { return tables_.find(key(step)); }

private:
    bool common_table(StepId step) const;
    Context context(StepId step) const;
    TableKey key(StepId step) const;
    static TableKey final_key();
    /// What a step is coded with, for the classes of its symbols.
    struct StepTables {
        std::vector<const Table*> by_class;
        std::vector<std::uint8_t> classes;
        Tables view() const { return {by_class, classes}; }
    };
    StepTables step_tables(StepId step) const;
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
    Counts received_counts_;                                 ///< none unless TableSource::pooled
    std::vector<std::shared_ptr<const Encoded>> received_;   ///< per chunk: the message it came in, if it came by copy
};

}   // namespace oscar

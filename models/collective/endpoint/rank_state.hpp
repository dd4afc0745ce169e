// State of one rank in a collective: its values, its tables and its totals, which steps change. It has no clock: the
// untimed reference and the timed machine each drive a set of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "models/codec/interface/codec.hpp"
#include "models/codec/interface/message_contents.hpp"
#include "models/collective/endpoint/known_messages.hpp"
#include "models/collective/endpoint/plan.hpp"
#include "models/collective/endpoint/rank_tables.hpp"
#include "models/collective/endpoint/rank_totals.hpp"
#include "models/collective/endpoint/rank_values.hpp"
#include "models/collective/endpoint/shared_decoding.hpp"
#include "models/collective/endpoint/step_codecs.hpp"
#include "models/core/parallel.hpp"

namespace oscar {

/// A message and the identity of its source: its symbols, their classes and the tables. Law: in one step of one
/// iteration, equal sources make equal bytes.
struct MadeMessage {
    std::shared_ptr<const Encoded> message;
    std::uint64_t source = 0;        ///< 0 of a message that is handed on
    SharedCounts counts = nullptr;   ///< of its symbols, where links learn
};

/// Results that the receivers of one message share, so that each need not compute them again.
struct SharedResults {
    SharedDecoding* decoding = nullptr;   ///< null: it decodes by itself
    SharedCounts counts = nullptr;        ///< see RankTables::learn
};

/// The class of each element, shared by the ranks that predict the same; null where they are not known.
using ElementClasses = std::shared_ptr<const std::vector<std::uint8_t>>;

/// A rank's values, tables and totals. Copyable: a copy goes on independently from the same state.
/// Law: after all steps of an AllReduce, the values of all ranks are equal, and the same in every order that the
/// dependencies leave open: words whose addition is not exact are added in the order of the schedule.
class RankState {
public:
    /// `plan` and the codecs outlive it. Elements are of up to `classes` classes. `inside`: of steps inside an island,
    /// a codec of constant rate; null: they have the codec of all others.
    RankState(const Plan& plan, const Codec& codec, std::uint32_t classes = 1, const Codec* inside = nullptr);

    /// Begins iteration `epoch` with this rank's values (codes, or fp32 bit patterns) split as `layout` says.
    /// `classes`: of each element, the same at all ranks; null or empty where they are not known.
    void begin(std::vector<Symbol> values, ChunkLayout layout, std::uint8_t epoch, ElementClasses classes = nullptr);
    /// Begins an iteration as above, with classes that no other rank shares.
    void begin(std::vector<Symbol> values, ChunkLayout layout, std::uint8_t epoch, std::vector<std::uint8_t> classes) {
        begin(std::move(values), std::move(layout), epoch,
              std::make_shared<const std::vector<std::uint8_t>>(std::move(classes)));
    }

    /// The message of a step that this rank sends. A chunk received by copy, or sent before, and not changed since goes
    /// on as it is, unless the link has tables of its own.
    std::shared_ptr<const Encoded> send(StepId step);
    /// The message of a step and its source, as by send(). `symbols`: values().outgoing_symbols(step). `candidate`: a
    /// message of this step and iteration, which is not encoded again if its source is equal.
    MadeMessage make(StepId step, std::span<const Symbol> symbols, const MadeMessage& candidate);
    /// Makes a message as make() does, for an iteration whose bytes nobody sees: a message without blocks, unless its
    /// blocks matter to what the rank learns. Law: leaves the state that make() leaves.
    MadeMessage make_unseen(StepId step, std::span<const Symbol> symbols);
    /// True if send(step) hands on bytes that the rank has, without encoding.
    bool forwards(StepId step) const;
    /// The contents of the message of a step that `sender` sends, as its receiver finds them.
    friend MessageContents contents_of(const RankState& sender, StepId step,
                                       const std::shared_ptr<const Encoded>& message);
    /// The blocks that may be decoded when the first bytes of a step's message have come; see Codec::blocks_in.
    std::vector<Block> blocks_in(StepId step, std::span<const std::byte> begin) const;
    /// Decodes what a step brought and copies or adds it: the message that was sent, shared with its sender, or bytes
    /// whose blocks nobody has found. A message of a size-only codec has values instead of bytes. Throws CorruptStream;
    /// after a TableMismatch the rank is as before, and takes what the sender's resend(step) makes.
    void receive(StepId step, std::shared_ptr<const Encoded> received, const SharedResults& shared = {});
    /// Takes in a message as receive() does, without decoding: `symbols` are the ones that the sender encoded.
    void take(StepId step, std::shared_ptr<const Encoded> received, std::span<const Symbol> symbols,
              const SharedCounts& counts = nullptr);
    /// The message of a step that was sent and not accepted, made again with a table inline, for which the receiver
    /// needs none. Precondition: the schedule is free of races, so that what the sender holds is still what it sent.
    std::shared_ptr<const Encoded> resend(StepId step);
    /// True if this rank holds the tables that a block of a step's message names in its header.
    bool holds_tables_of(StepId step, const Block& block) const {
        return !codecs_.use_tables(step) || tables_.holds(step, block, !classes().empty());
    }

    /// Ends the iteration: tables learn from it. A key is reset if not all of its messages showed that their two ends
    /// hold the same tables (docs/tables.md).
    void commit() { tables_.commit(count_final_sums()); }
    /// The counts of this rank's final sums, which tables().commit() takes at all ranks with the same values and
    /// classes.
    FinalCounts count_final_sums() const { return tables_.count_final_sums(values_.all(), classes()); }

    /// The values of the iteration begun last, as the steps so far have left them.
    const RankValues& values() const { return values_; }
    /// The tables, with what they have learnt.
    const RankTables& tables() const { return tables_; }
    RankTables& tables() { return tables_; }
    /// The totals of what blocks have cost in the iteration run last, over all messages of all ranks.
    /// Law: equal at all ranks after an AllReduce that reduces partial sums and copies final ones.
    const RankTotals& totals() const { return totals_; }
    RankTotals& totals() { return totals_; }
    /// The class of each element in the iteration begun last; empty where the classes were not known.
    std::span<const std::uint8_t> classes() const {
        return iteration_.classes ? std::span(*iteration_.classes) : std::span<const std::uint8_t>{};
    }

    /// True if both hold the same values and classes.
    friend bool equal_values(const RankState& a, const RankState& b);
    /// Shares the values and classes of a rank that holds the same.
    void share(const RankState& other);
    /// True if all that chunk boundaries are made of is the same at both: values, classes, tables of final sums and
    /// totals of blocks.
    friend bool equal_planner_inputs(const RankState& a, const RankState& b);

private:
    /// The tables that a step is coded with, for the classes of its symbols.
    struct StepTables {
        std::vector<const Table*> by_class;
        std::vector<std::uint8_t> classes;
        Tables view() const { return {by_class, classes}; }
    };
    struct Iteration {
        ElementClasses classes = nullptr;
        std::uint8_t epoch = 0;
        KnownMessages messages = {};
    };
    const Step& step_of(StepId step) const { return plan_->schedule.steps[step.value]; }
    Context context(StepId step) const;
    StepTables step_tables(StepId step) const;
    MadeMessage finish(StepId step, std::span<const Symbol> symbols, const StepTables& tables, MadeMessage made,
                       const SharedCounts& counts);
    std::uint64_t source_of(StepId step, std::span<const Symbol> symbols, const Tables& tables) const;
    std::shared_ptr<const Encoded> encode(StepId step, std::span<const Symbol> symbols, const Tables& tables) const;
    std::shared_ptr<const Decoded> decode(StepId step, std::span<const std::byte> bytes, const Tables& tables,
                                          SharedDecoding* shared) const;
    void accept(StepId step, std::span<const Symbol> symbols, std::span<const std::uint8_t> classes,
                std::shared_ptr<const Encoded> message, const SharedCounts& counts);

    const Plan* plan_;
    StepCodecs codecs_;
    RankValues values_;
    RankTables tables_;
    RankTotals totals_;
    Iteration iteration_;
};

/// Commits all. Ranks that hold the same as the first share its values and counts, so that these are compared once and
/// take their memory once. `parallel` runs the ranks.
void commit_each(std::span<RankState* const> rank_states, const ParallelFor& parallel = serial_for);

/// Between the last step of an iteration and its commit: if any rank doubts the tables that are made of final values,
/// they are reset at all ranks (docs/tables.md). One bit a rank, not timed.
void agree_on_tables(std::span<RankState> rank_states);

}   // namespace oscar

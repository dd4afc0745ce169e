// The tables that one rank holds, and the counters from which those of the next iteration are made.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "models/codec/interface/codec.hpp"

namespace oscar {

/// Key of a set of tables: the number of a link, and a timestep or a group of them; and, where sums of different
/// numbers of ranks travel in it, the number of ranks.
struct TableKey {
    std::uint32_t link = 0;
    Timestep timestep{};
    std::uint32_t ranks = 0;
    friend constexpr auto operator<=>(const TableKey&, const TableKey&) = default;
};

/// Counts of all symbols and, where they have classes, of the symbols of each class.
struct ClassCounts {
    Counts all;
    std::vector<Counts> by_class;
};

/// Double-buffered: an iteration reads the frozen tables and counts into others; commit() swaps, rollback() forgets.
/// Per key there is a table of all symbols and, if symbols have classes, one per class.
/// Law: stores of equal codecs that saw the same symbols per key, in any order, and the same commits have equal
/// digests. Source: docs/tables.md.
class TableStore {
public:
    /// `codec` must outlive the store. Symbols are of `classes` classes, at least one.
    explicit TableStore(const Codec& codec, std::uint32_t classes = 1) : codec_(&codec), classes_(classes) {}

    /// The frozen table of all symbols, or null. Valid until the next commit(), set() or reset().
    const Table* find(TableKey key) const;
    /// A frozen table for each class: its own, or that of all symbols while it has seen too few; empty if there is
    /// none.
    std::vector<const Table*> by_class(TableKey key) const;
    /// Counts of symbols of the running iteration. `classes` of each of them; empty where nothing is known of them.
    ClassCounts count(std::span<const Symbol> symbols, std::span<const std::uint8_t> classes,
                      std::uint32_t width) const;
    /// Adds the counts of a key. Throws logic_error if the key was learnt at another width before: its bins would not
    /// be the same.
    void learn(TableKey key, const ClassCounts& counts, std::uint32_t width);
    /// Counts the symbols and adds the counts, in one call; see count() and learn() above.
    void learn(TableKey key, std::span<const Symbol> symbols, std::span<const std::uint8_t> classes,
               std::uint32_t width) {
        learn(key, count(symbols, classes, width), width);
    }
    /// Forgets at the next commit what the key learnt before the running iteration: only its hits will count.
    void reset_at_commit(TableKey key) { entries_[key].resets_at_commit = true; }
    /// The same for all keys of a link.
    void reset_at_commit(std::uint32_t link);
    /// Freezes a table that came from elsewhere.
    void set(TableKey key, const Table& table);

    /// Treats counts and tables as the codec's scale_jump says when, between two iterations, the same gradients come to
    /// lie `rows` / 256 rows of magnitude higher.
    void follow_scale(std::int32_t rows);
    /// Makes new tables: counts = (counts >> history_shift) + hits for every key that was hit; others stay as they are,
    /// but for keys that are reset, which have no table without hits.
    void commit();
    /// Forgets the hits of an iteration that was not completed, and which keys were to be reset.
    void rollback();
    /// Forgets everything.
    void reset() { entries_.clear(); }

    /// Identity of all frozen tables with their keys, for comparing the two ends.
    std::uint64_t digest() const;

private:
    struct Learner {
        std::optional<Table> table;
        Counts counts, hits;
    };
    struct Entry {
        std::uint32_t width = 0;   // of the counts; 0 before the first
        Learner all;
        std::vector<Learner> by_class;   // empty with one class
        bool resets_at_commit = false;
        /// Removes tables and counts, of all classes; the hits of the running iteration stay.
        void forget_history();
    };
    void commit(Learner& learner, std::uint32_t width) const;
    void rotate(Learner& learner, std::uint32_t width, std::int32_t rows) const;

    const Codec* codec_;
    std::uint32_t classes_;
    std::map<TableKey, Entry> entries_;   // ordered: the digest walks it
};

}   // namespace oscar

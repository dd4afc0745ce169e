// The tables that one endpoint holds, and the counters from which those of the next iteration are made.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "models/codec/codec.hpp"

namespace oscar {

/// What has a table of its own: a link, direction or group of them, in one timestep.
struct TableKey {
    std::uint32_t flow = 0;
    Timestep timestep{};
    friend constexpr auto operator<=>(const TableKey&, const TableKey&) = default;
};

/// Double-buffered: an iteration reads the frozen tables and counts into others; commit() swaps, rollback() forgets.
/// Law: stores of equal codecs that saw the same symbols per key, in any order, and the same commits have equal
/// digests. Source: docs/model.md 4.
class TableStore {
public:
    /// `codec` must outlive the store.
    explicit TableStore(const Codec& codec) : codec_(codec) {}

    /// The frozen table of this iteration, or null. Valid until the next commit(), set() or reset().
    const Table* find(TableKey key) const;
    /// Counts symbols of the running iteration. Throws logic_error if the key was learnt at another width before: its
    /// bins would not be the same.
    void learn(TableKey key, std::span<const Symbol> symbols, std::uint32_t width);
    /// Freezes a table that came from elsewhere.
    void set(TableKey key, const Table& table);

    /// Makes new tables: counts = (counts >> history_shift) + hits for every key that was hit; others stay as they are.
    void commit();
    /// Forgets the hits of an iteration that was not completed.
    void rollback();
    /// Forgets everything.
    void reset() { entries_.clear(); }

    /// Identity of all frozen tables with their keys, for comparing the two ends.
    std::uint64_t digest() const;

private:
    struct Entry {
        std::optional<Table> table;
        std::uint32_t width = 0;   // of the counts; 0 before the first
        Counts counts, hits;
    };

    const Codec& codec_;
    std::map<TableKey, Entry> entries_;   // ordered: the digest walks it
};

}   // namespace oscar

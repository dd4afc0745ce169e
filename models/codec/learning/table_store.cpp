#include "models/codec/learning/table_store.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "models/codec/bits/little_endian.hpp"
#include "models/codec/table/scale_move.hpp"
#include "models/core/hash.hpp"

namespace oscar {

namespace {

// The least number of symbols of a class for a table of its own: 16 rows learnt from n symbols lose about
// 15 / (2 n ln 2) bits a symbol to chance, a sixth of a bit at 64, and fit worse than the table of all classes below.
constexpr std::uint64_t fewest_symbols = 64;

bool any(const Counts& counts) {
    return std::ranges::any_of(counts, [](std::uint64_t n) { return n != 0; });
}

/// Symbols in the order of their classes.
class ByClass {
public:
    ByClass(std::span<const Symbol> symbols, std::span<const std::uint8_t> classes, std::size_t count)
        : symbols_(symbols.size()), ends_(count + 1) {
        for (const std::uint8_t c : classes) ++ends_[c + 1];
        std::partial_sum(ends_.begin(), ends_.end(), ends_.begin());
        std::vector<std::size_t> next(ends_.begin(), ends_.end() - 1);
        for (std::size_t i = 0; i < symbols.size(); ++i) symbols_[next[classes[i]]++] = symbols[i];
    }
    std::span<const Symbol> of(std::size_t c) const {
        return std::span(symbols_).subspan(ends_[c], ends_[c + 1] - ends_[c]);
    }

private:
    std::vector<Symbol> symbols_;
    std::vector<std::size_t> ends_;   ///< [class] begins, [class + 1] ends
};

// counts = (counts >> shift) + hits, where a shift of 64 leaves nothing.
void age_and_add(Counts& counts, const Counts& hits, std::uint32_t shift) {
    counts.resize(hits.size());
    for (std::size_t bin = 0; bin < hits.size(); ++bin)
        counts[bin] = (shift < 64 ? counts[bin] >> shift : 0) + hits[bin];
}

}   // namespace

const Table* TableStore::find(TableKey key) const {
    const auto found = entries_.find(key);
    return found != entries_.end() && found->second.all.table ? &*found->second.all.table : nullptr;
}

std::vector<const Table*> TableStore::by_class(TableKey key) const {
    const Table* all = find(key);
    if (all == nullptr) return {};
    std::vector<const Table*> tables(classes_, all);
    const auto& learners = entries_.at(key).by_class;
    for (std::size_t c = 0; c < learners.size(); ++c)
        if (learners[c].table) tables[c] = &*learners[c].table;
    return tables;
}

ClassCounts TableStore::count(std::span<const Symbol> symbols, std::span<const std::uint8_t> classes,
                              std::uint32_t width) const {
    ClassCounts counts;
    if (classes.empty() || classes_ == 1) {
        codec_->learn(symbols, width, counts.all);
        return counts;
    }
    const ByClass parts(symbols, classes, classes_);
    counts.by_class.resize(classes_);
    for (std::size_t c = 0; c < classes_; ++c) {
        if (parts.of(c).empty()) continue;
        codec_->learn(parts.of(c), width, counts.by_class[c]);
        add(counts.all, counts.by_class[c]);   // order does not matter to counts
    }
    return counts;
}

void TableStore::learn(TableKey key, const ClassCounts& counts, std::uint32_t width) {
    Entry& entry = entries_[key];
    if (entry.width != 0 && entry.width != width)
        throw std::logic_error("table store: timestep " + std::to_string(key.timestep.value) + " was learnt at " +
                               std::to_string(entry.width) + " bits and now at " + std::to_string(width));
    entry.width = width;
    add(entry.all.hits, counts.all);
    if (!counts.by_class.empty()) entry.by_class.resize(classes_);
    for (std::size_t c = 0; c < counts.by_class.size(); ++c) add(entry.by_class[c].hits, counts.by_class[c]);
}

void TableStore::set(TableKey key, const Table& table) { entries_[key].all.table = table; }

void TableStore::reset_at_commit(std::uint32_t link) {
    for (auto& [key, entry] : entries_) entry.resets_at_commit |= key.link == link;
}

void TableStore::Entry::forget_history() {
    const auto forget = [](Learner& learner) {
        learner.table.reset();
        learner.counts.clear();
    };
    forget(all);
    std::ranges::for_each(by_class, forget);
}

void TableStore::commit(Learner& learner, std::uint32_t width) const {
    if (!any(learner.hits)) return;
    age_and_add(learner.counts, learner.hits, codec_->stepwise().history);
    learner.table = codec_->make_table(learner.counts, width);
    learner.hits.clear();
}

void TableStore::commit() {
    for (auto& [key, entry] : entries_) {
        if (std::exchange(entry.resets_at_commit, false)) entry.forget_history();
        commit(entry.all, entry.width);
        for (Learner& learner : entry.by_class) {
            commit(learner, entry.width);
            if (std::accumulate(learner.counts.begin(), learner.counts.end(), std::uint64_t{0}) < fewest_symbols)
                learner.table.reset();
        }
    }
}

void TableStore::rotate(Learner& learner, std::uint32_t width, std::int32_t rows) const {
    if (!learner.table || learner.counts.empty()) return;
    move_rows(learner.counts, rows);
    learner.table = codec_->make_table(learner.counts, width);
}

void TableStore::follow_scale(std::int32_t rows) {
    const ScaleJump jump = codec_->stepwise().scale_jump;
    if (jump == ScaleJump::reset && std::abs(rows) >= 256) reset();
    if (jump != ScaleJump::rotate || rows == 0) return;
    for (auto& [key, entry] : entries_) {
        rotate(entry.all, entry.width, rows);
        for (Learner& learner : entry.by_class) rotate(learner, entry.width, rows);
    }
}

void TableStore::rollback() {
    for (auto& [key, entry] : entries_) {
        entry.resets_at_commit = false;
        entry.all.hits.clear();
        for (Learner& learner : entry.by_class) learner.hits.clear();
    }
}

std::uint64_t TableStore::digest() const {
    std::uint64_t state = fnv1a({});
    for (const auto& [key, entry] : entries_) {
        std::vector<std::byte> name;
        append_little_endian(name, key.link, 4);
        append_little_endian(name, key.timestep.value, 4);
        append_little_endian(name, key.ranks, 4);
        if (entry.all.table) state = fnv1a(entry.all.table->image(), fnv1a(name, state));
        for (std::size_t c = 0; c < entry.by_class.size(); ++c)
            if (entry.by_class[c].table) state = fnv1a(entry.by_class[c].table->image(), (state ^ (c + 1)) * fnv_prime);
    }
    return state;
}

}   // namespace oscar

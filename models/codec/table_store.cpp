#include "models/codec/table_store.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "models/codec/little_endian.hpp"
#include "models/core/hash.hpp"

namespace oscar {

namespace {

bool any(const Counts& counts) {
    return std::ranges::any_of(counts, [](std::uint64_t n) { return n != 0; });
}

// counts = (counts >> shift) + hits, where a shift of 64 leaves nothing.
void age_and_add(Counts& counts, const Counts& hits, std::uint32_t shift) {
    counts.resize(hits.size());
    for (std::size_t bin = 0; bin < hits.size(); ++bin)
        counts[bin] = (shift < 64 ? counts[bin] >> shift : 0) + hits[bin];
}

}   // namespace

const Table* TableStore::find(TableKey key) const {
    const auto found = entries_.find(key);
    return found != entries_.end() && found->second.table ? &*found->second.table : nullptr;
}

void TableStore::learn(TableKey key, std::span<const Symbol> symbols, std::uint32_t width) {
    Entry& entry = entries_[key];
    if (entry.width != 0 && entry.width != width)
        throw std::logic_error("table store: timestep " + std::to_string(key.timestep.value) + " was learnt at " +
                               std::to_string(entry.width) + " bits and now at " + std::to_string(width));
    entry.width = width;
    codec_.learn(symbols, width, entry.hits);
}

void TableStore::set(TableKey key, const Table& table) { entries_[key].table = table; }

void TableStore::commit() {
    for (auto& [key, entry] : entries_) {
        if (!any(entry.hits)) continue;
        age_and_add(entry.counts, entry.hits, codec_.history_shift());
        entry.table = codec_.make_table(entry.counts, entry.width);
        entry.hits.clear();
    }
}

void TableStore::rollback() {
    for (auto& [key, entry] : entries_) entry.hits.clear();
}

std::uint64_t TableStore::digest() const {
    std::uint64_t state = fnv1a({});
    for (const auto& [key, entry] : entries_) {
        if (!entry.table) continue;
        std::vector<std::byte> name;
        append_little_endian(name, key.flow, 4);
        append_little_endian(name, key.timestep.value, 4);
        state = fnv1a(entry.table->image(), fnv1a(name, state));
    }
    return state;
}

}   // namespace oscar

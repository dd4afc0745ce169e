#include "models/core/shared_entries.hpp"

#include <gtest/gtest.h>

#include "models/core/random.hpp"

namespace oscar::shared_entries_test {
namespace {

struct Entry {
    std::uint64_t a = 0, b = 0;
    friend bool operator==(const Entry&, const Entry&) = default;
};

TEST(SharedEntries, HoldEqualEntriesOnceWhenTheyAreSettled) {
    SharedEntries<Entry> entries;
    entries.resize(1000);
    EXPECT_EQ(entries.held(), 1u);   // Entry{}
    for (std::size_t i = 0; i < 1000; ++i) {
        entries.change(i).a = i % 3;
        entries.change(i).b = 7;
        entries.settle(i);
    }
    EXPECT_EQ(entries.held(), 4u);   // Entry{}, {0, 7}, {1, 7} and {2, 7}
    for (std::size_t i = 0; i < 1000; ++i) EXPECT_EQ(entries[i], (Entry{i % 3, 7}));
}

TEST(SharedEntries, ChangeOneWithoutTheOthersThatWereEqual) {
    SharedEntries<Entry> entries{{1, 2}, {1, 2}, {3, 4}};
    Entry& second = entries.change(1);
    second.b = 9;
    EXPECT_EQ(entries[0], (Entry{1, 2}));
    EXPECT_EQ(entries[1], (Entry{1, 9}));
    entries.settle(1);
    entries.set(2, {1, 9});
    EXPECT_EQ(entries, (std::vector<Entry>{{1, 2}, {1, 9}, {1, 9}}));
    EXPECT_NE(entries, (SharedEntries<Entry>{{1, 2}, {1, 9}}));
}

TEST(SharedEntries, UseThePlacesAgainOfThoseThatGaveThemUp) {
    SharedEntries<Entry> entries;
    entries.resize(100);
    for (std::size_t i = 0; i < 100; ++i) entries.set(i, {5, 5});
    EXPECT_EQ(entries.held(), 2u);
    const Entry& settled = entries[0];
    for (std::size_t i = 1; i < 100; ++i) entries.change(i).a = i;   // 99 at once
    EXPECT_EQ(entries.held(), 101u);
    EXPECT_EQ(settled, (Entry{5, 5}));   // references stay valid
}

TEST(SharedEntries, HoldWhatAVectorHolds) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        SharedEntries<Entry> entries;
        std::vector<Entry> expected(40);
        entries.resize(40);
        for (std::uint64_t i = 0; i < 2000; ++i) {
            const std::size_t at = random_at(seed, 3 * i) % 40;
            const std::uint64_t value = random_at(seed, 3 * i + 1) % (1 + seed * seed);
            entries.change(at).a = expected[at].a = value;
            if (random_at(seed, 3 * i + 2) % 2 == 0) entries.settle(at);
        }
        EXPECT_EQ(entries, expected) << seed;
        std::size_t next = 0;
        for (const Entry& entry : entries) EXPECT_EQ(entry, expected[next++]);
    }
}

}   // namespace
}   // namespace oscar::shared_entries_test

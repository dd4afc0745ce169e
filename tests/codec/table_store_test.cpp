#include "models/codec/learning/table_store.hpp"

#include <gtest/gtest.h>

#include "models/codec/kinds/codecs.hpp"
#include "tests/codec/support.hpp"

namespace oscar::table_store_test {
namespace {

const TableKey key{.link = 1, .timestep = {2}};

const CodecChoice families[] = {AscParams{}, AtalantaParams{}, AscParams{.history = 64},
                                AscParams{.layout = Layout::ranges}, RansParams{}};

/// The table of rows 0, 1, … hit so often.
Table asc_table(std::array<std::uint64_t, table_rows> counts) { return Table::magnitudes(8, normalise(counts)); }

TEST(TableStore, HasEqualDigestsAtBothEndsAfter20IterationsOfTheSameSymbols) {
    for (const CodecChoice& choice : families) {
        const auto codec = make_codec(choice, Framing{});
        TableStore sender(*codec), receiver(*codec);
        std::uint64_t last = sender.digest();
        for (std::uint64_t iteration = 1; iteration <= 20; ++iteration) {
            SCOPED_TRACE(iteration);
            for (std::uint32_t timestep = 0; timestep < 4; ++timestep) {
                const auto symbols = make_symbols("geometric", 300, 8 + timestep, 10 * iteration + timestep);
                const TableKey k{.link = 7, .timestep = {timestep}};
                sender.learn(k, symbols, {}, 8 + timestep);
                receiver.learn(k, std::span(symbols).subspan(100), {}, 8 + timestep);   // in other pieces and order
                receiver.learn(k, std::span(symbols).first(100), {}, 8 + timestep);
            }
            sender.commit();
            receiver.commit();
            EXPECT_EQ(sender.digest(), receiver.digest());
            EXPECT_NE(sender.digest(), last);
            last = sender.digest();
        }
    }
}

TEST(TableStore, LetsAReceiverDecodeWithTablesThatWereNeverSent) {
    // Per-link tables: both ends learn what was transmitted.
    const auto codec = make_codec(AscParams{}, Framing{});
    TableStore sender(*codec), receiver(*codec);
    for (std::uint64_t iteration = 0; iteration < 5; ++iteration) {
        SCOPED_TRACE(iteration);
        const auto symbols = make_symbols("geometric", 2000, 8, iteration);
        const Context context{.width = 8, .epoch = static_cast<std::uint8_t>(iteration)};
        const auto bytes = codec->encode(symbols, context, sender.find(key)).bytes;
        EXPECT_EQ(bytes[0], iteration == 0 ? std::byte{2} : std::byte{1});   // brings a table only at first
        std::vector<Symbol> out(symbols.size());
        codec->decode(bytes, context, receiver.find(key), out);
        EXPECT_EQ(out, symbols);
        sender.learn(key, symbols, {}, 8);
        receiver.learn(key, out, {}, 8);
        sender.commit();
        receiver.commit();
    }
}

TEST(TableStore, ShowsThatSenderLocalStatisticsDoNotDecode) {
    // Scheme T5: the sender learns its own gradient, which the receiver never saw; the table check tells.
    const auto codec = make_codec(AscParams{}, Framing{});
    TableStore sender(*codec), receiver(*codec);
    const auto local = make_symbols("geometric", 2000, 8, 1);
    auto sum = make_symbols("geometric", 2000, 8, 2);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = std::clamp(sum[i] + local[i], -127, 127);
    sender.learn(key, local, {}, 8);
    receiver.learn(key, sum, {}, 8);
    sender.commit();
    receiver.commit();
    const auto bytes = codec->encode(sum, Context{.width = 8}, sender.find(key)).bytes;
    EXPECT_NE(corruption(*codec, bytes, Context{.width = 8}, receiver.find(key), sum.size()).find("table check"),
              std::string::npos);
}

TEST(TableStore, ReadsTheFrozenTableWhileItCounts) {
    const auto codec = make_codec(AscParams{}, Framing{});
    TableStore store(*codec);
    EXPECT_EQ(store.find(key), nullptr);
    store.learn(key, std::vector<Symbol>(10, 0), {}, 8);
    EXPECT_EQ(store.find(key), nullptr);
    store.commit();
    ASSERT_NE(store.find(key), nullptr);
    EXPECT_EQ(*store.find(key), asc_table({10}));
    EXPECT_EQ(store.find({.link = 2, .timestep = {2}}), nullptr);
    EXPECT_EQ(store.find({.link = 1, .timestep = {3}}), nullptr);
}

TEST(TableStore, HalvesOlderCountsAtHistoryOne) {
    const auto codec = make_codec(AscParams{.history = 1}, Framing{});
    TableStore store(*codec);
    store.learn(key, std::vector<Symbol>(100, 0), {}, 8);
    store.commit();
    store.learn(key, std::vector<Symbol>(30, 1), {}, 8);
    store.commit();
    EXPECT_EQ(*store.find(key), asc_table({50, 30}));
    store.learn(key, std::vector<Symbol>(8, 2), {}, 8);
    store.commit();
    EXPECT_EQ(*store.find(key), asc_table({25, 15, 8}));
}

TEST(TableStore, KeepsEverythingAtHistoryZeroAndNothingAt64) {
    for (const auto& [history, older] : {std::pair{0u, 100u}, std::pair{64u, 0u}}) {
        const auto codec = make_codec(AscParams{.history = history}, Framing{});
        TableStore store(*codec);
        store.learn(key, std::vector<Symbol>(100, 0), {}, 8);
        store.commit();
        store.learn(key, std::vector<Symbol>(30, 1), {}, 8);
        store.commit();
        EXPECT_EQ(*store.find(key), asc_table({older, 30}));
    }
}

TEST(TableStore, KeepsTheTableOfAKeyThatWasNotHit) {
    const auto codec = make_codec(AscParams{}, Framing{});
    TableStore store(*codec);
    store.learn(key, std::vector<Symbol>(100, 0), {}, 8);
    store.commit();
    const std::uint64_t digest = store.digest();
    store.learn(key, {}, {}, 8);
    store.commit();
    store.commit();
    EXPECT_EQ(store.digest(), digest);
    store.learn(key, std::vector<Symbol>(30, 1), {}, 8);   // nor has it aged
    store.commit();
    EXPECT_EQ(*store.find(key), asc_table({50, 30}));
}

TEST(TableStore, KeepsItsTablesOverARollbackAndForgetsTheHits) {
    const auto codec = make_codec(AscParams{}, Framing{});
    TableStore store(*codec);
    store.learn(key, std::vector<Symbol>(100, 0), {}, 8);
    store.commit();
    const std::uint64_t digest = store.digest();
    store.learn(key, std::vector<Symbol>(100, 5), {}, 8);
    store.rollback();
    EXPECT_EQ(store.digest(), digest);
    store.commit();
    EXPECT_EQ(store.digest(), digest);
}

TEST(TableStore, IsEmptyAfterReset) {
    const auto codec = make_codec(AscParams{}, Framing{});
    TableStore store(*codec);
    const std::uint64_t empty = store.digest();
    store.learn(key, std::vector<Symbol>(100, 0), {}, 8);
    store.commit();
    EXPECT_NE(store.digest(), empty);
    store.reset();
    EXPECT_EQ(store.digest(), empty);
    EXPECT_EQ(store.find(key), nullptr);
    store.learn(key, std::vector<Symbol>(100, 0), {}, 9);   // at another width, as if new
    store.commit();
    EXPECT_EQ(store.find(key)->width, 9u);
}

TEST(TableStore, RefusesAKeyWhoseWidthChanges) {
    const auto codec = make_codec(AscParams{}, Framing{});
    TableStore store(*codec);
    store.learn(key, std::vector<Symbol>(100, 0), {}, 8);
    EXPECT_THROW(store.learn(key, std::vector<Symbol>(100, 0), {}, 9), std::logic_error);
}

TEST(TableStore, FreezesATableThatIsSet) {
    const auto codec = make_codec(AtalantaParams{}, Framing{});
    TableStore store(*codec), other(*codec);
    const Table table = table_of(*codec, make_symbols("geometric", 100, 8, 1), 8);
    store.set(key, table);
    ASSERT_NE(store.find(key), nullptr);
    EXPECT_EQ(*store.find(key), table);
    other.set({.link = 1, .timestep = {3}}, table);
    EXPECT_NE(store.digest(), other.digest());   // the key counts
}

TEST(TableStore, OfACodecWithoutTablesStaysEmpty) {
    const auto codec = make_codec(FixedPointParams{}, Framing{});
    TableStore store(*codec);
    store.learn(key, std::vector<Symbol>(10, 1), {}, 8);
    store.commit();
    EXPECT_EQ(store.find(key), nullptr);
}

TEST(TableStoreByClass, HasATableForEachClassOnceItHasSeenEnough) {
    const auto codec = make_codec(AscParams{}, Framing{});
    TableStore store(*codec, 3);
    EXPECT_TRUE(store.by_class(key).empty());
    // Class 0: 64 zeros, just enough. Class 1: 63 of value 5, one too few. Class 2: none.
    std::vector<Symbol> symbols(64, 0);
    symbols.resize(127, 5);
    std::vector<std::uint8_t> classes(64, 0);
    classes.resize(127, 1);
    store.learn(key, symbols, classes, 8);
    store.commit();
    const auto tables = store.by_class(key);
    ASSERT_EQ(tables.size(), 3u);
    EXPECT_NE(tables[0], store.find(key));
    EXPECT_EQ(tables[1], store.find(key));
    EXPECT_EQ(tables[2], store.find(key));
    EXPECT_EQ(*tables[0], table_of(*codec, std::vector<Symbol>(64, 0), 8));
    EXPECT_EQ(*store.find(key), table_of(*codec, symbols, 8));
}

TEST(TableStoreByClass, CountsAllSymbolsAsTheSumOfTheirClasses) {
    const auto codec = make_codec(AscParams{}, Framing{});
    const TableStore store(*codec, 3);
    std::vector<Symbol> symbols, of_two;
    std::vector<std::uint8_t> classes;
    for (Symbol i = 0; i < 500; ++i) {
        symbols.push_back(i * i % 97 - 40);
        classes.push_back(static_cast<std::uint8_t>(i % 5 == 0 ? 2 : 0));   // none of class 1
        if (classes.back() == 2) of_two.push_back(symbols.back());
    }
    const ClassCounts counts = store.count(symbols, classes, 8);
    Counts all, two;
    codec->learn(symbols, 8, all);
    codec->learn(of_two, 8, two);
    EXPECT_EQ(counts.all, all);
    EXPECT_EQ(counts.by_class.at(2), two);
    EXPECT_TRUE(counts.by_class.at(1).empty());
    EXPECT_EQ(store.count(symbols, {}, 8).all, all);
    EXPECT_TRUE(store.count(symbols, {}, 8).by_class.empty());
}

TEST(TableStoreByClass, TellsInItsDigestThatClassesDiffer) {
    const auto codec = make_codec(AscParams{}, Framing{});
    TableStore a(*codec, 2), b(*codec, 2), c(*codec, 2);
    std::vector<Symbol> symbols(200, 0);
    symbols.resize(400, 9);
    std::vector<std::uint8_t> classes(200, 0);
    classes.resize(400, 1);
    std::vector<std::uint8_t> others = classes;
    std::swap(others.front(), others.back());
    a.learn(key, symbols, classes, 8);
    b.learn(key, std::span(symbols).subspan(150), std::span<const std::uint8_t>(classes).subspan(150), 8);
    b.learn(key, std::span(symbols).first(150), std::span<const std::uint8_t>(classes).first(150), 8);
    c.learn(key, symbols, others, 8);
    for (TableStore* store : {&a, &b, &c}) store->commit();
    EXPECT_EQ(a.digest(), b.digest());
    EXPECT_NE(a.digest(), c.digest());
}

TEST(TableStoreByClass, ForgetsTheHitsOfClassesAtARollback) {
    const auto codec = make_codec(AscParams{}, Framing{});
    TableStore store(*codec, 2), twin(*codec, 2);
    const std::vector<Symbol> zeros(100, 0), nines(100, 9);
    const std::vector<std::uint8_t> first(100, 0);
    for (TableStore* s : {&store, &twin}) {
        s->learn(key, zeros, first, 8);
        s->commit();
    }
    store.learn(key, nines, first, 8);
    store.rollback();
    store.commit();
    EXPECT_EQ(store.digest(), twin.digest());
}

}   // namespace
}   // namespace oscar::table_store_test

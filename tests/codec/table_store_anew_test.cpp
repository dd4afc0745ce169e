// Keys that are reset at commit: history is forgotten then, and only the hits of that iteration count.
#include <gtest/gtest.h>

#include "models/codec/kinds/codecs.hpp"
#include "models/codec/learning/table_store.hpp"
#include "tests/codec/support.hpp"

namespace oscar::table_store_anew_test {
namespace {

const TableKey key{.link = 1, .timestep = {2}}, beside{.link = 1, .timestep = {3}};

/// Stores of every codec that makes tables, with no, some and all history.
template <class F>
void for_each_codec(F&& f) {
    for (const CodecChoice& choice :
         {CodecChoice(AscParams{}), CodecChoice(AscParams{.history = 0}), CodecChoice(AscParams{.history = 64}),
          CodecChoice(AscParams{.layout = Layout::ranges}), CodecChoice(RansParams{}), CodecChoice(AtalantaParams{})}) {
        SCOPED_TRACE(choice.name());
        f(*make_codec(choice, Framing{}));
    }
}

void learn(TableStore& store, TableKey k, std::uint64_t seed) {
    const auto symbols = make_symbols("geometric", 400, 8, seed);
    std::vector<std::uint8_t> classes(200, 0);
    classes.resize(400, 1);
    store.learn(k, symbols, classes, 8);
}

TEST(TableStoreAnew, MakesAStoreThatLostItsTablesEqualToOneThatDidNot) {
    for_each_codec([](const Codec& codec) {
        TableStore kept(codec, 2), lost(codec, 2);
        learn(kept, key, 1);
        kept.commit();
        for (std::uint64_t iteration = 2; iteration < 6; ++iteration) {
            for (TableStore* store : {&kept, &lost}) {
                if (iteration == 2) store->reset_at_commit(key);
                learn(*store, key, iteration);
                store->commit();
            }
            EXPECT_EQ(kept.digest(), lost.digest()) << iteration;
        }
    });
}

TEST(TableStoreAnew, ForgetsWhetherToldBeforeOrAfterTheHits) {
    for_each_codec([](const Codec& codec) {
        TableStore before(codec), after(codec);
        for (TableStore* store : {&before, &after}) {
            learn(*store, key, 1);
            store->commit();
            if (store == &before) store->reset_at_commit(key);
            learn(*store, key, 2);
            if (store == &after) store->reset_at_commit(key);
            store->commit();
        }
        EXPECT_EQ(before.digest(), after.digest());
        EXPECT_EQ(*before.find(key), table_of(codec, make_symbols("geometric", 400, 8, 2), 8));
    });
}

TEST(TableStoreAnew, ReadsTheFrozenTableUntilTheCommit) {
    const auto codec = make_codec(AscParams{}, Framing{});
    TableStore store(*codec);
    learn(store, key, 1);
    store.commit();
    const Table frozen = *store.find(key);
    store.reset_at_commit(key);
    EXPECT_EQ(*store.find(key), frozen);
}

TEST(TableStoreAnew, LeavesOtherKeysAlone) {
    const auto codec = make_codec(AscParams{.history = 0}, Framing{});
    TableStore store(*codec), twin(*codec);
    for (TableStore* s : {&store, &twin}) {
        learn(*s, beside, 1);
        s->commit();
        if (s == &store) s->reset_at_commit(key);
        learn(*s, beside, 2);
        s->commit();
    }
    EXPECT_EQ(store.digest(), twin.digest());
}

TEST(TableStoreAnew, HasNoTableOfAKeyWithoutHits) {
    const auto codec = make_codec(AscParams{}, Framing{});
    TableStore store(*codec, 2);
    const std::uint64_t empty = store.digest();
    learn(store, key, 1);
    store.commit();
    store.reset_at_commit(key);
    store.commit();
    EXPECT_EQ(store.find(key), nullptr);
    EXPECT_TRUE(store.by_class(key).empty());
    EXPECT_EQ(store.digest(), empty);
}

TEST(TableStoreAnew, GoesOnWithItsHistoryAfterARollback) {
    for_each_codec([](const Codec& codec) {
        TableStore store(codec, 2), twin(codec, 2);
        for (TableStore* s : {&store, &twin}) {
            learn(*s, key, 1);
            s->commit();
            if (s == &store) {
                s->reset_at_commit(key);
                learn(*s, key, 7);
                s->rollback();
            }
            learn(*s, key, 2);
            s->commit();
        }
        EXPECT_EQ(store.digest(), twin.digest());
    });
}

TEST(TableStoreAnew, ForgetsOnceOnly) {
    const auto codec = make_codec(AscParams{.history = 0}, Framing{});
    TableStore store(*codec);
    store.reset_at_commit(key);
    learn(store, key, 1);
    store.commit();
    learn(store, key, 2);
    store.commit();
    auto both = make_symbols("geometric", 400, 8, 1);
    const auto second = make_symbols("geometric", 400, 8, 2);
    both.insert(both.end(), second.begin(), second.end());
    EXPECT_EQ(*store.find(key), table_of(*codec, both, 8));
}

}   // namespace
}   // namespace oscar::table_store_anew_test

#include "models/codec/table/scale_move.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>
#include <random>

#include "models/codec/kinds/codecs.hpp"
#include "models/codec/learning/table_store.hpp"

namespace oscar::scale_move_test {
namespace {

Counts rows(std::initializer_list<std::uint64_t> first) {
    Counts counts(first);
    counts.resize(table_rows);
    return counts;
}

TEST(RowsBetween, AreTheLogarithmOfTheRatioToWithinNineHundredths) {
    EXPECT_EQ(rows_between(1.0F, 1.0F), 0);
    EXPECT_EQ(rows_between(0.5F, 4.0F), -3 * 256);   // coarser: lower rows
    EXPECT_EQ(rows_between(3e-5F, 3e-5F / 2), 256);
    std::mt19937_64 random(3);
    for (int i = 0; i < 1000; ++i) {
        const float a =
            std::ldexp(1 + static_cast<float>(random() % 1000) / 1000, static_cast<int>(random() % 40) - 20);
        const float b =
            std::ldexp(1 + static_cast<float>(random() % 1000) / 1000, static_cast<int>(random() % 40) - 20);
        EXPECT_NEAR(rows_between(a, b), 256 * std::log2(a / b), 256 * 0.09) << a << " " << b;
        EXPECT_EQ(rows_between(a, b), -rows_between(b, a));
    }
}

TEST(MoveRows, MovesAllCountsByWholeRowsAndKeepsTheZeros) {
    Counts up = rows({7, 10, 20, 30});
    move_rows(up, 2 * 256);
    EXPECT_EQ(up, rows({7, 0, 0, 10, 20, 30}));
    Counts down = rows({7, 10, 20, 30});
    move_rows(down, -2 * 256);   // rows 1 and 2 fall to zero
    EXPECT_EQ(down, rows({37, 30}));
}

TEST(MoveRows, SharesAFractionOfARowBetweenTwo) {
    Counts quarter = rows({0, 100, 0, 8});
    move_rows(quarter, 64);
    EXPECT_EQ(quarter, rows({0, 75, 25, 6, 2}));
    Counts back = rows({0, 100, 0, 8});
    move_rows(back, -64);   // a whole row down and three quarters up
    EXPECT_EQ(back, rows({25, 75, 2, 6}));
}

TEST(MoveRows, LosesNoCountWhateverTheMove) {
    std::mt19937_64 random(5);
    for (std::int32_t move = -20 * 256; move <= 20 * 256; move += 37) {
        Counts counts(table_rows);
        for (auto& n : counts) n = random() >> (8 + random() % 50);
        const auto before = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
        move_rows(counts, move);
        EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}), before) << move;
    }
}

TEST(ScaleJump, OfTablesKeepsRotatesOrResetsThem) {
    const TableKey key{1, Timestep{2}};
    const auto store_after = [&](ScaleJump jump, std::int32_t move) {
        AscParams params;
        params.scale_jump = jump;
        const auto codec = make_codec(params, Framing{});
        TableStore store(*codec);
        store.learn(key, std::vector<Symbol>{0, 1, 1, 1, 2, 3, -2, 9}, {}, 8);   // rows 0, 1 x 3, 2 x 3, 4
        store.commit();
        store.follow_scale(move);
        const Table* table = store.find(key);
        return table ? std::optional(*table) : std::nullopt;
    };
    const auto table_of = [](std::array<std::uint64_t, table_rows> counts) {
        return Table::magnitudes(8, normalise(counts));
    };
    for (const std::int32_t move : {0, 255, -600})
        EXPECT_EQ(store_after(ScaleJump::keep, move), table_of({1, 3, 3, 0, 1})) << move;
    EXPECT_EQ(store_after(ScaleJump::rotate, 256), table_of({1, 0, 3, 3, 0, 1}));
    EXPECT_EQ(store_after(ScaleJump::reset, 255), table_of({1, 3, 3, 0, 1}));   // less than a factor of two
    EXPECT_EQ(store_after(ScaleJump::reset, 256), std::nullopt);
    EXPECT_EQ(store_after(ScaleJump::reset, -256), std::nullopt);
}

TEST(ScaleJump, CannotRotateRowsThatAreNotOfMagnitude) {
    AscParams params{.layout = Layout::ranges};
    params.scale_jump = ScaleJump::rotate;
    EXPECT_THROW(make_codec(params, Framing{}), std::invalid_argument);
}

}   // namespace
}   // namespace oscar::scale_move_test

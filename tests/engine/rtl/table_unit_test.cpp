// The table unit in RTL beside normalise(): entries of tables, and cycles. Seeds are printed.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <random>

#include "TableUnit16x24.h"
#include "TableUnit1x24.h"
#include "TableUnit2x12.h"
#include "TableUnit4x24.h"
#include "models/codec/table/table.hpp"
#include "models/engine/table_unit_cycles.hpp"
#include "models/engine/verilated/ports.hpp"

namespace oscar::table_unit_test {
namespace {

using RowCounts = std::array<std::uint64_t, table_rows>;

template <class Module_, std::uint32_t dividers_, std::uint32_t count_bits_>
struct Variant {
    using Module = Module_;
    static constexpr std::uint32_t dividers = dividers_, count_bits = count_bits_;
    static constexpr std::uint64_t most = (std::uint64_t{1} << count_bits_) - 1;   ///< that a counter holds
};
struct VariantName {
    template <class V>
    static std::string GetName(int) {
        return std::to_string(V::dividers) + "_dividers_of_" + std::to_string(V::count_bits) + "_bits";
    }
};

template <class V>
class Bench {
public:
    explicit Bench(std::uint64_t seed) : random_(seed) { unit_.reset(); }
    /// The table that the unit makes; none if it says that there is nothing to make it of. A port holds still in
    /// `stalls` of 100 cycles.
    std::optional<Cumulative> make(const RowCounts& counts, std::uint32_t stalls = 0) {
        Cumulative table{};
        std::size_t given = 0, taken = 0;
        const std::uint64_t begin = unit_.cycles();
        while (taken < table_rows && unit_.cycles() < begin + 10'000) {
            unit_->in_valid = given < counts.size() && (unit_->in_valid || random_() % 100 >= stalls);
            if (unit_->in_valid)
                unit_->in_count = static_cast<std::remove_reference_t<decltype(unit_->in_count)>>(counts[given]);
            unit_->out_ready = random_() % 100 >= stalls;
            unit_.settle();
            if (unit_->empty) {
                unit_.tick();
                return std::nullopt;
            }
            const bool gives = unit_->in_valid && unit_->in_ready;
            if (unit_->out_valid && unit_->out_ready) {
                EXPECT_EQ(unit_->out_entry, taken + 1);
                table.at(unit_->out_entry) = unit_->out_count;
                ++taken;
            }
            unit_.tick();
            if (gives) ++given, unit_->in_valid = 0;
        }
        EXPECT_EQ(taken, table_rows) << "the unit hangs";
        edges = unit_.cycles() - begin;
        return table;
    }
    std::uint64_t edges = 0;   ///< from the first count to the last entry

private:
    Clocked<typename V::Module> unit_;
    std::mt19937_64 random_;
};

template <class V>
class ATableUnit : public ::testing::Test {};
using Variants = ::testing::Types<Variant<TableUnit1x24, 1, 24>, Variant<TableUnit2x12, 2, 12>,
                                  Variant<TableUnit4x24, 4, 24>, Variant<TableUnit16x24, 16, 24>>;
TYPED_TEST_SUITE(ATableUnit, Variants, VariantName);

/// Small, large, skewed, and equal ones; some are zero.
RowCounts random_counts(std::mt19937_64& random, std::uint64_t most) {
    RowCounts counts{};
    const std::uint64_t limit = std::min(most, std::uint64_t{1} << random() % 25);
    for (auto& count : counts) count = random() % (random() % 4 == 0 ? most + 1 : limit + 1);
    if (random() % 4 == 0) counts[random() % table_rows] = counts[random() % table_rows] = most;
    counts[random() % table_rows] = limit;
    return counts;
}

TYPED_TEST(ATableUnit, MakesTheTableOfTheModel) {
    std::mt19937_64 random(1);
    Bench<TypeParam> bench(1);
    for (int i = 0; i < 3'000; ++i) {
        SCOPED_TRACE(i);
        const RowCounts counts = random_counts(random, TypeParam::most);
        ASSERT_EQ(bench.make(counts, i % 3 == 0 ? 40 : 0), normalise(counts));
    }
}

TYPED_TEST(ATableUnit, MakesThatOfOneRowOfEqualRowsAndOfFullCounters) {
    Bench<TypeParam> bench(2);
    for (const std::uint64_t count : {std::uint64_t{1}, std::uint64_t{3}, TypeParam::most}) {
        RowCounts equal{};
        equal.fill(count);
        EXPECT_EQ(bench.make(equal), normalise(equal));
        for (std::size_t row = 0; row < table_rows; ++row) {
            RowCounts one{};
            one[row] = count;
            EXPECT_EQ(bench.make(one), normalise(one));
            one[(row + 5) % table_rows] = count;   // two of equal share: the first has the rest
            EXPECT_EQ(bench.make(one), normalise(one));
        }
    }
}

TYPED_TEST(ATableUnit, MakesNoneOfZerosAndGoesOn) {
    Bench<TypeParam> bench(3);
    EXPECT_EQ(bench.make({}), std::nullopt);
    const RowCounts counts{5, 0, 7};
    EXPECT_EQ(bench.make(counts), normalise(counts));
}

TYPED_TEST(ATableUnit, TakesTheCyclesOfItsLaw) {
    Bench<TypeParam> bench(4);
    std::mt19937_64 random(4);
    for (int i = 0; i < 20; ++i) {
        bench.make(random_counts(random, TypeParam::most));
        EXPECT_EQ(bench.edges, table_unit_cycles(TypeParam::dividers));
    }
}

}   // namespace
}   // namespace oscar::table_unit_test

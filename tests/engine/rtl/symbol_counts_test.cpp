// The counters of rows in RTL beside learn_rows(). Seeds are printed.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "SymbolCounts16x8x24.h"
#include "SymbolCounts1x3x24.h"
#include "SymbolCounts40x3x24.h"
#include "SymbolCounts4x1x24.h"
#include "SymbolCounts4x2x6.h"
#include "models/codec/learning/row_learning.hpp"
#include "models/engine/verilated/ports.hpp"
#include "tests/engine/rtl/array_bench.hpp"

namespace oscar::symbol_counts_test {
namespace {

template <class Module_, std::uint32_t lanes_, std::uint32_t classes_, std::uint32_t count_bits_>
struct Variant {
    using Module = Module_;
    static constexpr std::uint32_t lanes = lanes_, classes = classes_, count_bits = count_bits_;
    static constexpr std::uint32_t class_bits = classes > 4 ? 3 : classes > 2 ? 2 : 1;
};
struct VariantName {
    template <class V>
    static std::string GetName(int) {
        return std::to_string(V::lanes) + "x" + std::to_string(V::classes) + "_of_" + std::to_string(V::count_bits) +
               "_bits";
    }
};

/// The counters, those of up to 16 lanes or of more (array_counts), and the symbols that went by them, by class.
template <class V>
class Bench {
public:
    Bench() { counts_.reset(); }
    /// A beat of some symbols, or none; what has no symbol is anything.
    void beat(std::mt19937_64& random, std::uint32_t width) {
        counts_->in_valid = random() % 4 != 0;
        const auto count = static_cast<std::uint32_t>(random() % (V::lanes + 1));
        counts_->in_count = static_cast<CData>(count);
        for (std::uint32_t l = 0; l < V::lanes; ++l) {
            const Symbol symbol = sign_extend(static_cast<std::uint32_t>(random()) & low_mask(width), width);
            const auto of = static_cast<std::uint32_t>(random() % V::classes);
            set_bits(counts_->in_symbols, 32 * l, 32, static_cast<std::uint32_t>(symbol));
            set_bits(counts_->in_classes, V::class_bits * l, V::class_bits, of);
            if (counts_->in_valid && l < count) passed_[of].push_back(symbol);
        }
        counts_.tick();
        counts_->in_valid = 0;
    }
    void clear() {
        counts_->clear = 1;
        counts_.tick();
        counts_->clear = 0;
        for (auto& symbols : passed_) symbols.clear();
    }
    void expect_counts_of_the_model() {
        counts_.tick();   // a beat counts three edges after it was given
        counts_.tick();
        for (std::uint32_t c = 0; c < V::classes; ++c) {
            Counts expected(table_rows);
            learn_rows(Layout::magnitude, passed_[c], 32, expected);
            for (std::uint32_t row = 0; row < table_rows; ++row) {
                counts_->read_class = static_cast<CData>(c);
                counts_->read_row = static_cast<CData>(row);
                counts_.settle();
                const std::uint64_t most = (std::uint64_t{1} << V::count_bits) - 1;
                ASSERT_EQ(counts_->read_count, std::min(most, expected[row])) << "class " << c << ", row " << row;
                full += expected[row] > most;
            }
        }
    }
    std::size_t full = 0;   ///< counters that were not enough

private:
    Clocked<typename V::Module> counts_;
    std::array<std::vector<Symbol>, V::classes> passed_;
};

template <class V>
class SymbolCounters : public ::testing::Test {};
using Variants = ::testing::Types<Variant<SymbolCounts4x1x24, 4, 1, 24>, Variant<SymbolCounts1x3x24, 1, 3, 24>,
                                  Variant<SymbolCounts16x8x24, 16, 8, 24>, Variant<SymbolCounts4x2x6, 4, 2, 6>,
                                  Variant<SymbolCounts40x3x24, 40, 3, 24>>;
TYPED_TEST_SUITE(SymbolCounters, Variants, VariantName);

TYPED_TEST(SymbolCounters, CountTheRowsOfEachClassUntilTheyAreFull) {
    Bench<TypeParam> bench;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        for (std::uint64_t beats = random() % 500; beats > 0; --beats)
            bench.beat(random, static_cast<std::uint32_t>(1 + random() % 32));
        bench.expect_counts_of_the_model();
        if (::testing::Test::HasFatalFailure()) return;
        if (seed % 2 == 1) bench.clear();
    }
    EXPECT_EQ(bench.full > 0, TypeParam::count_bits < 10);
}

TYPED_TEST(SymbolCounters, ForgetBeatsThatAreUnderWayWhenTheyAreCleared) {
    std::mt19937_64 random(7);
    Bench<TypeParam> bench;
    for (int i = 0; i < 10; ++i) bench.beat(random, 8);
    bench.clear();
    bench.expect_counts_of_the_model();
}

}   // namespace
}   // namespace oscar::symbol_counts_test

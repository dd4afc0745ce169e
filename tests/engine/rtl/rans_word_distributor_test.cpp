// Words of one stream for the lanes of a rANS decoder: each lane has the word behind those of the lanes before it.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "RansWordDistributor16.h"
#include "RansWordDistributor4.h"
#include "RansWordDistributor64.h"
#include "models/engine/verilated/ports.hpp"

namespace oscar::rans_word_distributor_test {
namespace {

template <class Module_, std::uint32_t lanes_>
struct Variant {
    using Module = Module_;
    static constexpr std::uint32_t lanes = lanes_;
};
template <class V>
class AWordDistributor : public ::testing::Test {};
struct VariantName {
    template <class V>
    static std::string GetName(int) {
        return std::to_string(V::lanes);
    }
};
using Variants = ::testing::Types<Variant<RansWordDistributor4, 4>, Variant<RansWordDistributor16, 16>,
                                  Variant<RansWordDistributor64, 64>>;
TYPED_TEST_SUITE(AWordDistributor, Variants, VariantName);

constexpr std::size_t beat_words = 32;

template <class Port>
std::uint32_t word_of(const Port& port, std::size_t l) {
    if constexpr (std::is_integral_v<Port>) return static_cast<std::uint16_t>(port >> 16 * l);
    else return bits(port, 16 * l, 16);
}

template <class V>
class Bench {
public:
    Bench(std::vector<std::uint16_t> words, std::uint64_t seed) : words_(std::move(words)), random_(seed) {
        unit_.reset();
    }
    /// Takes all words, as lanes ask for them that hold still in some cycles.
    void take_all() {
        for (std::uint64_t edge = 0; taken_ < words_.size() && edge < 100 * words_.size() + 1000; ++edge) {
            offer();
            unit_.settle();
            const std::uint64_t takes = unit_->ready && random_() % 4 != 0 ? some_lanes() : 0;
            unit_->take = static_cast<std::remove_reference_t<decltype(unit_->take)>>(takes);
            unit_.settle();
            for (std::uint32_t l = 0; l < V::lanes; ++l)
                if (takes >> l & 1) {
                    ASSERT_EQ(word_of(unit_->words, l), words_[taken_]) << "word " << taken_;
                    ++taken_;
                }
            tick();
            ASSERT_FALSE(unit_->missing);
        }
        ASSERT_EQ(taken_, words_.size());
    }
    bool misses_another() {
        unit_->take = 1;
        unit_.tick();
        return unit_->missing;
    }

private:
    void offer() {
        unit_->in_valid = offered_ < words_.size() && (unit_->in_valid || random_() % 4 != 0);
        if (!unit_->in_valid) return;
        const std::size_t count = std::min(beat_words, words_.size() - offered_);
        for (std::size_t k = 0; k < beat_words; ++k)
            set_bits(unit_->in_words, 16 * k, 16, k < count ? words_[offered_ + k] : 0);
        unit_->in_count = static_cast<CData>(count);
        unit_->in_last = offered_ + count == words_.size();
    }
    std::uint64_t some_lanes() {
        std::uint64_t takes = 0;
        std::size_t left = words_.size() - taken_;
        const std::uint64_t share = random_() % 5;
        for (std::uint32_t l = 0; l < V::lanes && left > 0; ++l)
            if (random_() % 4 < share) {
                takes |= std::uint64_t{1} << l;
                --left;
            }
        return takes;
    }
    void tick() {
        const bool given = unit_->in_valid && unit_->in_ready;
        unit_.tick();
        if (!given) return;
        offered_ += std::min(beat_words, words_.size() - offered_);
        unit_->in_valid = 0;
    }
    Clocked<typename V::Module> unit_;
    std::vector<std::uint16_t> words_;
    std::mt19937_64 random_;
    std::size_t offered_ = 0, taken_ = 0;
};

TYPED_TEST(AWordDistributor, GivesEachLaneTheWordBehindThoseOfTheLanesBeforeIt) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        std::vector<std::uint16_t> words(1 + random() % 1000);
        for (auto& word : words) word = static_cast<std::uint16_t>(random());
        Bench<TypeParam> bench(std::move(words), seed);
        bench.take_all();
        if (::testing::Test::HasFatalFailure()) return;
        EXPECT_TRUE(bench.misses_another());
    }
}

}   // namespace
}   // namespace oscar::rans_word_distributor_test

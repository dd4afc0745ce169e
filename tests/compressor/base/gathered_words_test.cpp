#include "models/compressor/base/gathered_words.hpp"

#include <gmock/gmock.h>

#include "models/core/random.hpp"

namespace oscar::gathered_words_test {
namespace {

using ::testing::ElementsAre;

TEST(GatheredWords, UnpackTheFieldsThatWerePackedAtEveryWidth) {
    for (std::uint32_t bits = 1; bits <= 32; ++bits)
        for (const std::size_t count : {1, 31, 32, 33, 100}) {
            std::vector<std::uint32_t> fields(count);
            for (std::size_t i = 0; i < count; ++i)
                fields[i] = static_cast<std::uint32_t>(random_at(bits, i)) >> (32 - bits);
            const std::vector<Symbol> words = packed_fields(fields, bits);
            EXPECT_EQ(words.size(), words_of_fields(count, bits));
            EXPECT_EQ(unpacked_fields(words, count, bits), fields) << bits << " bits";
        }
}

TEST(GatheredWords, AreCutByRankWithTheirPadding) {
    const std::vector<Symbol> gathered{1, 2, 3, 0, 5, 6};
    EXPECT_THAT(part_of(gathered, 3, 0), ElementsAre(1, 2));
    EXPECT_THAT(part_of(gathered, 3, 1), ElementsAre(3, 0));
    EXPECT_THAT(part_of(gathered, 3, 2), ElementsAre(5, 6));
}

TEST(GatheredWords, HaveTheMeanOfWhatTheRanksSayInTheirOrder) {
    const auto said = [](std::size_t rank, std::span<float> out) {
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(10 * rank + i);
    };
    EXPECT_THAT(mean_of_ranks(3, 2, said), ElementsAre(10.f, 11.f));
    EXPECT_THAT(mean_of_ranks(1, 2, said), ElementsAre(0.f, 1.f));
}

}   // namespace
}   // namespace oscar::gathered_words_test

// What is asked of gradients, and the dense sum.
#include "models/compressor/base/input.hpp"

#include <gmock/gmock.h>

#include <limits>

#include "models/compressor/base/dense.hpp"

namespace oscar::input_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const std::vector<std::vector<float>> pair_of_ranks{{1, 2, 3}, {5, 6, 8}};
const std::vector<TensorShape> whole{{0, 3, 0}};

void check(const std::vector<std::vector<float>>& gradients, const std::vector<TensorShape>& tensors = whole,
           std::size_t ranks = 2) {
    check_input(views(gradients), tensors, ranks);
}

TEST(Input, NamesWhatIsWrongWithIt) {
    const auto refused = [](auto gradients, auto tensors, const char* text) {
        EXPECT_THAT([&] { check(gradients, tensors); }, ThrowsMessage<std::invalid_argument>(HasSubstr(text)));
    };
    constexpr float infinite = std::numeric_limits<float>::infinity();
    EXPECT_NO_THROW(check(pair_of_ranks));
    refused(std::vector<std::vector<float>>{{1, 2, 3}}, whole, "1 gradients for 2 ranks");
    refused(std::vector<std::vector<float>>{{1, 2, 3}, {1, 2}}, whole,
            "rank 1 has 2 elements but that of rank 0 has 3");
    refused(std::vector<std::vector<float>>{{1, 2, 3}, {1, -infinite, 3}}, whole, "rank 1: element 1 is -inf");
    refused(pair_of_ranks, std::vector<TensorShape>{{0, 2, 0}}, "end at element 2 but the gradient has 3");
    refused(pair_of_ranks, std::vector<TensorShape>{{0, 2, 0}, {1, 3, 0}}, "tensor 1 is [1, 3) but must begin at 2");
    refused(pair_of_ranks, std::vector<TensorShape>{{0, 3, 2}}, "tensor 0 has 3 elements, which 2 rows do not divide");
}

TEST(Input, MayHoldTheLargestAndSmallestFiniteNumbers) {
    constexpr float largest = std::numeric_limits<float>::max(), smallest = 0x1p-149f;
    EXPECT_NO_THROW(check({{largest, -largest, smallest}, {0, -0.0f, -smallest}}));
}

TEST(SumOf, IsAddedInFp32InTheOrderOfTheRanks) {
    const std::vector<std::vector<float>> gradients{{0x1p24f}, {1}, {1}};   // each 1 is lost; 2^24 + 2 would not be
    EXPECT_THAT(sum_of(views(gradients)), ElementsAre(0x1p24f));
    EXPECT_THAT(mean_of(views(gradients)), ElementsAre(0x1p24f / 3));
}

TEST(Dense, IsTheMeanByOneAllReduceOfTheWholeGradient) {
    const CompressionResult step = make_compressor(DenseParams{}, 2, 1)->step(views(pair_of_ranks), whole);
    EXPECT_THAT(step.mean, ElementsAre(3, 4, 5.5f));
    EXPECT_EQ(step.sent, pair_of_ranks);
    ASSERT_EQ(step.exchanges.size(), 1u);
    EXPECT_EQ(step.exchanges[0].carrier, CollectiveKind::all_reduce);
    EXPECT_EQ(step.exchanges[0].padded, 12u);
    EXPECT_EQ(step.exchanges[0].floats, 3u);
}

TEST(ComputeCost, AddUpCountByCount) {
    ComputeCost sum{1, 2, 3, 4, 5, 6, 7};
    sum += {10, 20, 30, 40, 50, 60, 70};
    EXPECT_EQ(sum, (ComputeCost{11, 22, 33, 44, 55, 66, 77}));
}

}   // namespace
}   // namespace oscar::input_test

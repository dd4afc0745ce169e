#include "models/compressor/sparse/sparse_part.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "models/compressor/base/input.hpp"

namespace oscar::sparse_part_test {
namespace {

using Values = std::vector<std::vector<float>>;   // per rank

Values sparsified(SparsePart& part, const Values& gradients) {
    ComputeCost work;
    return part.sparsified(views(gradients), 0.5, Sparsify::exact_quantile, work);
}

TEST(SparsePart, GivesEachRanksLargestOfGradientAndResidual) {
    SparsePart part(2);
    const Values first = sparsified(part, {{4, 1, -3, 2}, {1, 8, 7, 0}});
    EXPECT_EQ(first, (Values{{4, 0, -3, 0}, {0, 8, 7, 0}}));
    part.keep(views(first));
    EXPECT_THAT(part.residual(0), ::testing::ElementsAre(0, 1, 0, 2));
    EXPECT_THAT(part.residual(1), ::testing::ElementsAre(1, 0, 0, 0));
    EXPECT_EQ(sparsified(part, {{1, 1, 1, 2}, {3, 1, 1, 4}}), (Values{{0, 2, 0, 4}, {4, 0, 0, 4}}));
}

TEST(SparsePart, KeepsWhatWasNotSentWhateverWasSparsified) {
    SparsePart part(1);
    sparsified(part, {{4, 1}});
    part.keep(views(Values{{3, 0}}));   // 3 is what a code said of 4
    EXPECT_THAT(part.residual(0), ::testing::ElementsAre(1, 1));
}

TEST(SparsePart, ForgetsAStepThatFailedBeforeItSent) {
    SparsePart part(1);
    sparsified(part, {{9, 9}});   // and no keep
    const Values sparse = sparsified(part, {{4, 1}});
    EXPECT_EQ(sparse, (Values{{4, 0}}));
    part.keep(views(sparse));
    EXPECT_THAT(part.residual(0), ::testing::ElementsAre(0, 1));
}

TEST(SparsePart, CountsTheWorkOfOneRank) {
    SparsePart part(2);
    ComputeCost work{.elements = 1};
    part.sparsified(views(Values{{4, 1, 2}, {1, 8, 7}}), 0.5, Sparsify::exact_quantile, work);
    EXPECT_EQ(work, (ComputeCost{.elements = 7, .comparisons = 3, .additions = 6}));
}

TEST(SparsePart, RefusesAnotherLengthAndKeepsItsResiduals) {
    SparsePart part(1);
    part.keep(views(sparsified(part, {{4, 1}})));
    try {
        sparsified(part, {{4, 1, 2}});
        FAIL();
    } catch (const std::invalid_argument& error) {
        EXPECT_STREQ(error.what(),
                     "a part of the gradient has 3 elements and had 2 in the last step; tensors must stay "
                     "as they are until a reset");
    }
    EXPECT_THAT(part.residual(0), ::testing::ElementsAre(0, 1));
}

}   // namespace
}   // namespace oscar::sparse_part_test

// What the steps of quantisers count, of which a cost model makes time.
#include <gtest/gtest.h>

#include "models/compressor/base/input.hpp"
#include "models/compressor/compressors.hpp"
#include "tests/compressor/gradients.hpp"

namespace oscar::quantised_operations_test {
namespace {

using namespace lossy_test;

ComputeCost operations_on(const LossyKind& kind, const std::vector<std::vector<float>>& gradients) {
    return make_compressor(kind, static_cast<std::uint32_t>(gradients.size()), 1)
        ->step(views(gradients), one_tensor(gradients[0].size(), 32))
        .operations;
}

ComputeCost operations_of(const LossyKind& kind, std::size_t size, std::uint32_t ranks = 3) {
    return operations_on(kind, normal_of_ranks(ranks, size, 1));
}

TEST(QuantiserOperations, GrowWithTheGradient) {
    for_each_kind(quantised_kinds, []<class P>(const Kind<P>& kind) {
        SCOPED_TRACE(std::string(kind.name));
        const auto half = normal_of_ranks(3, 2048, 1);
        auto twice = half;   // the same values again, on which counts may depend
        for (std::size_t r = 0; r < half.size(); ++r) twice[r].insert(twice[r].end(), half[r].begin(), half[r].end());
        const ComputeCost of_half = operations_on(LossyKind(P{}), half), of_all = operations_on(LossyKind(P{}), twice);
        EXPECT_EQ(of_all.elements, 2 * of_half.elements);
        EXPECT_EQ(of_all.draws, 2 * of_half.draws);
        EXPECT_EQ(of_all.additions, 2 * of_half.additions);
        EXPECT_GE(of_half.elements, 2 * 2048u);   // read at least, and written
    });
}

TEST(QuantiserOperations, DrawOnceForEachElementWhereTheyRoundAtRandom) {
    EXPECT_EQ(operations_of(LossyKind(QsgdParams{}), 2048).draws, 2048u);
    EXPECT_EQ(operations_of(LossyKind(TernGradParams{}), 2048).draws, 2048u);
    EXPECT_EQ(operations_of(LossyKind(ThcParams{}), 2016).draws, 2048u);   // padding is rounded too
    EXPECT_EQ(operations_of(LossyKind(ScaledSignParams{}), 2048).draws, 0u);
    EXPECT_EQ(operations_of(LossyKind(PowerSgdParams{}), 2048).draws, 0u);
}

TEST(QuantiserOperations, GrowWithTheRanksOnlyWhereEachIsDecoded) {
    const auto added = [](const LossyKind& kind) {
        return operations_of(kind, 2048, 8).additions - operations_of(kind, 2048, 3).additions;
    };
    QsgdParams qsgd;
    TernGradParams terngrad;
    EXPECT_EQ(added(LossyKind(qsgd)), 5 * 2048u);
    EXPECT_EQ(added(LossyKind(terngrad)), 5 * 2048u);
    EXPECT_EQ(added(LossyKind(OneBitParams{})), 5 * 2048u);
    qsgd.scope = NormScope::shared;
    terngrad.scaler = Scaler::shared;
    EXPECT_EQ(added(LossyKind(qsgd)), 0u);
    EXPECT_EQ(added(LossyKind(terngrad)), 0u);
    EXPECT_EQ(added(LossyKind(ThcParams{})), 0u);
}

TEST(QuantiserOperations, OfPowerSgdAreItsProductsAndGramSchmidt) {
    // 32 x 64, rank 4: two products with the gradient, one of the factors, each 2048 * 4; 32 * 4 * 4 twice.
    const ComputeCost both = operations_of(LossyKind(PowerSgdParams{}), 2048);
    EXPECT_EQ(both.multiplications, 3 * 2048u * 4 + 2 * 32 * 16);
    EXPECT_EQ(both.rounds, 4u);
    PowerSgdParams params;
    params.iteration = PowerIteration::alternating;
    const auto alternating = make_compressor(params, 1, 1);
    const auto gradients = normal_of_ranks(1, 2048, 1);
    for (const std::uint64_t length : {32u, 64u}) {   // the factor that is made orthonormal: left, then right
        const CompressionResult step = alternating->step(views(gradients), one_tensor(2048, 32));
        EXPECT_EQ(step.operations.multiplications, 2 * 2048u * 4 + 2 * length * 16);
    }
}

TEST(QuantiserOperations, OfThcHaveTenStagesOfButterfliesEachWay) {
    EXPECT_EQ(operations_of(LossyKind(ThcParams{}), 2048).additions, 2 * 10 * 2048u);
}

}   // namespace
}   // namespace oscar::quantised_operations_test

#include "models/partition/classes.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

namespace oscar::classes_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Sums = std::vector<std::int32_t>;

/// Heavy-tailed sums with zeros; blocks of 50 differ in scale.
Sums random_sums(std::uint32_t count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    Sums sums(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto range = std::int64_t{1} << (i / 50 % 8);
        sums[i] = static_cast<std::int32_t>(
            static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(2 * range + 1)) - range);
    }
    return sums;
}

std::vector<std::uint8_t> after(Classifier& classifier, const Sums& sums) {
    classifier.observe(sums);
    return {classifier.classes().begin(), classifier.classes().end()};
}

TEST(Classes, OfEveryKindAreBelowTheirCountEqualAtEqualHistoriesAndGoneAfterAReset) {
    const std::vector<Segment> tensors{{0, 300}, {300, 301}, {301, 1000}};
    for_each_kind(classifiers, [&]<class P>(const Kind<P>& kind) {
        SCOPED_TRACE(kind.name);
        Classifier a(P{}, tensors), b(P{}, tensors);
        const std::uint32_t count = class_count(P{}, tensors);
        EXPECT_LE(count, max_classes);
        EXPECT_THAT(a.classes(), IsEmpty());
        for (std::uint64_t t = 0; t < 5; ++t) {
            const Sums sums = random_sums(1000, t);
            EXPECT_EQ(after(a, sums), after(b, sums));
            EXPECT_EQ(a.classes().size(), 1000u);
            for (const std::uint8_t c : a.classes()) EXPECT_LT(c, count);
        }
        a.reset();
        EXPECT_THAT(a.classes(), IsEmpty());
        Classifier fresh(P{}, tensors);
        const Sums sums = random_sums(1000, 99);
        EXPECT_EQ(after(a, sums), after(fresh, sums));
    });
}

TEST(Classes, RememberMoreThanTheLastSumOnlyWithAHistory) {
    for (const std::uint32_t history : {0u, 1u, 3u}) {
        EXPECT_EQ(remembers(MagnitudeClassesParams{.history = history}), history > 0);
        EXPECT_EQ(remembers(BlockClassesParams{.history = history}), history > 0);
        EXPECT_EQ(remembers(MixedClassesParams{.history = history}), history > 0);
    }
    EXPECT_FALSE(remembers(ZeroClassesParams{ZeroMemory::last}));
    EXPECT_TRUE(remembers(ZeroClassesParams{ZeroMemory::either}));
    EXPECT_TRUE(remembers(ZeroClassesParams{ZeroMemory::counter}));
    EXPECT_FALSE(remembers(LayerClassesParams{}));
}

TEST(Classes, OfRanksThatObserveTogetherAreThoseOfEachAlone) {
    const std::vector<Segment> tensors{{0, 300}, {300, 1000}};
    for_each_kind(classifiers, [&]<class P>(const Kind<P>& kind) {
        SCOPED_TRACE(kind.name);
        std::vector<Classifier> together(4, Classifier(P{}, tensors)), alone = together;
        for (std::uint64_t t = 0; t < 5; ++t) {
            // Rank 1 sees other sums in the third iteration, rank 3 has forgotten all before the fourth.
            const Sums common = random_sums(1000, t), other = random_sums(1000, 50);
            if (t == 3)
                for (auto* ranks : {&together, &alone}) ranks->back().reset();
            std::vector<Classifier*> all;
            std::vector<std::span<const std::int32_t>> sums;
            for (std::uint32_t r = 0; r < 4; ++r) {
                all.push_back(&together[r]);
                sums.emplace_back(r == 1 && t == 2 ? other : common);
                alone[r].observe(sums.back());
            }
            observe_each(all, sums);
            for (std::uint32_t r = 0; r < 4; ++r)
                EXPECT_TRUE(std::ranges::equal(together[r].classes(), alone[r].classes())) << t << ", rank " << r;
        }
    });
}

TEST(MixedClasses, AreEquallyPopulatedAsBySortingTheScores) {
    for (const std::uint32_t count : {1u, 2u, 3u, 7u, 50u, 64u, 5000u, 100'000u})
        for (const std::uint32_t classes : {2u, 3u, 8u, 64u}) {
            Classifier classifier(MixedClassesParams{classes, 1, 0, 0}, {});   // the score is the magnitude
            const Sums sums = random_sums(count, count + classes);
            const std::vector<std::uint8_t> found = after(classifier, sums);
            std::vector<std::int32_t> sorted;
            for (const std::int32_t sum : sums) sorted.push_back(std::abs(sum));
            std::ranges::sort(sorted);
            for (std::uint32_t i = 0; i < count; ++i) {
                std::uint32_t expected = 0;
                for (std::uint64_t c = 1; c < classes; ++c)
                    expected += std::abs(sums[i]) >= sorted[c * count / classes];
                ASSERT_EQ(found[i], expected) << count << " of " << classes << ", element " << i;
            }
        }
}

TEST(ZeroClasses, AreTheLastMaskTheOrOfTwoOrACounter) {
    //                 t0  t1  t2   of three elements
    const std::vector<Sums> history{{5, 0, 0}, {0, 0, -1}, {0, 7, 0}};
    Classifier last(ZeroClassesParams{ZeroMemory::last}, {}), either(ZeroClassesParams{ZeroMemory::either}, {}),
        counter(ZeroClassesParams{ZeroMemory::counter}, {});
    EXPECT_THAT(after(last, history[0]), ElementsAre(1, 0, 0));
    EXPECT_THAT(after(last, history[1]), ElementsAre(0, 0, 1));
    EXPECT_THAT(after(last, history[2]), ElementsAre(0, 1, 0));
    EXPECT_THAT(after(either, history[0]), ElementsAre(1, 0, 0));
    EXPECT_THAT(after(either, history[1]), ElementsAre(1, 0, 1));
    EXPECT_THAT(after(either, history[2]), ElementsAre(0, 1, 1));
    // Counters: 2 1 1, then 1 0 2, then 0 1 1.
    EXPECT_THAT(after(counter, history[0]), ElementsAre(1, 0, 0));
    EXPECT_THAT(after(counter, history[1]), ElementsAre(0, 0, 1));
    EXPECT_THAT(after(counter, history[2]), ElementsAre(0, 0, 0));
}

TEST(ZeroClasses, CounterSaturatesAtThreeAndAtZero) {
    Classifier counter(ZeroClassesParams{ZeroMemory::counter}, {});
    for (int i = 0; i < 9; ++i) counter.observe(Sums{1});
    EXPECT_THAT(after(counter, {0}), ElementsAre(1));   // 3 -> 2
    EXPECT_THAT(after(counter, {0}), ElementsAre(0));   // 1
    for (int i = 0; i < 9; ++i) counter.observe(Sums{0});
    EXPECT_THAT(after(counter, {1}), ElementsAre(0));   // 0 -> 1
    EXPECT_THAT(after(counter, {1}), ElementsAre(1));
}

TEST(MagnitudeClasses, AreTheBitsOfTheMagnitudeUpToTheLast) {
    Classifier classifier(MagnitudeClassesParams{4}, {});
    EXPECT_THAT(after(classifier, {0, 1, -1, 2, -3, 4, 7, 8, -100, INT32_MIN}),
                ElementsAre(0, 1, 1, 2, 2, 3, 3, 3, 3, 3));
}

TEST(BlockClasses, HoldEquallyManyBlocksOrderedByMagnitude) {
    Classifier classifier(BlockClassesParams{2, 2}, {});
    // Means 1, 9, 2, 8; the fifth block is one element of 9, which is a mean of 9.
    EXPECT_THAT(after(classifier, {1, -1, 9, 9, 2, 2, -8, 8, 9}), ElementsAre(0, 0, 1, 1, 0, 0, 1, 1, 1));
}

TEST(BlockClasses, PutEqualMagnitudesInOneClass) {
    Classifier classifier(BlockClassesParams{8, 4}, {});
    const auto classes = after(classifier, Sums(400, 3));
    EXPECT_EQ(std::ranges::count(classes, classes.front()), 400);
}

TEST(MixedClasses, LetTheOwnMagnitudeCountAsMuchAsItsWeight) {
    // Two blocks of two, means 4 and 6. In 1/256 of a unit: 256 * mean + 64 * weight * own.
    const Sums sums{0, 8, 6, 6};
    Classifier deaf(MixedClassesParams{2, 2, 0}, {}), equal(MixedClassesParams{2, 2, 4}, {});
    EXPECT_THAT(after(deaf, sums), ElementsAre(0, 0, 1, 1));
    EXPECT_THAT(after(equal, sums), ElementsAre(0, 1, 1, 1));   // scores 4, 12, 12, 12
}

TEST(MagnitudeClasses, RememberEarlierMagnitudesByPowersOfTwo) {
    Classifier classifier(MagnitudeClassesParams{32, 1}, {});
    EXPECT_THAT(after(classifier, {64, 0, 3}), ElementsAre(7, 0, 2));    // 64, 0, 3
    EXPECT_THAT(after(classifier, {0, 64, 3}), ElementsAre(6, 6, 2));    // 32, 32, 3
    EXPECT_THAT(after(classifier, {0, -64, 0}), ElementsAre(5, 6, 1));   // 16, 48, 1.5
    Classifier slow(MagnitudeClassesParams{32, 3}, {});
    slow.observe(Sums{64});
    EXPECT_THAT(after(slow, {0}), ElementsAre(6));   // 56
}

TEST(MixedClasses, OrderByBlockAndOwnRememberedMagnitude) {
    Classifier forgetful(MixedClassesParams{2, 1, 0, 0}, {}), mindful(MixedClassesParams{2, 1, 0, 1}, {});
    for (Classifier* c : {&forgetful, &mindful}) c->observe(Sums{0, 10});
    EXPECT_THAT(after(forgetful, {4, 0}), ElementsAre(1, 0));
    EXPECT_THAT(after(mindful, {4, 0}), ElementsAre(0, 1));   // 2 and 5
}

TEST(LayerClasses, AreThePositionOfTheTensor) {
    Classifier classifier(LayerClassesParams{}, {{0, 2}, {2, 3}, {3, 5}});
    EXPECT_THAT(after(classifier, {0, 0, 0, 0, 0}), ElementsAre(0, 0, 1, 2, 2));
    std::vector<Segment> many;
    for (std::uint32_t t = 0; t < 70; ++t) many.push_back({t, t + 1});
    Classifier lumped(LayerClassesParams{}, many);
    EXPECT_EQ(after(lumped, Sums(70)).back(), max_classes - 1);
    EXPECT_EQ(class_count(LayerClassesParams{}, many), max_classes);
}

TEST(Classes, AreSharedByTheNeighboursOfABlockAndToldByTheTensor) {
    EXPECT_EQ(values_per_class(BlockClassesParams{.block = 32}), 32u);
    EXPECT_EQ(values_per_class(LayerClassesParams{}), 0u);
    EXPECT_EQ(values_per_class(MixedClassesParams{}), 1u);
    EXPECT_EQ(values_per_class(MagnitudeClassesParams{}), 1u);
    EXPECT_EQ(values_per_class(ZeroClassesParams{}), 1u);
}

}   // namespace
}   // namespace oscar::classes_test

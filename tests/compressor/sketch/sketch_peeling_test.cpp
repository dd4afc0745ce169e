#include "models/compressor/sketch/sketch_peeling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "models/compressor/base/wrapping.hpp"
#include "models/core/random.hpp"

namespace oscar::sketch_peeling_test {
namespace {

constexpr std::uint64_t elements = 100'000;

std::vector<std::uint32_t> listed(double density) {
    std::vector<std::uint32_t> result;
    for (std::uint32_t i = 0; i < elements; ++i)
        if (uniform_at(3, i) < density) result.push_back(i);
    return result;
}

/// Values at `members` sketched and peeled with `columns` in each of three rows.
struct Trial {
    Trial(const std::vector<std::uint32_t>& members, std::uint32_t columns, HashFamily family = HashFamily::murmur3)
        : sketch(SketchHash(elements, {3, columns, 1, family}, 5)) {
        std::vector<std::int32_t> vector(elements);
        for (const std::uint32_t e : members) values.push_back(vector[e] = static_cast<std::int32_t>(random_at(9, e)));
        sketch.add(vector);
        peeled = peel_sketch(sketch, members);
    }
    CountSketch<std::int32_t> sketch;
    std::vector<std::int32_t> values;
    SketchValues peeled;
};

TEST(SketchPeeling, IsExactBelowTheThreshold) {
    const auto members = listed(0.1);
    const Trial trial(members, static_cast<std::uint32_t>(static_cast<double>(members.size()) / 0.7 / 3));
    EXPECT_EQ(trial.peeled.values, trial.values);
    EXPECT_TRUE(trial.peeled.rest.empty());
    EXPECT_GT(trial.peeled.rounds, 5u);
}

/// What `members`, each a value of -120 to 120, make of cells of so many bits.
SketchValues peeled_of_bytes(const std::vector<std::uint32_t>& members, std::vector<std::int32_t>& values, double load,
                             std::uint32_t bits, std::int32_t times = 1) {
    const auto columns = static_cast<std::uint32_t>(static_cast<double>(members.size()) / load / 3);
    CountSketch<std::int32_t> sketch(SketchHash(elements, {3, columns, 1, HashFamily::murmur3}, 5));
    std::vector<std::int32_t> vector(elements);
    for (const std::uint32_t e : members)
        values.push_back(vector[e] = times * (static_cast<std::int32_t>(random_at(9, e) % 241) - 120));
    sketch.add(vector);
    const auto [least, most] = std::ranges::minmax(sketch.table());
    EXPECT_LT(least, -200);   // or else nothing wraps
    EXPECT_GT(most, 200);
    return peel_sketch(sketch, members, bits);
}

TEST(SketchPeeling, IsExactInCellsThatWrapWhereTheValuesFit) {
    std::vector<std::int32_t> values;
    const SketchValues peeled = peeled_of_bytes(listed(0.1), values, 0.7, 8);
    EXPECT_EQ(peeled.values, values);
    EXPECT_TRUE(peeled.rest.empty());
}

TEST(SketchPeeling, ReadsValuesThatDoNotFitModuloTheCell) {
    std::vector<std::int32_t> values;
    const SketchValues peeled = peeled_of_bytes(listed(0.1), values, 0.7, 8, 3);   // up to 360
    for (std::int32_t& value : values) value = wrapped(value, 8);
    EXPECT_EQ(peeled.values, values);
}

TEST(SketchPeeling, EstimatesNoMoreThanACellHolds) {
    std::vector<std::int32_t> values;
    const SketchValues peeled = peeled_of_bytes(listed(0.1), values, 4, 8);
    EXPECT_GT(peeled.rest.size(), values.size() / 2);
    const auto [least, most] = std::ranges::minmax(peeled.values);
    EXPECT_GE(least, -128);
    EXPECT_LE(most, 127);
}

TEST(SketchPeeling, LeavesMostAboveIt) {
    const auto members = listed(0.1);
    const Trial trial(members, static_cast<std::uint32_t>(static_cast<double>(members.size()) / 1.0 / 3));
    EXPECT_GT(trial.peeled.rest.size(), members.size() / 2);
    for (std::size_t i = 0; i < members.size(); ++i)
        EXPECT_TRUE(trial.peeled.values[i] == trial.values[i] ||
                    std::ranges::binary_search(trial.peeled.rest, static_cast<std::uint32_t>(i)));
}

TEST(SketchPeeling, OfConsecutiveElementsWantsHashesThatAreNotTooEven) {
    std::vector<std::uint32_t> members(2000);
    std::iota(members.begin(), members.end(), 0u);
    EXPECT_TRUE(Trial(members, 953).peeled.rest.empty());
    EXPECT_FALSE(Trial(members, 953, HashFamily::polynomial).peeled.rest.empty());
}

TEST(SketchPeeling, NeedsThreeRows) {
    EXPECT_THROW(peel_sketch(CountSketch<std::int32_t>(SketchHash(10, {2, 10, 1}, 1)), {}), std::invalid_argument);
}

}   // namespace
}   // namespace oscar::sketch_peeling_test

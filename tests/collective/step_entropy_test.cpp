#include "models/collective/endpoint/step_entropy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>

namespace oscar::step_entropy_test {
namespace {

using Symbols = std::vector<Symbol>;
using Classes = std::vector<std::uint8_t>;

TEST(StepEntropy, IsThatOfTheSymbolsOfATimestep) {
    StepEntropy entropy;
    EXPECT_EQ(entropy.bits(), 0);
    entropy.add(Timestep{0}, Symbols{1, -1, 2, -2}, {});   // 2 bits each
    EXPECT_DOUBLE_EQ(entropy.bits(), 8);
    entropy.add(Timestep{0}, Symbols{1, -1, 2, -2}, {});   // the same again, from another link
    EXPECT_DOUBLE_EQ(entropy.bits(), 16);
    EXPECT_EQ(entropy.symbols(), 8u);
}

TEST(StepEntropy, KeepsTimestepsAndClassesApart) {
    StepEntropy steps, classes, together;
    steps.add(Timestep{0}, Symbols{5, 5}, {});
    steps.add(Timestep{1}, Symbols{6, 6}, {});
    EXPECT_EQ(steps.bits(), 0);
    classes.add(Timestep{0}, Symbols{5, 6, 5, 6}, Classes{0, 1, 0, 1});
    EXPECT_EQ(classes.bits(), 0);
    together.add(Timestep{0}, Symbols{5, 6, 5, 6}, {});
    EXPECT_DOUBLE_EQ(together.bits(), 4);
}

TEST(StepEntropy, IsNeverMoreWithClasses) {
    StepEntropy whole, classed;
    Symbols symbols;
    Classes of;
    for (int i = 0; i < 1000; ++i) {
        symbols.push_back(i * i % 7);
        of.push_back(static_cast<std::uint8_t>(i * i * i % 3));
    }
    whole.add(Timestep{0}, symbols, {});
    classed.add(Timestep{0}, symbols, of);
    EXPECT_LE(classed.bits(), whole.bits());
}

TEST(StepEntropy, OfALongMessageIsThatOfItsParts) {
    StepEntropy whole, parts;
    Symbols symbols;
    for (int i = 0; i < 100'003; ++i)
        symbols.push_back(i % 11 == 0 ? i * 3 - 150'000 : i % 13 * (i % 13) % 13);   // far and near
    whole.add(Timestep{0}, symbols, {});
    for (std::size_t at = 0; at < symbols.size(); at += 1000)
        parts.add(Timestep{0}, std::span(symbols).subspan(at, std::min<std::size_t>(1000, symbols.size() - at)), {});
    EXPECT_EQ(whole.bits(), parts.bits());
    EXPECT_EQ(whole.symbols(), parts.symbols());
}

TEST(StepEntropy, OfAnEmptyMessageIsNothing) {
    StepEntropy entropy;
    entropy.add(Timestep{0}, {}, {});
    EXPECT_EQ(entropy.bits(), 0);
}

}   // namespace
}   // namespace oscar::step_entropy_test

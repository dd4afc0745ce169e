// A torus or mesh is one machine, whether its sizes are rows and columns or dimensions.
#include <gmock/gmock.h>

#include "tests/run/synthetic/machines.hpp"

namespace oscar::torus_test {
namespace {

using test::Pick;

struct Shape {
    std::uint32_t rows, columns;
    std::string text(const std::string& kind, bool by_dimensions) const {
        const std::string r = std::to_string(rows), c = std::to_string(columns);
        return "{kind: " + kind +
               (by_dimensions ? ", dimensions: [" + r + ", " + c + "]}" : ", rows: " + r + ", columns: " + c + "}");
    }
};

/// A mesh or torus of up to 32 ranks.
std::string random_yaml(Pick& pick, const Shape& shape) {
    const std::string fidelity = pick.of({"flit", "packet", "message", "message"});
    return "ranks: " + std::to_string(shape.rows * shape.columns) +
           "\nsize: " + pick.of({"16KiB", fidelity == "flit" ? "20000B" : "100000B"}) +
           "\nmethods: [fp32]\nfidelity: " + fidelity + "\ncollective: {kind: " +
           pick.of({"all_to_all", "all_to_all", "ring", "direct", "halving_doubling", "double_binary_tree",
                    "hierarchical", "gather", "scatter", "broadcast", "all_gather", "bidirectional_ring"}) +
           ", issue: " + pick.of({"lock_step", "dependency"}) + "}\nnetwork:\n  packet: " + pick.of({"512B", "4KiB"}) +
           "\n  virtual_channels: " + pick.of({"2", "3", "4"}) +
           "\n  link: {bandwidth: " + pick.of({"25Gbps", "400Gbps"}) + ", buffer: " + pick.of({"20KiB", "1MiB"}) +
           ", propagation: " + pick.of({"10ns", "500ns"}) + "}\n";
}

class OfRandomShapes : public ::testing::TestWithParam<std::uint64_t> {};
TEST_P(OfRandomShapes, ATorusByDimensionsTakesTheTimeOfTheOneByRowsAndColumns) {
    constexpr std::uint64_t each = 50;
    for (std::uint64_t seed = each * GetParam(); seed < each * (GetParam() + 1); ++seed) {
        Pick pick(seed);
        const Shape shape{1 + pick.below(4), 2 + pick.below(7)};
        const std::string kind = pick.of({"torus", "torus", "torus", "mesh"});
        const std::string yaml = random_yaml(pick, shape);
        SCOPED_TRACE(shape.text(kind, false) + "\n" + yaml);
        const test::SyntheticFile file(yaml);
        const auto methods = [&](bool by_dimensions) {
            return file.report({"network.topology=" + shape.text(kind, by_dimensions)})["methods"];
        };
        ASSERT_EQ(methods(false), methods(true)) << seed;
    }
}
INSTANTIATE_TEST_SUITE_P(Torus, OfRandomShapes, ::testing::Range(std::uint64_t{0}, std::uint64_t{4}));

/// 8 ranks in a ring, of whose ways to the rank opposite half go each way round.
TEST(Torus, OfOneRowIsTheOneOfOneDimension) {
    const test::SyntheticFile file(
        "ranks: 8\nsize: 1MiB\nmethods: [fp32]\ncollective: all_to_all\nnetwork: {virtual_channels: 2, link: {buffer: "
        "1MiB}}\n");
    const auto methods = [&](const std::string& sizes) {
        return file.report({"network.topology={kind: torus, " + sizes + "}"})["methods"];
    };
    EXPECT_EQ(methods("rows: 1"), methods("dimensions: [8]"));
    EXPECT_EQ(methods("rows: 1"), methods("dimensions: [8, 1]"));
}

}   // namespace
}   // namespace oscar::torus_test

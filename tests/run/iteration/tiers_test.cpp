// Messages inside islands and between them: what of a collective crosses NVLink, and what NICs.
#include <gmock/gmock.h>

#include "sim/parameters/nodes.hpp"
#include "sim/report/statistics.hpp"
#include "sim/run/lossy/lossy_run.hpp"
#include "tests/compressor/distributions.hpp"
#include "tests/run/laboratory.hpp"
#include "tests/run/methods.hpp"

namespace oscar::tiers_test {
namespace {

using namespace test;

/// Eight ranks in islands of four, which have one way out, or two.
Parameters islands_of_four(bool port = false) {
    Parameters p = SmallMachine::of(8);
    IslandsParams islands;
    islands.island = 4;
    islands.rails = false;
    p.network.topology = islands;
    if (port) {
        p.gpu.gradients = GradientForm::codes;
        p.gpu.island_port.emplace();
    }
    return p;
}

void expect_sums(const IterationResult& result) {
    EXPECT_TRUE(result.tiered);
    EXPECT_EQ(result.nic_payload_bytes + result.island_payload_bytes, result.payload_bytes);
    EXPECT_EQ(result.nic_values + result.island_values, result.values);
}

IterationResult result_of(SmallMachine& machine, const Method& method) {
    const Parameters& p = machine.parameters;
    MethodRun run(p, method, machine.routes, {Segment{0, elements}});
    run.iterate(machine.system, iteration_of(7, false, test::codes(p.ranks, elements, 8, 1)), {}, {});
    IterationResult result = run.results().front();
    derive(result);
    return result;
}

/// Each collective of the list that eight ranks can have, by fp32 and by codes.
void expect_sums_of_all_collectives(bool port) {
    SmallMachine machine(islands_of_four(port));
    std::size_t tried = 0;
    for_each_kind(collectives, [&]<class C>(const Kind<C>& collective) {
        machine.parameters.collective = C{};
        if (std::is_same_v<C, FlowsParams> || std::is_same_v<C, ListedScheduleParams>)
            return;   // lists have sizes of their own
        for (const Method& method : {fp32, asc}) {
            SCOPED_TRACE(std::string(collective.name) + ", " + method.name);
            if (method_problem(machine, method) != "none") continue;
            expect_sums(result_of(machine, method));
            ++tried;
        }
    });
    EXPECT_GT(tried, 20u);
}

TEST(Tiers, AddUpToAllThatIsSentOnEveryCollective) { expect_sums_of_all_collectives(false); }
TEST(Tiers, AddUpToAllThatIsSentOnEveryCollectiveWhereGpusHavePorts) { expect_sums_of_all_collectives(true); }

TEST(Tiers, AddUpToAllThatIsSentByEveryLossyMethod) {
    SmallMachine machine(islands_of_four());
    constexpr std::uint32_t size = 96 * 256 + 301;
    IterationCodes it;
    it.gradients = testing::random_gradients(8, size, 1);
    it.codes.assign(8, std::vector<Symbol>(size));
    const std::vector<TensorShape> shapes{{0, 96 * 256, 96}, {96 * 256, size, 0}};
    for_each_kind(lossy_kinds, [&]<class P>(const Kind<P>& kind) {
        SCOPED_TRACE(kind.name);
        Method method{std::string(kind.name), Fp32Params{}};
        method.lossy.emplace().compressor = P{};
        LossyRun run(machine.parameters, method, machine.routes, shapes, 7, {}, serial_for);
        run.iterate(machine.system, it, {}, {}, [](double) {});
        expect_sums(run.results().front());
    });
}

/// Of the ring's eight connections two lead from an island to the next.
TEST(Tiers, OfARingAreItsConnectionsInsideIslandsAndTwoBetweenThem) {
    SmallMachine machine(islands_of_four());
    const IterationResult result = result_of(machine, fp32);
    EXPECT_EQ(result.payload_bytes, 2u * 7 * 4 * elements);   // each value passes 14 of them
    EXPECT_EQ(4 * result.nic_payload_bytes, result.payload_bytes);
    EXPECT_EQ(result.nic_bits_per_value, 32);
    EXPECT_EQ(result.island_bits_per_value, 32);
}

/// Inside islands 2 x 3/4 of the gradient leaves each rank; between the two, each rank's quarter goes there and back.
TEST(Tiers, OfAHierarchicalAllReduceAreItsPhases) {
    Parameters p = islands_of_four();
    p.collective = HierarchicalParams{};
    SmallMachine machine(p);
    const IterationResult result = result_of(machine, fp32);
    EXPECT_EQ(result.island_values, 8u * 2 * 3 * elements / 4);
    EXPECT_EQ(result.nic_values, 8u * 2 * elements / 4 / 2);
}

/// Ports carry integers as they are; NICs code them. The mean of the two tells of neither.
TEST(Tiers, TellTheBitsOfCodesApartFromThoseOfUncodedIntegersInsideIslands) {
    Parameters p = islands_of_four(true);
    p.collective = HierarchicalParams{};
    SmallMachine machine(p);
    const IterationResult coded = result_of(machine, asc), plain = result_of(machine, fixed);
    EXPECT_EQ(coded.island_bits_per_value, plain.island_bits_per_value);
    EXPECT_NE(coded.nic_bits_per_value, plain.nic_bits_per_value);
    EXPECT_EQ(coded.nic_values, plain.nic_values);
    const auto [least, most] = std::minmax(*coded.nic_bits_per_value, *coded.island_bits_per_value);
    EXPECT_GT(coded.bits_per_value, least);
    EXPECT_LT(coded.bits_per_value, most);
}

TEST(Tiers, AreNoneWithoutIslandsAndOfOneIslandAlone) {
    Parameters one = islands_of_four();
    one.ranks = 4;
    for (const Parameters& p : {SmallMachine::of(4), one}) EXPECT_EQ(island_of_tiers(p), 1u);
    EXPECT_EQ(island_of_tiers(islands_of_four()), 4u);
    SmallMachine machine(one);
    const IterationResult result = result_of(machine, fp32);
    EXPECT_FALSE(result.tiered);
    EXPECT_EQ(result.nic_values + result.island_values, 0u);
    EXPECT_FALSE(result.nic_bits_per_value);
}

}   // namespace
}   // namespace oscar::tiers_test

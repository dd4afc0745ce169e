// Laws of whole machines on random networks. OSCAR_SEED=n chooses others; what fails names its seed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>

#include "models/job/schedule_on.hpp"
#include "models/network/topology/deadlock.hpp"
#include "tests/machine/network_variants.hpp"
#include "tests/machine/placed_work.hpp"
#include "tests/machine/rank_names.hpp"
#include "tests/machine/same_outcome.hpp"
#include "tests/network/topology/support.hpp"

namespace oscar::network_laws_test {
namespace {

using test::CodingCost;
using test::Draws;
using test::Machine;
using test::MachineSpec;
using test::NetworkVariant;

constexpr std::uint32_t batches = 20, configurations = 1000;   // each batch is a test, and a process, of its own

std::uint64_t first_seed() {
    const char* text = std::getenv("OSCAR_SEED");
    return text != nullptr ? std::strtoull(text, nullptr, 10) : 1;
}

/// A kind of the family that fits so many ranks; a switch in a quarter of the cases, for its ranks have no names.
TopologyKind random_topology(Draws& draw, std::uint32_t ranks) {
    std::vector<TopologyKind> possible;
    for_each_kind(topologies, [&]<class P>(const Kind<P>&) {
        if constexpr (!std::same_as<P, CableRingParams>) possible.emplace_back(test::sample<P>(ranks));
    });
    possible.insert(possible.end(), {FatTreeParams{.levels = 2}, LeafSpineParams{.hosts = 3, .spines = 2},
                                     IslandsParams{.island = 2}, IslandsParams{.island = 4, .rails = false}});
    return draw.between(0, 3) == 0 ? StarParams{} : possible[draw.between(0, possible.size() - 1)];
}

RoutingParams random_routing(Draws& draw, const Topology& topology) {
    std::vector<RoutingParams> possible{DefaultRoutingParams{}, ShortestParams{}, SprayParams{}};
    if (topology.grid) possible.emplace_back(DimensionOrderParams{});
    return possible[draw.between(0, possible.size() - 1)];
}

/// A machine, a collective, and whether buffers hold all that is ever on its way. If they do not, no circle of waits is
/// possible.
struct Configuration {
    explicit Configuration(std::uint64_t seed) : draw(seed) {
        spec.topology = random_topology(draw, spec.ranks);
        spec.node.gpu.gradients = GradientForm::fp32;
        spec.network.virtual_channels = draw.coin() ? 1 : draw.number(2, 4);
        if (draw.between(0, 3) == 0) spec.network.switches.latency = spec.network.link.propagation = 0_ps;
        const Topology topology = Machine::overridden(spec);
        spec.network.routing = random_routing(draw, topology);
        const auto circle = find_wait_cycle(topology, spec.network.routing, spec.network.virtual_channels);
        ample = draw.coin() || !circle.empty();
        if (ample) spec.network.link.buffer = 16_MiB;
        spec.network.link.buffer.count *= spec.network.virtual_channels;
        if (draw.between(0, 9) == 0) in_network(topology);
        if (!work)
            work = std::make_unique<CodingCost>(test::random_collective(draw, spec.ranks),
                                                test::first_ranks(spec.ranks), elements, spec, Time{}, choice);
    }

    /// If there are switches that can add.
    void in_network(const Topology& topology) {
        InNetworkParams params;
        params.slices = draw.number(1, 5);
        spec.network.switches.aggregator = {.adders = draw.number(1, 300),
                                            .latency = draw.number(0, 20),
                                            .slots = draw.number(1, 6),
                                            .clock = {draw.between(200'000, 3'000'000)}};
        if (topology.grid || spec.network.virtual_channels > 1) return;
        try {
            schedule_on(params, topology);
        } catch (const std::invalid_argument&) {
            return;
        }
        tree = params;
    }

    Outcome run(Machine& machine, const std::vector<Rank>& ranks) {
        if (!tree) {
            work->ranks = ranks;
            return test::run(machine, {work->placed()}).outcome;
        }
        const auto codec = make_codec(choice, spec.node.engine.framing());
        Schedule schedule = test::renamed(schedule_on(*tree, machine.topology()), ranks);
        const Plan plan = codec->uses_engine() ? Plan(std::move(schedule), ElementType::integer, 8)
                                               : Plan(std::move(schedule), ElementType::float32, 32);
        const ChunkLayout layout = make_layout(EqualParams{}, elements, {plan.schedule.chunks, 1}, {});
        SyntheticMessageSource participants(plan, *codec, layout);
        return machine.system().run({plan, participants, tree->issue, {}});
    }

    Draws draw;
    MachineSpec spec = test::random_machine(draw);
    std::uint32_t elements = draw.number(1, 6'000);
    CodecChoice choice = draw.coin() ? CodecChoice(FixedPointParams{}) : CodecChoice(Fp32Params{});
    bool ample = false;
    std::optional<InNetworkParams> tree;
    std::unique_ptr<CodingCost> work;
};

/// A machine runs other collectives than the first as well: one for each variant.
struct Case {
    explicit Case(std::uint64_t number) : seed(number), configuration(number) {
        variants = test::fidelities_of(configuration.spec);
        if (configuration.ample)
            for (const NetworkVariant& variant : test::controls_of(configuration.spec)) variants.push_back(variant);
        machines = test::machines_of(variants, "seed" + std::to_string(number));
    }
    friend std::ostream& operator<<(std::ostream& out, const Case& c) {
        const MachineSpec& spec = c.configuration.spec;
        return out << "OSCAR_SEED of the first batch " << first_seed() << ", configuration " << c.seed << ": "
                   << spec.ranks << " ranks, " << spec.topology.name() << ", " << spec.network.routing.name() << ", "
                   << spec.network.virtual_channels << " channels, " << c.configuration.choice.name() << ", "
                   << c.configuration.elements << " values, buffers of "
                   << (c.configuration.ample ? "more than is sent" : "a few packets");
    }
    std::uint64_t seed;
    Configuration configuration;
    std::vector<NetworkVariant> variants;
    std::vector<std::unique_ptr<Machine>> machines;
};

/// The steps' bytes are what their ranks' links carry, and a switch sends on what it receives, if it does not add.
void expect_bytes_conserved(const Outcome& outcome, const Schedule& schedule, const Topology& topology,
                            const NetworkParams& network) {
    IndexedVector<Rank, std::uint64_t> sent(topology.ranks), received(sent);
    IndexedVector<NodeId, std::uint64_t> out(topology.nodes()), in(out);
    for (std::size_t i = 0; i < outcome.steps.size(); ++i) {
        const std::uint64_t bytes = outcome.records[i].bytes;
        ASSERT_EQ(outcome.wire_bytes[i], bytes + packets_of(bytes, network.packet) * network.header.count);
        const Step& step = schedule.steps[i];
        if (step.from.value < topology.ranks) sent[step.from] += outcome.wire_bytes[i];
        if (step.to.value < topology.ranks) received[step.to] += outcome.wire_bytes[i];
    }
    for (const EdgeId e : outcome.links.indices()) {
        out[topology.edges[e].from] += outcome.links[e].wire_bytes;
        in[topology.edges[e].to] += outcome.links[e].wire_bytes;
    }
    for (const NodeId node : topology.node_ids()) {
        if (!topology.is_switch(node)) {
            EXPECT_EQ(out[node], sent[rank_of(node)]) << topology.node_name(node);
            EXPECT_EQ(in[node], received[rank_of(node)]) << topology.node_name(node);
        } else if (schedule.aggregators == 0) {
            EXPECT_EQ(in[node], out[node]) << topology.node_name(node);
        }
    }
}

/// Bits are on a link at its rate or slower, one packet behind the other, and none after the end.
void expect_no_link_overused(const Outcome& outcome, const Topology& topology) {
    for (const EdgeId e : outcome.links.indices()) {
        const LinkUse& use = outcome.links[e];
        Time busy, last;
        for (const Span span : use.busy) {
            EXPECT_LE(last, span.begin) << use.name;
            last = span.end;
            busy += span.end - span.begin;
        }
        EXPECT_LE(last, outcome.finish) << use.name;
        EXPECT_LE(busy, outcome.duration()) << use.name;
        const Bytes on_the_wire{use.wire_bytes};
        EXPECT_GE(busy, serialization(on_the_wire, topology.edges[e].link.bandwidth)) << use.name;
    }
}

void expect_causes_of_all_time(const Outcome& outcome) {
    EXPECT_EQ(outcome.path.total_ps(), outcome.duration().ps);
    for (std::size_t i = 0; i < outcome.steps.size(); ++i)
        EXPECT_EQ(outcome.steps[i].path.total_ps(), (outcome.steps[i].ready - outcome.first_start).ps) << "step " << i;
    for (const RankUse& rank : outcome.ranks)
        EXPECT_EQ(rank.path.total_ps(), rank.finish == Time{} ? 0 : (rank.finish - outcome.first_start).ps);
}

class ARandomNetwork : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(ARandomNetwork, KeepsTheLawsOfTimesNamesBytesAndCauses) {
    std::vector<std::unique_ptr<Case>> cases;   // all machines before the kernel starts
    for (std::uint32_t i = 0; i < configurations / batches; ++i)
        cases.push_back(std::make_unique<Case>(first_seed() * 1'000'000 + GetParam() * 1000 + i));
    for (const auto& c : cases) {
        if (HasFailure()) return;
        SCOPED_TRACE(::testing::Message() << *c);
        Configuration& configuration = c->configuration;
        const Topology& topology = c->machines[0]->topology();
        const std::vector<Rank> names = test::first_ranks(configuration.spec.ranks);
        std::vector<Rank> others = names;
        test::shuffle(others, configuration.draw);
        const bool names_matter = !std::holds_alternative<StarParams>(configuration.spec.topology.params) ||
                                  configuration.spec.network.virtual_channels > 1;
        const Schedule schedule =
            configuration.tree ? schedule_on(*configuration.tree, topology) : configuration.work->plan.schedule;
        std::optional<Outcome> packet;
        for (std::size_t v = 0; v < c->variants.size(); ++v) {
            SCOPED_TRACE(c->variants[v].name);
            Machine& machine = *c->machines[v];
            const Outcome outcome = configuration.run(machine, names);
            expect_causes_of_all_time(outcome);
            if (!packet) packet = outcome;
            if (c->variants[v].as_packet) {
                test::expect_same(outcome, *packet);
                expect_bytes_conserved(outcome, schedule, topology, configuration.spec.network);
                expect_no_link_overused(outcome, topology);
            }
            if (!names_matter)
                test::expect_same_but_for_names(outcome, names, configuration.run(machine, others), others);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Batch, ARandomNetwork, ::testing::Range(0u, batches));

}   // namespace
}   // namespace oscar::network_laws_test

// Folded ranks: a few of them do what each of all does, at the same time.
#include <gmock/gmock.h>

#include <cmath>

#include "sim/parameters/folding.hpp"
#include "tests/run/synthetic/machines.hpp"

namespace oscar::folding_test {
namespace {

using test::Pick;
using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

struct File : test::SyntheticFile {
    using SyntheticFile::SyntheticFile;
    Experiment load(const std::string& folding) const { return SyntheticFile::load({"folding=" + folding}); }
    Json report(const std::string& folding) const { return SyntheticFile::report({"folding=" + folding}); }
    Json methods(const std::string& folding) const { return report(folding)["methods"]; }
};

/// What is equal but for the links, of which fewer are simulated, for the longest step, which folded ranks have none
/// of, and for the order in which shares of time are added.
void expect_equal(const Json& a, const Json& b, const std::string& where) {
    if (a.is_object()) {
        for (const auto& [key, value] : a.items())
            if (key != "links" && key != "busiest_links" && key != "longest_step")
                expect_equal(value, b.at(key), where + "." + key);
    } else if (a.is_array()) {
        ASSERT_EQ(a.size(), b.size()) << where;
        for (std::size_t i = 0; i < a.size(); ++i) expect_equal(a[i], b[i], where + "." + std::to_string(i));
    } else if (a.is_number_float() && b.is_number()) {
        EXPECT_NEAR(a.get<double>(), b.get<double>(), 1e-9 * std::abs(a.get<double>())) << where;
    } else {
        EXPECT_EQ(a, b) << where;
    }
}

struct Shape {
    std::uint32_t island = 1, ranks = 0, slices = 1, channels = 1;
    bool hierarchical = false;
};

/// Islands of up to 8 ranks, 48 ranks at most in all.
Shape random_shape(Pick& pick) {
    Shape shape;
    shape.island = std::array{1u, 2u, 3u, 4u, 5u, 8u}[pick.below(6)];
    const std::uint32_t groups[] = {6, 8, 9, 10, 12, 15, 16};
    do shape.ranks = shape.island * groups[pick.below(7)];
    while (shape.ranks > 48);
    shape.slices = 1 + pick.below(3);
    shape.channels = pick.coin() ? 1 : 1 + pick.below(3);
    return shape;
}

std::string collective_of(Pick& pick, const Shape& shape, bool by_rails) {
    std::string text =
        "collective: {issue: " + pick.of({"lock_step", "dependency"}) + ", slices: " + std::to_string(shape.slices);
    if (shape.channels > 1)
        text += ", channels: " + std::to_string(shape.channels) + ", channel_order: " + pick.of({"same", "rotated"});
    if (shape.hierarchical) return text + ", kind: hierarchical, island: " + std::to_string(shape.island) + "}\n";
    if (by_rails || shape.channels > 1 || pick.coin())
        return text + ", kind: ring, all_gather_direction: " + pick.of({"forward", "reverse"}) + "}\n";
    return text + ", kind: " + pick.of({"reduce_scatter", "all_gather"}) + "}\n";
}

std::string topology_of(Pick& pick, const Shape& shape, bool rails) {
    return "topology: {kind: hierarchical, island: " + std::to_string(shape.island) +
           ", rails: " + (rails ? "true, spines: " + pick.of({"0", "1", "2"}) : "false") +
           ", island_link: {bandwidth: " + pick.of({"900Gbps", "3600Gbps"}) + "}}";
}

std::string network_of(Pick& pick) {
    return "packet: " + pick.of({"1KiB", "4KiB"}) + ", virtual_channels: " + pick.of({"1", "1", "2", "3", "4"}) +
           ", link: {bandwidth: " + pick.of({"25Gbps", "100Gbps", "400Gbps"}) +
           ", propagation: " + pick.of({"10ns", "500ns"}) + ", buffer: " + pick.of({"18KiB", "256KiB"}) +
           "}, switch: {latency: " + pick.of({"0ns", "300ns"}) +
           "}, routing: " + pick.of({"default", "{kind: shortest, seed: 7}", "spray"});
}

/// A machine, none of whose ranks differs from the others but for virtual channels.
std::string random_yaml(std::uint64_t seed) {
    Pick pick(seed);
    Shape shape = random_shape(pick);
    const bool islands = shape.island > 1 && pick.coin(), rails = islands && pick.coin(), port = islands && pick.coin();
    shape.hierarchical = rails || (shape.island > 1 && pick.coin());
    if (islands) shape.channels = std::min(shape.channels, shape.island);   // a NIC each
    const std::string fidelity = pick.of({"flit", "packet", "packet", "message", "message"});
    const std::uint32_t chunks = shape.ranks * shape.slices * shape.channels;
    const std::uint32_t values = 1 + pick.below(fidelity == "flit" ? 30 : pick.coin() ? 100 : 1000);
    std::string yaml = "ranks: " + std::to_string(shape.ranks) + "\nsize: " + std::to_string(4 * chunks * values) +
                       "B\nmethods: [" + pick.of({"fp32", "bf16", "fixed_point"}) + "]\nfidelity: " + fidelity + "\n";
    yaml += collective_of(pick, shape, rails);
    yaml +=
        "quantiser: {kind: per_tensor, agreement: " + std::string(rails ? "delayed" : pick.of({"exact", "delayed"})) +
        "}\n";
    yaml += "nic: {latency: " + pick.of({"0ns", "100ns", "1us"}) +
            ", message_latency: " + pick.of({"0ns", "333ps", "6700ns"}) + "}\n";
    yaml += "gpu: {kernels: " + pick.of({"bucket", "slice"}) + ", dma_latency: " + pick.of({"0ns", "700ns"}) +
            ", gradients: " + (port ? "codes" : pick.of({"codes", "fp32"})) +
            (port ? ", staging: " + pick.of({"nic", "gpu"}) : "") +
            (port ? ", island_port: {bandwidth: 900Gbps}" : "") + "}\n";
    return yaml + "network: {" + network_of(pick) + (islands ? ", " + topology_of(pick, shape, rails) : "") + "}\n";
}

/// Whether the pairs of ranks that share a link can meet in one of its virtual channels, or not.
bool shared_by_hash(const Parameters& p) {
    const auto problem = find_folding_problem(p);
    return problem && problem->key == "network.virtual_channels";
}

/// Compares machines until `compared` of them could be folded; of the others the virtual channels must be the reason.
class OfRandomMachines : public ::testing::TestWithParam<std::uint64_t> {};
TEST_P(OfRandomMachines, FoldedRanksTakeTheTimeOfAll) {
    constexpr std::uint64_t compared = 70;
    std::uint64_t folded = 0, refused = 0;
    for (std::uint64_t seed = 10 * compared * GetParam(); folded < compared; ++seed) {
        SCOPED_TRACE(random_yaml(seed));
        const File file(random_yaml(seed));
        const Parameters whole = file.load("never").parameters;
        if (shared_by_hash(whole)) {
            ++refused;
            continue;
        }
        ASSERT_LT(simulated_ranks(file.load("always").parameters), whole.ranks);
        expect_equal(file.methods("never"), file.methods("always"), std::to_string(seed));
        if (HasFailure()) return;
        ++folded;
    }
    RecordProperty("folded", std::to_string(folded));
    RecordProperty("refused", std::to_string(refused));
    EXPECT_LT(refused, folded);
}
INSTANTIATE_TEST_SUITE_P(Folding, OfRandomMachines, ::testing::Range(std::uint64_t{0}, std::uint64_t{30}));

/// Rings of NCCL turn like others, with the latencies and the lines of their protocol.
TEST(Folding, OfNcclsRingsTakesTheTimeOfAll) {
    const std::string star = "ranks: 12\n",
                      islands = "ranks: 24\nnetwork: {topology: {kind: hierarchical, island: 4, rails: false}}\n";
    for (const std::string& machine : {star, islands})
        for (const char* operation : {"all_reduce", "reduce_scatter", "all_gather"})
            for (const char* protocol : {"LL", "LL128", "Simple"}) {
                SCOPED_TRACE(machine + operation + protocol);
                const std::string gpu = machine == star
                                            ? "{staging: gpu}"
                                            : "{staging: gpu, gradients: codes, island_port: {latency: 2900ns}}";
                const File file("size: 960KiB\nmethods: [fp32]\nnic: {message_latency: 6700ns}\ngpu: " + gpu +
                                "\ncollective: {kind: nccl, algorithm: ring, operation: " + operation +
                                ", protocol: " + protocol + "}\n" + machine);
                const Parameters folded = file.load("always").parameters;
                ASSERT_LT(simulated_ranks(folded), folded.ranks);
                expect_equal(file.methods("never"), file.methods("always"), "methods");
            }
}

TEST(Folding, OfNcclsTreesIsRefused) {
    const File file(
        "ranks: 12\nsize: 960KiB\nmethods: [fp32]\nnic: {message_latency: 6700ns}\ngpu: {staging: gpu}\n"
        "collective: {kind: nccl, algorithm: tree}\n");
    EXPECT_THAT(testing::error_of<ConfigError>(file.folder, [&] { file.load("always"); }),
                HasSubstr("steps of tree differ from rank to rank; choose algorithm: ring"));
}

/// Of 12 ranks on a switch.
const std::string foldable = "ranks: 12\nsize: 48KiB\n", of_fp32 = "methods: [fp32]\n";

TEST(Folding, MultipliesTheEnergyOfAnAllReduce) {
    const File file(foldable + R"(methods: [fp32, bf16]
engine:
  technology:
    name: round
    node_nm: 10
    units: [{unit: value_adder, area: 100um2, energy_per_cycle: 100fJ, leakage: 100nW}]
    sram: {area_per_bit: 0.1um2, energy_per_bit: 10fJ/bit, leakage_per_bit: 1nW}
    derating:
      clock: {factor: 2, source: assumed}
      area: {factor: 1.5, source: assumed}
      energy: {factor: 1.25, source: assumed}
    link: {energy: 5pJ/bit, source: assumed}
    dma: {energy: 4pJ/bit, source: assumed}
    gpu_memory: {energy: 3pJ/bit, source: assumed}
)");
    const Json whole = file.methods("never"), folded = file.methods("always");
    ASSERT_GT(whole[0]["energy_dma_pj"].get<double>(), 0);
    ASSERT_GT(whole[0]["energy_reduce_pj"].get<double>(), 0);
    expect_equal(whole, folded, "methods");
}

TEST(Folding, IsOfTheFewestRanksThatDivideAllAndAreThreeGroups) {
    const auto ranks = [](const std::string& yaml) {
        return simulated_ranks(File(yaml + "methods: [fp32]\n").load("always").parameters);
    };
    EXPECT_EQ(ranks("ranks: 12\nsize: 48KiB\n"), 3u);
    EXPECT_EQ(ranks("ranks: 16384\nsize: 1GiB\n"), 4u);
    EXPECT_EQ(ranks("ranks: 35\nsize: 140KiB\n"), 5u);
    EXPECT_EQ(ranks("ranks: 96\nsize: 384KiB\ncollective: {kind: hierarchical, island: 8}\n"), 24u);
}

TEST(Folding, IsAutomaticFrom1024RanksOn) {
    const auto ranks = [](const std::string& yaml) {
        return simulated_ranks(File(yaml + "methods: [fp32]\n").load("automatic").parameters);
    };
    EXPECT_EQ(ranks("ranks: 1023\nsize: 4092B\n"), 1023u);
    EXPECT_EQ(ranks("ranks: 1024\nsize: 4096B\n"), 4u);
    EXPECT_EQ(ranks("ranks: 1024\nsize: 4100B\n"), 1024u);   // of unequal chunks
}

TEST(Folding, IsOfManyVirtualChannelsWhereALinkCarriesMessagesOfOnePairOfRanks) {
    const std::string channels = "methods: [fp32]\nnetwork: {virtual_channels: 4",
                      of_1024 = "ranks: 1024\nsize: 4MiB\n",
                      by_islands =
                          ", topology: {kind: hierarchical, island: 2}}\ncollective: {kind: hierarchical, island: ";
    const auto ranks = [](const std::string& yaml) { return simulated_ranks(File(yaml).load("automatic").parameters); };
    EXPECT_EQ(ranks(of_1024 + channels + "}\n"), 4u);
    EXPECT_EQ(ranks(of_1024 + channels + "}\ncollective: reduce_scatter\n"), 4u);
    EXPECT_EQ(ranks(of_1024 + channels + by_islands + "2}\n"), 8u);
    EXPECT_EQ(ranks(of_1024 + channels + "}\ncollective: {kind: hierarchical, island: 8}\n"), 1024u);
}

TEST(Folding, IsTold) {
    const Json report = File(foldable + of_fp32).report("always");
    EXPECT_THAT(report["notes"].dump(), HasSubstr("nothing distinguishes the 12 ranks, and 3 stand for all"));
    EXPECT_EQ(report["trace"]["ranks"], 12);
}

struct Different {
    std::string yaml, key, words;
};
class OfRanksThatDiffer : public ::testing::TestWithParam<Different> {};
TEST_P(OfRanksThatDiffer, FoldingIsRefusedByTheKeyThatDistinguishesThem) {
    const auto& [yaml, key, words] = GetParam();
    const File file(foldable + (yaml.find("methods") == std::string::npos ? of_fp32 : "") + yaml);
    const std::string error = testing::error_of<ConfigError>(file.folder, [&] { file.load("always"); });
    EXPECT_THAT(error, HasSubstr("folding: ranks cannot be folded, because of " + key + ": ")) << error;
    EXPECT_THAT(error, HasSubstr(words));
    EXPECT_EQ(simulated_ranks(file.load("automatic").parameters), 12u);
}
INSTANTIATE_TEST_SUITE_P(
    Folding, OfRanksThatDiffer,
    ::testing::Values(
        Different{"nodes: [{ranks: [3], nic: {latency: 5us}}]\n", "nodes", "leave them out"},
        Different{"jobs: [{ranks: [0-5]}, {ranks: [6-11]}]\n", "jobs", "leave them out"},
        Different{"start_jitter: 1us\n", "start_jitter", "leave it out"},
        Different{"network: {overrides: [{node: rank1, bandwidth: 1Gbps}]}\n", "network.overrides", "leave them out"},
        Different{"network: {background: {load: 0.1}}\n", "network.background", "leave it out"},
        Different{"network: {reliability: go_back_n, faults: {drop: 0.1}}\n", "network.faults", "leave them out"},
        Different{"network: {reliability: go_back_n}\n", "network", "leave out loss"},
        Different{"network: {topology: fat_tree}\n", "network.topology", "choose star or hierarchical"},
        Different{"network: {topology: {kind: star, nodes: 12}}\n", "network.topology.nodes", "leave it out"},
        Different{"network: {topology: {kind: hierarchical, island: 2}}\n", "network.topology.rails", "rails: false"},
        Different{"network: {topology: {kind: hierarchical, island: 8}}\n", "network.topology.island", "divisor of 12"},
        Different{"network: {topology: {kind: hierarchical, island: 2}}\ncollective: {kind: hierarchical, island: 1}\n",
                  "collective.island", "choose 2"},
        Different{"network: {topology: {kind: hierarchical, island: 2}}\ncollective: {kind: hierarchical, island: 2}\n"
                  "methods: [fixed_point]\nquantiser: {kind: per_tensor, agreement: exact}\n",
                  "quantiser.agreement", "choose delayed"},
        Different{"network: {virtual_channels: 2}\ncollective: {kind: hierarchical, island: 2}\n",
                  "network.virtual_channels", "messages of 2 pairs of ranks"},
        Different{"network: {virtual_channels: 4, topology: {kind: hierarchical, island: 4}}\n"
                  "collective: {kind: hierarchical, island: 4}\n",
                  "network.virtual_channels", "messages of 3 pairs of ranks"},
        Different{"network: {virtual_channels: 2}\ncollective: {kind: ring, all_gather_direction: reverse}\n",
                  "network.virtual_channels", "choose 1"},
        Different{"collective: direct\n", "collective", "choose ring"},
        Different{"collective: {kind: all_gather, shape: dissemination}\n", "collective", "shape: ring"},
        Different{"collective: {kind: ring, slices: 4, in_flight: 2}\n", "collective.in_flight", "choose 0"},
        Different{"collective: {kind: ring, slices: 5}\n", "size", "choose 48960B"},
        Different{"collective: {kind: hierarchical, island: 4}\n", "ranks", "at least 3"}));

TEST(Folding, IsOfNoExperimentWithATrace) {
    const test::Laboratory laboratory("ranks: 4\nfolding: always\n");
    EXPECT_THAT(laboratory.error(), HasSubstr("because of payload"));
}

}   // namespace
}   // namespace oscar::folding_test

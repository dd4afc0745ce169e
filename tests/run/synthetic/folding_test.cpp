// Folded ranks: a few of them do what each of all does, at the same time.
#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "sim/config/load.hpp"
#include "sim/parameters/folding.hpp"
#include "tests/run/laboratory.hpp"
#include "tests/run/own_process.hpp"

namespace oscar::folding_test {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

Json parsed(const std::string& text) {
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) throw std::runtime_error(text);
    return json;
}

struct File {
    explicit File(const std::string& yaml) : path(folder.write("exp.yaml", "payload: synthetic\n" + yaml)) {}
    Experiment load(const std::string& folding) const { return load_experiment(path, {"folding=" + folding}); }
    Json report(const std::string& folding) const {
        return parsed(test::in_own_process([&] { return to_json(oscar::run(load(folding), test::ignore)).dump(); }));
    }
    Json methods(const std::string& folding) const { return report(folding)["methods"]; }
    testing::TemporaryFolder folder;
    std::filesystem::path path;
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

class Pick {
public:
    explicit Pick(std::uint64_t seed) : random_(seed) {}
    std::string of(std::initializer_list<const char*> values) { return values.begin()[random_() % values.size()]; }
    std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(random_() % end); }
    bool coin() { return below(2) == 1; }

private:
    std::mt19937_64 random_;
};

struct Shape {
    std::uint32_t island = 1, ranks = 0, slices = 1, channels = 1;
    bool hierarchical = false;
};

std::string collective_of(Pick& pick, const Shape& shape, bool by_rails) {
    std::string text =
        "collective: {issue: " + pick.of({"lock_step", "dependency"}) + ", slices: " + std::to_string(shape.slices);
    if (shape.channels > 1)
        text += ", channels: " + std::to_string(shape.channels) +
                ", channel_order: " + (shape.hierarchical ? pick.of({"same", "rotated"}) : "same");
    if (shape.hierarchical) return text + ", kind: hierarchical, island: " + std::to_string(shape.island) + "}\n";
    if (by_rails || shape.channels > 1 || pick.coin())
        return text + ", kind: ring, all_gather_direction: " + pick.of({"forward", "reverse"}) + "}\n";
    return text + ", kind: " + pick.of({"reduce_scatter", "all_gather"}) + "}\n";
}

/// A machine none of whose ranks differs from the others, of at most 64.
std::string random_yaml(std::uint64_t seed) {
    Pick pick(seed);
    Shape shape;
    shape.island = std::array{1u, 2u, 4u, 8u}[pick.below(4)];
    const std::uint32_t groups[] = {6, 8, 9, 10, 12, 15, 16};
    do shape.ranks = shape.island * groups[pick.below(7)];
    while (shape.ranks > 64);
    shape.slices = 1 + pick.below(3);
    shape.channels = pick.coin() ? 1 : 1 + pick.below(3);
    const bool islands = shape.island > 1 && pick.coin(), rails = islands && pick.coin(), port = islands && pick.coin();
    shape.hierarchical = rails || (shape.island > 1 && pick.coin());
    const std::string fidelity = pick.of({"flit", "packet", "packet", "message", "message"});
    const std::uint32_t chunks = shape.ranks * shape.slices * shape.channels;
    const std::uint32_t values = 1 + pick.below(fidelity == "flit" ? 100 : 3000);
    std::string yaml = "ranks: " + std::to_string(shape.ranks) + "\nsize: " + std::to_string(4 * chunks * values) +
                       "B\nmethods: [" + pick.of({"fp32", "bf16", "fixed_point"}) + "]\nfidelity: " + fidelity + "\n";
    yaml += collective_of(pick, shape, rails);
    yaml +=
        "quantiser: {kind: per_tensor, agreement: " + std::string(rails ? "delayed" : pick.of({"exact", "delayed"})) +
        "}\n";
    yaml += "nic: {latency: " + pick.of({"0ns", "100ns", "1us"}) + "}\n";
    yaml += "gpu: {kernels: " + pick.of({"bucket", "slice"}) + ", dma_latency: " + pick.of({"0ns", "700ns"}) +
            ", gradients: " + (port ? "codes" : pick.of({"codes", "fp32"})) +
            (port ? ", island_port: {bandwidth: 900Gbps}" : "") + "}\n";
    yaml += "network: {packet: " + pick.of({"1KiB", "4KiB"}) +
            ", link: {bandwidth: " + pick.of({"25Gbps", "100Gbps", "400Gbps"}) +
            ", propagation: " + pick.of({"10ns", "500ns"}) + ", buffer: " + pick.of({"16KiB", "256KiB"}) +
            "}, switch: {latency: " + pick.of({"0ns", "300ns"}) + "}";
    if (islands)
        yaml += ", topology: {kind: hierarchical, island: " + std::to_string(shape.island) +
                ", rails: " + (rails ? "true" : "false") + "}";
    return yaml + "}\n";
}

class OfRandomMachines : public ::testing::TestWithParam<std::uint64_t> {};
TEST_P(OfRandomMachines, FoldedRanksTakeTheTimeOfAll) {
    constexpr std::uint64_t each = 25;
    for (std::uint64_t seed = each * GetParam(); seed < each * (GetParam() + 1); ++seed) {
        SCOPED_TRACE(random_yaml(seed));
        const File file(random_yaml(seed));
        ASSERT_LT(simulated_ranks(file.load("always").parameters), file.load("never").parameters.ranks);
        expect_equal(file.methods("never"), file.methods("always"), std::to_string(seed));
        if (HasFailure()) return;
    }
}
INSTANTIATE_TEST_SUITE_P(Folding, OfRandomMachines, ::testing::Range(std::uint64_t{0}, std::uint64_t{20}));

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

#include <gtest/gtest.h>

#include "sim/config/load.hpp"
#include "tests/config/sample.hpp"

namespace oscar::override_test {
namespace {

using sample::error_of;
using sample::Experiment;

/// The experiment in `yaml` after one --set.
Experiment with(std::string_view yaml, std::string_view assignment) {
    ConfigNode root = parse_config(yaml, "ring8.yaml");
    apply_override(root, assignment);
    return read_params<Experiment>(root);
}
std::string error_with(std::string_view yaml, std::string_view assignment) {
    return error_of([&] { with(yaml, assignment); });
}

TEST(Override, ReplacesOneValueAndKeepsItsNeighbours) {
    const Experiment e = with("network: {link: {bandwidth: 100Gbps, buffer: 1KiB}}", "network.link.bandwidth=200Gbps");
    EXPECT_EQ(e.network.link.bandwidth, (Bandwidth{200'000}));
    EXPECT_EQ(e.network.link.buffer, Bytes{1'024});
}

TEST(Override, CreatesTheMapsOnItsWay) {
    EXPECT_EQ(with("seed: 1", "network.link.buffer=1KiB").network.link.buffer, Bytes{1'024});
    EXPECT_EQ(with("network:", "network.link.buffer=1KiB").network.link.buffer, Bytes{1'024});
}

TEST(Override, TakesFlowMapsListsAndNull) {
    EXPECT_EQ(with("seed: 1", "network.link={buffer: 2KiB, bandwidth: 1Gbps}").network.link.buffer, Bytes{2'048});
    EXPECT_EQ(with("weights: [1]", "weights=[1, 2, 3]").weights, (std::vector<double>{1, 2, 3}));
    EXPECT_EQ(with("ranks: 16", "ranks=null").ranks, 8U);   // the default
}

TEST(Override, MergesMapsKeyByKeyAsAFileOverItsBases) {
    const Experiment e = with("network: {link: {bandwidth: 100Gbps, buffer: 1KiB}}", "network={link: {buffer: 2KiB}}");
    EXPECT_EQ(e.network.link.bandwidth, (Bandwidth{100'000}));
    EXPECT_EQ(e.network.link.buffer, Bytes{2'048});
    EXPECT_EQ(std::get<sample::Asc>(with("codec: {kind: asc, lanes: 8}", "codec={decay: 0.25}").codec.params).lanes,
              8U);
}

TEST(Override, OfAKindLeavesOutWhatTheNewKindDoesNotHave) {
    for (const char* assignment : {"codec.kind=raw", "codec={kind: raw}", "codec=raw"})
        EXPECT_EQ(with("codec: {kind: asc, lanes: 8}", assignment).codec.name(), "raw") << assignment;
    EXPECT_THROW(with("codec: {kind: asc, lane: 8}", "codec.kind=raw"), ConfigError);   // of no kind: misspelt
    EXPECT_THROW(with("codec: {kind: raw}", "codec.lanes=8"), ConfigError);             // written for this kind
}

TEST(Override, GivesAListAnew) {
    ConfigNode root = parse_config("weights: [1, 2]", "ring8.yaml");
    apply_override(root, "weights=[3]");
    EXPECT_EQ(root.child("weights").replaced, "");   // which is what it asks for
    EXPECT_EQ(read_params<Experiment>(root).weights, (std::vector<double>{3}));
}

TEST(Override, SplitsAtTheFirstEqualsSign) { EXPECT_EQ(with("seed: 1", "experiment=a=b").experiment, "a=b"); }

TEST(Override, NamesEntriesOfListsByIndex) {
    const std::string_view yaml = "methods: [raw, {kind: asc, lanes: 8}]";
    EXPECT_EQ(with(yaml, "methods.0=fixed_point").methods[0].name, "fixed_point");
    EXPECT_EQ(std::get<sample::Asc>(with(yaml, "methods.1.lanes=4").methods[1].codec.params).lanes, 4U);
    EXPECT_EQ(error_with(yaml, "methods.2=raw"),
              "--set methods.2=raw: methods: has no entry 2; it holds 2 (they count from 0)");
}

TEST(Override, MakesASingleValueTheKindOfAMap) {
    const Experiment e = with("codec: asc", "codec.lanes=32");
    EXPECT_EQ(e.codec.name(), "asc");
    EXPECT_EQ(std::get<sample::Asc>(e.codec.params).lanes, 32U);
    EXPECT_EQ(with("methods: [asc]", "methods.0.name=mine").methods[0].name, "mine");
    EXPECT_EQ(with("codec: asc", "codec.kind=raw").codec.name(), "raw");
}

TEST(Override, CanBeOverridden) {
    ConfigNode root = parse_config("seed: 1", "ring8.yaml");
    apply_override(root, "codec=asc");
    apply_override(root, "codec.lanes=2");
    apply_override(root, "codec.lanes=3");
    EXPECT_EQ(std::get<sample::Asc>(read_params<Experiment>(root).codec.params).lanes, 3U);
}

TEST(Override, IsThePlaceOfItsErrors) {
    EXPECT_EQ(
        error_with("seed: 1", "network.link.bandwidth=5Mbps"),
        "--set network.link.bandwidth=5Mbps: network.link.bandwidth: 5Mbps is out of range; choose 1Gbps to 10Tbps");
    EXPECT_EQ(error_with("seed: 1", "network.lnk.buffer=1KiB"),
              "--set network.lnk.buffer=1KiB: network.lnk: no such parameter (did you mean link?); known: link, trim");
    EXPECT_EQ(error_with("seed: 1", "network={link: {buffer: 1}}").substr(0, 72),
              "--set network={link: {buffer: 1}}: network.link.buffer: '1' lacks its un");
}

TEST(Override, LeavesThePlaceOfAKindInTheFile) {
    EXPECT_EQ(
        error_with("codec: asx", "codec.lanes=3"),
        "ring8.yaml:1:8: codec.kind: 'asx' is not known (did you mean asc?); choose one of raw, asc, fixed_point");
}

TEST(Override, RefusesWhatIsNoAssignment) {
    const std::string remedy = "; write it like --set network.link.bandwidth=400Gbps";
    EXPECT_EQ(error_with("seed: 1", "seed"), "--set seed: there is no '='" + remedy);
    EXPECT_EQ(error_with("seed: 1", "=3"), "--set =3: a key is empty" + remedy);
    EXPECT_EQ(error_with("seed: 1", "a..b=3"), "--set a..b=3: a key is empty" + remedy);
    EXPECT_EQ(error_with("seed: 1", "seed= "),
              "--set seed= : there is no value after '=' (null restores the default)" + remedy);
    EXPECT_EQ(
        error_with("seed: 1", "weights=[1, 2"),
        "--set weights=[1, 2: weights: a key must be a plain name; write it like bits: 8, and close each bracket");
    EXPECT_EQ(error_with("seed: 1", "experiment='a"),
              "--set experiment='a: experiment: is not YAML (illegal EOF in scalar); check brackets, quotes and "
              "indentation here");
    EXPECT_EQ(error_with("seed: 1", "seed=# 3"),
              "--set seed=# 3: there is no value after '=' (null restores the default)" + remedy);
}

TEST(Override, IsCutInErrorsWhereItIsLong) {
    const std::string text(60'000, 'x');
    for (const std::string& assignment :
         {text, "seed=" + text, text + "=1", "a..b=" + text, "network.link." + text + "=1", "seed='" + text,
          "experiment=[" + text + "]"}) {
        const std::string error = error_with("seed: 1", assignment);
        EXPECT_EQ(error.substr(0, 6), "--set ");
        EXPECT_LT(error.size(), 700U) << error.substr(0, 200);
    }
}

/// `setting` of s.yaml put at `path` of an experiment.
Experiment with_value(std::string_view path, std::string_view setting) {
    ConfigNode root = parse_config("network: {link: {bandwidth: 100Gbps}}", "ring8.yaml");
    set_value(root, path, parse_config(setting, "s.yaml").children.at(0));
    return read_params<Experiment>(root);
}

TEST(SetValue, PutsSingleValuesAndMapsAtAPath) {
    EXPECT_EQ(with_value("network.link.bandwidth", "value: 1Gbps").network.link.bandwidth, (Bandwidth{1'000}));
    EXPECT_EQ(with_value("network.link", "value: {buffer: 1KiB}").network.link.buffer, Bytes{1'024});
}

TEST(SetValue, KeepsThePlaceOfTheValueAndGivesItThePathOfItsNewOne) {
    EXPECT_EQ(error_of([] { with_value("network.link.bandwidth", "value: 1"); }).substr(0, 39),
              "s.yaml:1:8: network.link.bandwidth: '1'");
    EXPECT_EQ(error_of([] { with_value("network.link", "value: {buffer: x}"); }).substr(0, 37),
              "s.yaml:1:17: network.link.buffer: 'x'");
}

}   // namespace
}   // namespace oscar::override_test

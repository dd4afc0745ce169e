#include "sim/config/read.hpp"

#include <gtest/gtest.h>

#include "tests/config/sample.hpp"

namespace oscar::read_test {
namespace {

using namespace literals;
using sample::Asc;
using sample::error_in;
using sample::Experiment;
using sample::parse;

TEST(ReadParams, KeepsTheDefaultsOfWhatIsNotNamed) {
    EXPECT_EQ(parse("seed: 1"), Experiment{});
    EXPECT_EQ(parse("ranks:\nnetwork: {link: null}\ncodec: ~\nmethods:\nexperiment:"), Experiment{});
    EXPECT_EQ(read_params<Experiment>(ConfigNode{}), Experiment{});
}

TEST(ReadParams, ReadsSingleValuesOfEveryType) {
    const Experiment e = parse(
        "{experiment: ring8, ranks: 16, seed: 18446744073709551615, offset: -5, clock: 1.41GHz, issue: lock_step,"
        " network: {trim: true, link: {bandwidth: 1Tbps, propagation: 2us, buffer: 1MiB}}, limit: 9}");
    EXPECT_EQ(e.experiment, "ring8");
    EXPECT_EQ(e.ranks, 16U);
    EXPECT_EQ(e.seed, ~0ULL);
    EXPECT_EQ(e.offset, -5);
    EXPECT_EQ(e.clock, 1'410_MHz);
    EXPECT_EQ(e.issue, sample::Issue::lock_step);
    EXPECT_TRUE(e.network.trim);
    EXPECT_EQ(e.network.link, (sample::Link{1'000_Gbps, 2_us, 1_MiB}));
    EXPECT_EQ(e.limit, 9U);
}

TEST(ReadParams, ReadsListsOfNumbersAndOfMaps) {
    EXPECT_EQ(parse("weights: [1, 0.5, -1e-3]").weights, (std::vector<double>{1, 0.5, -1e-3}));
    EXPECT_TRUE(parse("weights: []").weights.empty());
    const Experiment e = parse("links:\n  - {buffer: 1KiB}\n  - {}\n");
    ASSERT_EQ(e.links.size(), 2U);
    EXPECT_EQ(e.links[0].buffer, 1_KiB);
    EXPECT_EQ(e.links[1], sample::Link{});
}

TEST(ReadParams, TakesNullForAnOptionalAsNone) {
    EXPECT_EQ(parse("limit: null").limit, std::nullopt);
    EXPECT_EQ(parse("seed: 1").limit, 7U);
}

TEST(ReadKind, TakesANameOrAMap) {
    EXPECT_EQ(parse("codec: raw").codec.name(), "raw");
    EXPECT_EQ(parse("codec: {kind: fixed_point}").codec.name(), "fixed_point");   // shares its parameters with raw
    EXPECT_EQ(std::get<Asc>(parse("codec: {kind: asc, lanes: 4}").codec.params), (Asc{4, 0.5}));
}

TEST(ReadKind, KeepsTheDefaultKindAndItsParametersIfNoneIsNamed) {
    EXPECT_EQ(std::get<Asc>(parse("codec: {decay: 0.25}").codec.params), (Asc{16, 0.25}));
    EXPECT_EQ(std::get<Asc>(parse("codec: asc").codec.params), (Asc{16, 0.5}));
    EXPECT_EQ(parse("methods: [{name: first}]").methods[0].codec.name(), "raw");   // the first of the list
}

TEST(ReadKind, LetsAnOverloadOfAnotherNamespaceAddKeys) {
    const Experiment e = parse("methods: [raw, {kind: asc, lanes: 4, name: narrow}]");
    ASSERT_EQ(e.methods.size(), 2U);
    EXPECT_EQ(e.methods[0], (sample::Method{"raw", {}}));
    EXPECT_EQ(e.methods[1], (sample::Method{"narrow", Asc{4, 0.5}}));
    EXPECT_EQ(
        error_in("methods:\n  - {kind: asc, nam: narrow}"),
        "ring8.yaml:2:17: methods.0.nam: no such parameter (did you mean name?); known: decay, kind, lanes, name");
}

TEST(ReadErrors, NameTheNearestOfTheKnownKeys) {
    EXPECT_EQ(error_in("seed: 1\nnetwork:\n  link:\n    bandwith: 5Gbps\n"),
              "ring8.yaml:4:5: network.link.bandwith: no such parameter (did you mean bandwidth?); "
              "known: bandwidth, buffer, propagation");
    EXPECT_EQ(error_in("network: {colour: red}"),
              "ring8.yaml:1:11: network.colour: no such parameter; known: link, trim");
    EXPECT_EQ(error_in("network: {kind: star}"), "ring8.yaml:1:11: network.kind: no such parameter; known: link, trim");
}

TEST(ReadErrors, ShowTheLegalRangeWithUnits) {
    EXPECT_EQ(error_in("network:\n  link:\n    bandwidth: 5Mbps\n"),
              "ring8.yaml:3:16: network.link.bandwidth: 5Mbps is out of range; choose 1Gbps to 10Tbps");
    EXPECT_EQ(error_in("ranks: 1"), "ring8.yaml:1:8: ranks: 1 is out of range; choose 2 to 4096");
    EXPECT_EQ(error_in("ranks: 4097"), "ring8.yaml:1:8: ranks: 4097 is out of range; choose 2 to 4096");
    EXPECT_EQ(error_in("offset: -129"), "ring8.yaml:1:9: offset: -129 is out of range; choose -128 to 127");
    EXPECT_EQ(error_in("codec: {decay: 1.5}"), "ring8.yaml:1:16: codec.decay: 1.5 is out of range; choose 0 to 1");
    EXPECT_EQ(error_in("limit: 0"), "ring8.yaml:1:8: limit: 0 is out of range; choose 1 to 100");
    EXPECT_EQ(error_in("clock: 20GHz"), "ring8.yaml:1:8: clock: 20GHz is out of range; choose 1MHz to 10GHz");
}

TEST(ReadErrors, IncludeNeitherEndOfARange) {
    EXPECT_EQ(parse("ranks: 2").ranks, 2U);
    EXPECT_EQ(parse("ranks: 4096").ranks, 4096U);
    EXPECT_EQ(parse("ranks: 1e3").ranks, 1000U);
    EXPECT_EQ(parse("network: {link: {bandwidth: 1e2Gbit/s}}").network.link.bandwidth, 100_Gbps);
    EXPECT_EQ(parse("network: {link: {bandwidth: 10Tbps}}").network.link.bandwidth, 10'000_Gbps);
}

TEST(ReadErrors, NameTheRangeOfTheParameterWhereAWordOrAWrongNumberIsNoWholeNumber) {
    const auto error = [](std::string_view text) {
        return "ring8.yaml:1:8: ranks: '" + std::string(text) +
               "' is no whole number from 2 to 4096; write digits, like 64";
    };
    for (const char* text : {"3.5", "-1", "4294967296", "many", "1e10", "1e-1", "0x10", "8 ranks", "+8", "8.0"})
        EXPECT_EQ(error_in("ranks: " + std::string(text)), error(text));
    EXPECT_EQ(error_in("ranks: \"\""), error(""));
    EXPECT_EQ(error_in("seed: 18446744073709551616"),
              "ring8.yaml:1:7: seed: '18446744073709551616' is no whole number from 0 to 18446744073709551615; "
              "write digits, like 64");
    EXPECT_EQ(error_in("offset: 2147483648"),
              "ring8.yaml:1:9: offset: '2147483648' is no whole number from -128 to 127; "
              "write digits, like 64");
}

TEST(ReadErrors, NameTheRangeOfAnOptionalWholeNumber) {
    EXPECT_EQ(error_in("limit: many"),
              "ring8.yaml:1:8: limit: 'many' is no whole number from 1 to 100; write digits, like 64");
    EXPECT_EQ(parse("limit: 5").limit, 5U);
}

struct Quantised {
    std::uint32_t bits = 8;
    static constexpr auto fields() { return Entries{field("bits", &Quantised::bits, "of a code", 2, 16)}; }
};

TEST(ReadErrors, GiveAnExampleWithinTheRange) {
    try {
        read_params<Quantised>(parse_config("bits: many", "codes.yaml"));
        FAIL() << "was read";
    } catch (const ConfigError& error) {
        EXPECT_STREQ(error.what(),
                     "codes.yaml:1:7: bits: 'many' is no whole number from 2 to 16; write digits, like 16");
    }
}

TEST(ReadErrors, NameTheKindsThatKnowAParameterWhereNoKindIsNamed) {
    EXPECT_EQ(error_in("methods: [{lanes: 4}]"),
              "ring8.yaml:1:12: methods.0.lanes: belongs to asc, but its map has no kind, which makes it raw; "
              "write kind: asc beside it");
    EXPECT_EQ(error_in("methods: [{lane: 4}]"),
              "ring8.yaml:1:12: methods.0.lane: no such parameter; known: kind, name");
    EXPECT_EQ(error_in("methods: [{kind: raw, lanes: 4}]"),
              "ring8.yaml:1:23: methods.0.lanes: no such parameter; known: kind, name");
}

TEST(ReadErrors, RefuseWhatIsNoFiniteNumber) {
    for (const char* text : {"nan", ".nan", "inf", "-.inf", "1e999", "half", "1,5", "50%"})
        EXPECT_EQ(
            error_in("weights: [1, " + std::string("\"") + text + "\"]"),
            "ring8.yaml:1:14: weights.1: '" + std::string(text) + "' is no finite number; write it like 0.5 or 1e-3");
}

TEST(ReadErrors, RefuseTruthsThatAreNotSpelledOut) {
    for (const char* text : {"yes", "True", "1", "on"})
        EXPECT_EQ(error_in("network: {trim: " + std::string(text) + "}"),
                  "ring8.yaml:1:17: network.trim: '" + std::string(text) +
                      "' is neither true nor false; write true or false");
}

TEST(ReadErrors, ShowHowToWriteAQuantity) {
    EXPECT_EQ(error_in("network: {link: {bandwidth: 400}}"),
              "ring8.yaml:1:29: network.link.bandwidth: '400' lacks its unit (Mbps Gbps Tbps Mbit/s Gbit/s Tbit/s MBps "
              "GBps MB/s GB/s); "
              "write it like 400Gbps");
    EXPECT_EQ(error_in("network: {link: {propagation: 5}}"),
              "ring8.yaml:1:31: network.link.propagation: '5' lacks its unit (ps ns us ms s); write it like 500ns");
    EXPECT_EQ(error_in("network: {link: {buffer: [1KiB]}}"),
              "ring8.yaml:1:26: network.link.buffer: is a list, but a single value is due; write it like 64KiB");
    EXPECT_EQ(error_in("clock: {kind: fast}"),
              "ring8.yaml:1:8: clock: is a map, but a single value is due; write it like 1GHz");
}

TEST(ReadErrors, ListChoicesAndKinds) {
    EXPECT_EQ(error_in("issue: lockstep"),
              "ring8.yaml:1:8: issue: 'lockstep' is not known (did you mean lock_step?); choose one of lock_step, "
              "dependency");
    EXPECT_EQ(error_in("issue: Dependency"),
              "ring8.yaml:1:8: issue: 'Dependency' is not known (did you mean dependency?); "
              "choose one of lock_step, dependency");
    EXPECT_EQ(error_in("codec: zip"), "ring8.yaml:1:8: codec: 'zip' is not known; choose one of raw, asc, fixed_point");
    EXPECT_EQ(
        error_in("codec: {kind: ascc}"),
        "ring8.yaml:1:15: codec.kind: 'ascc' is not known (did you mean asc?); choose one of raw, asc, fixed_point");
    EXPECT_EQ(error_in("codec: {kind: [asc]}"),
              "ring8.yaml:1:15: codec.kind: is a list, but a single value is due; write it like raw");
}

TEST(ReadErrors, RefuseParametersOfAnotherKind) {
    EXPECT_EQ(error_in("codec: {kind: raw, lanes: 4}"), "ring8.yaml:1:20: codec.lanes: no such parameter; known: kind");
}

TEST(ReadErrors, TellWhatFormIsDue) {
    EXPECT_EQ(error_in("network: star"),
              "ring8.yaml:1:10: network: is a single value, but a map of parameters is due; known: link, trim");
    EXPECT_EQ(error_in("codec: [asc]"),
              "ring8.yaml:1:8: codec: is a list, but a map of parameters is due; known: decay, kind, lanes");
    EXPECT_EQ(error_in("methods: raw"),
              "ring8.yaml:1:10: methods: is a single value, but a list is due; write it like [first, second]");
    EXPECT_EQ(error_in("weights: [1, ~]"), "ring8.yaml:1:14: weights.1: is empty; write a value or remove the entry");
    EXPECT_EQ(error_in("[1, 2]").substr(0, 62), "ring8.yaml:1:1: is a list, but a map of parameters is due; kno");
    EXPECT_EQ(error_in("experiment: [a]"),
              "ring8.yaml:1:13: experiment: is a list, but a single value is due; write it like \"some text\"");
}

TEST(ReadErrors, TellWhichRequiredKeyIsMissing) {
    const ConfigNode root = parse_config("seed: 1\ntrace:\n", "ring8.yaml");
    EXPECT_NO_THROW(require_keys(root, {"seed"}));
    EXPECT_EQ(sample::error_of([&] {
                  require_keys(root, {"seed", "trace"});
              }),
              "ring8.yaml:2:1: trace: is missing; write trace: VALUE");
    EXPECT_EQ(sample::error_of([&] { require_keys(root, {"ranks"}); }),
              "ring8.yaml:1:1: ranks: is missing; write ranks: VALUE");
}

TEST(ReadErrors, CutLongTexts) { EXPECT_LT(error_in("ranks: " + std::string(100'000, 'x')).size(), 300U); }

}   // namespace
}   // namespace oscar::read_test

#include "sim/commands/families.hpp"

#include <gmock/gmock.h>

#include <map>
#include <sstream>
#include <string>

#include "models/compressor/compressors.hpp"
#include "sim/commands/prediction.hpp"
#include "sim/config/error.hpp"
#include "sim/generator/model.hpp"
#include "sim/parameters/parameters.hpp"

namespace oscar::families_test {
namespace {

using ::testing::HasSubstr;

/// Whether a line of `text` begins, after spaces, with the word `key`.
bool has_row(const std::string& text, std::string_view key) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string word;
        if (words >> word && word == key) return true;
    }
    return false;
}

std::string error_of(std::string_view family, std::string_view kind) {
    try {
        describe(family, kind, 110);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

/// All keys of P stand in `text`, nested ones behind those of their owners.
template <FieldTable P>
void expect_keys(const std::string& text, const std::string& prefix = "") {
    for_each_field<P>([&]<class Owner, class T>(const Field<Owner, T>& field) {
        const std::string key = prefix + std::string(field.key);
        if constexpr (FieldTable<T>) expect_keys<T>(text, key + ".");
        else EXPECT_TRUE(has_row(text, key)) << key << " in\n" << text;
    });
}

template <class List>
void expect_family(std::string_view family, const List& list) {
    std::string names;
    for_each_kind(list, [&]<class P>(const Kind<P>& kind) {
        SCOPED_TRACE(std::string(family) + " " + std::string(kind.name));
        names += (names.empty() ? "" : ", ") + std::string(kind.name);
        EXPECT_TRUE(has_row(describe(family, "", 110), kind.name));
        expect_keys<P>(describe(family, "", 110));
        const std::string one = describe(family, kind.name, 300);
        EXPECT_EQ(one.find(std::string(kind.name) + ": " + std::string(kind.meaning) + "\n"), 0u) << one;
        expect_keys<P>(one);
    });
    EXPECT_EQ(error_of(family, "zzzzzzzz"), "describe: no kind 'zzzzzzzz'; known: " + names);
}

template <FieldTable P>
void expect_parameters(std::string_view family) {
    SCOPED_TRACE(family);
    expect_keys<P>(describe(family, "", 110));
    EXPECT_THAT(error_of(family, "x"), HasSubstr("has parameters but no kinds; leave 'x' out"));
}

TEST(Describe, NamesEachKindOfAFamilyWithEachOfItsKeys) {
    expect_family("codec", codecs);
    expect_family("quantiser", quantisers);
    expect_family("compressor", lossy_kinds);
    expect_family("chunks", chunk_kinds);
    expect_family("collective", collectives);
    expect_family("topology", topologies);
    expect_family("routing", routings);
    expect_family("predictor", predictors);
    expect_family("flow_control", flow_controls);
    expect_family("congestion", congestion_controls);
    expect_family("reliability", reliabilities);
    expect_family("switch_architecture", switch_architectures);
    expect_family("background_pattern", traffic_patterns);
}

TEST(Describe, NamesEachKeyOfAParameterSet) {
    expect_parameters<Parameters>("experiment");
    expect_parameters<NetworkParams>("network");
    expect_parameters<LinkParams>("link");
    expect_parameters<LossParams>("loss");
    expect_parameters<BackgroundParams>("background");
    expect_parameters<SwitchParams>("switch");
    expect_parameters<EngineParams>("engine");
    expect_parameters<NicParams>("nic");
    expect_parameters<GpuParams>("gpu");
    expect_parameters<StepParams>("step");
    expect_parameters<FaultParams>("faults");
    expect_parameters<WaveformParams>("waveform");
    expect_parameters<PredictionParams>("prediction");
    expect_parameters<LayerParams>("generator");
}

TEST(Describe, ShowsOneKindWithoutTheOthers) {
    EXPECT_FALSE(has_row(describe("quantiser", "max", 110), "percentile"));
    EXPECT_TRUE(has_row(describe("quantiser", "percentile", 110), "percentile"));
    EXPECT_THAT(describe("chunks", "round_robin", 110), HasSubstr("256"));   // a default
    EXPECT_THAT(describe("codec", "asc", 110), HasSubstr("0 to 64"));        // a range
    EXPECT_THAT(describe("codec", "atalanta", 110), HasSubstr("inline"));    // a choice
    EXPECT_THAT(describe("link", "", 110), HasSubstr("400Gbps"));
}

TEST(Describe, NamesAllMethodsAndTheKeysOfAPublishedOne) {
    for_each_kind(method_kinds, [](const auto& kind) { EXPECT_TRUE(has_row(describe("method", "", 110), kind.name)); });
    const std::string text = describe("method", "oscar_hw", 300);
    EXPECT_THAT(text, HasSubstr("oscar_hw: OSCAR-HW"));
    EXPECT_THAT(text, HasSubstr("{kind: asc, split: context, adapt: symbol, chunks: {kind: greedy}, classes: "));
    std::istringstream lines(text);
    std::map<std::string, std::string> defaults;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string key;
        words >> key >> defaults[key];
    }
    EXPECT_EQ(defaults["adapt"], "symbol");
    EXPECT_EQ(defaults["chunks"], "greedy");
    EXPECT_EQ(defaults["classes"], "mixed");
    EXPECT_EQ(defaults["split"], "context");
}

TEST(Describe, ListsAllFamiliesWithTheirPlaceInAnExperiment) {
    const std::string list = describe("", "", 110);
    for (const char* family : {"experiment",
                               "codec",
                               "quantiser",
                               "compressor",
                               "chunks",
                               "step",
                               "collective",
                               "topology",
                               "routing",
                               "switch_architecture",
                               "congestion",
                               "reliability",
                               "loss",
                               "network",
                               "link",
                               "switch",
                               "engine",
                               "nic",
                               "gpu",
                               "traffic",
                               "prediction",
                               "predictor",
                               "generator",
                               "background",
                               "flow_control",
                               "background_pattern",
                               "faults",
                               "waveform",
                               "timeline_window"}) {
        EXPECT_TRUE(has_row(list, family)) << family;
        EXPECT_NE(describe(family, "", 110), "");
    }
    EXPECT_THAT(list, HasSubstr("network.topology"));
}

TEST(Describe, NamesTheKnownFamiliesAndTheNearestOne) {
    EXPECT_EQ(error_of("codex", ""),
              "describe: no family 'codex' (did you mean codec?); known: experiment, method, codec, quantiser, "
              "compressor, chunks, "
              "split, classes, step, collective, topology, routing, flow_control, congestion, reliability, loss, "
              "faults, background, background_pattern, network, link, switch, switch_architecture, waveform, "
              "timeline_window, engine, nic, gpu, traffic, grid, "
              "router, "
              "pattern, prediction, predictor, report, generator, part, machine");
    EXPECT_EQ(error_of("codec", "acs").find("describe: no kind 'acs'"), 0u);
    EXPECT_THAT(error_of("topology", "stars"), HasSubstr("(did you mean star?); known: star, ring, mesh"));
    EXPECT_THAT(error_of("nothing", "asc"), HasSubstr("no family 'nothing'"));
}

TEST(Describe, PrintsTheStatisticsOfAReport) {
    const std::string text = describe("report", "", 110);
    for (const char* key : {"allreduce_ps", "sums_match_reference", "wall_s", "exposed_share", "p99_completion_ps"})
        EXPECT_TRUE(has_row(text, key)) << key;
    EXPECT_THAT(error_of("report", "x"), HasSubstr("'report' has no kinds"));
}

}   // namespace
}   // namespace oscar::families_test

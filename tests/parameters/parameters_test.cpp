#include "sim/parameters/parameters.hpp"

#include <gmock/gmock.h>

#include <sstream>

#include "sim/config/load.hpp"
#include "sim/config/read.hpp"
#include "sim/describe/echo.hpp"
#include "sim/parameters/method_names.hpp"
#include "tests/trace/trace_folder.hpp"

namespace oscar::parameters_test {
namespace {

using ::testing::HasSubstr;

Method method_of(std::string_view yaml) {
    Method method;
    read(parse_config(yaml, "m.yaml"), method);
    return method;
}

TEST(Method, IsTheNameOfACodec) {
    const Method method = method_of("asc");
    EXPECT_EQ(method.name, "asc");
    EXPECT_EQ(std::get<AscParams>(method.codec.params).history, AscParams{}.history);
}

TEST(Method, IsAMapOfKindParametersAndName) {
    const Method method = method_of("{kind: atalanta, table: inline, name: mine}");
    EXPECT_EQ(method.name, "mine");
    EXPECT_EQ(std::get<AtalantaParams>(method.codec.params).table, AtalantaTable::sent_inline);
}

TEST(Method, IsNamedAfterItsKindUnlessItHasAName) {
    EXPECT_EQ(method_of("{kind: asc, history: 3}").name, "asc");
    for_each_kind(codecs, [](const auto& kind) { EXPECT_EQ(method_of(kind.name).name, kind.name); });
}

TEST(Method, RefusesAnEmptyNameAndUnknownKeysAndKinds) {
    const testing::TemporaryFolder none;
    const auto error = [&](std::string_view yaml) {
        return testing::error_of<ConfigError>(none, [&] { method_of(yaml); });
    };
    EXPECT_EQ(error("{kind: asc, name: ''}").find("m.yaml:1:1: "), 0u);
    EXPECT_THAT(error("{kind: asc, name: ''}"), HasSubstr("a method's name is empty"));
    EXPECT_EQ(error("{kind: asc, nam: x}").find("m.yaml:1:13: nam: no such parameter (did you mean name?)"), 0u);
    EXPECT_THAT(error("{kind: fp32, history: 3}"), HasSubstr("history: no such parameter"));
    EXPECT_THAT(error("gzip"), HasSubstr("fp32, bf16, fp8, fixed_point, atalanta, asc"));
}

TEST(Method, GoesThroughJsonAndBackUnchanged) {
    std::vector<Method> methods{{"a", AscParams{5}}, {"b", AtalantaParams{AtalantaTable::sent_inline}}};
    for_each_kind(codecs, [&]<class P>(const Kind<P>&) { methods.push_back({"some name: {", P{}}); });
    for (const Method& method : methods) {
        const Method again = method_of(to_json(method).dump());
        EXPECT_EQ(again.name, method.name);
        EXPECT_EQ(to_json(again), to_json(method));
    }
    EXPECT_EQ(to_json(methods[0]).dump(),
              R"({"kind":"asc","history":5,"table_source":"per_link","table_sharing":"each","scaling":"sqrt",)"
              R"("scale_jump":"keep","layout":"magnitude","adapt":"none","adapt_interval":16,"adapt_window":256,)"
              R"("adapt_quick":4,"name":"a"})");
}

TEST(Method, OfAPresetIsTheCodecWithItsFiveKeys) {
    const auto echo = to_json(method_of("oscar_hw"));
    EXPECT_EQ(echo, to_json(method_of("{kind: asc, split: context, adapt: symbol, chunks: greedy, classes: mixed, "
                                      "name: oscar_hw}")));
    EXPECT_EQ(echo["kind"], "asc");
    EXPECT_EQ(echo["adapt"], "symbol");
    EXPECT_EQ(echo["name"], "oscar_hw");
}

TEST(Method, OfAPresetKeepsItsKeysButForThoseThatAreWritten) {
    const Method method =
        method_of("{kind: oscar_hw, name: mine, chunks: {block: 16}, split: physical, classes: null, history: 3}");
    EXPECT_EQ(method.name, "mine");
    EXPECT_EQ(std::get<GreedyParams>(method.chunks->params).block, 16u);   // greedy as before, with another block
    EXPECT_EQ(method.split->name(), "physical");
    EXPECT_EQ(method.classes.has_value(), false);   // the experiment's
    EXPECT_EQ(std::get<AscParams>(method.codec.params).history, 3u);
    EXPECT_EQ(std::get<AscParams>(method.codec.params).adapt, Update::symbol);
    EXPECT_EQ(method_of("{kind: oscar_hw, chunks: predicted}").chunks->name(), "predicted");
}

TEST(Method, OfAPresetRefusesWrongKeysWhereTheyAreWritten) {
    const testing::TemporaryFolder none;
    const auto error = [&](std::string_view yaml) {
        return testing::error_of<ConfigError>(none, [&] { method_of(yaml); });
    };
    EXPECT_EQ(error("{kind: oscar_hw, histroy: 3}").find("m.yaml:1:18: histroy: no such parameter (did you mean hist"),
              0u);
    EXPECT_THAT(error("{kind: oscar_hw, chunks: {blocks: 3}}"), HasSubstr("m.yaml:1:27: chunks.blocks: no such"));
}

TEST(Method, IsFoundByItsMisspellingsAndByTheWordsOfOthers) {
    const testing::TemporaryFolder none;
    const auto expect_hint = [&](std::string_view wrong, std::string_view hint) {
        const std::string error = testing::error_of<ConfigError>(none, [&] { method_of(wrong); });
        EXPECT_THAT(error,
                    HasSubstr("'" + std::string(wrong) + "' is not known (did you mean " + std::string(hint) + "?)"));
    };
    for (const char* wrong : {"oscar-hw", "OSCAR", "oscarhw", "OSCAR_HW", "oscar"}) expect_hint(wrong, "oscar_hw");
    for (const char* wrong : {"int8", "INT4"}) expect_hint(wrong, "fixed_point");
    for (const char* wrong : {"signs", "sign"}) expect_hint(wrong, "one_bit");
    expect_hint("sign_sgd", "one_bit or sign_vote");
    expect_hint("fp16", "bf16");
    for (const char* wrong : {"e5m2", "E4M3", "float8"}) expect_hint(wrong, "fp8");
}

TEST(Method, MeantByAWordOfOthersIsAMethod) {
    for (const Synonym& synonym : method_synonyms) {
        std::istringstream names{std::string(synonym.name)};   // "one_bit or sign_vote"
        for (std::string name; names >> name;) {
            if (name != "or") {
                EXPECT_NO_THROW(method_of(name)) << synonym.word;
            }
        }
        EXPECT_EQ(method_meant_by(synonym.word), synonym.name);
    }
    EXPECT_EQ(method_meant_by("asc"), "");
}

Experiment with_technology(std::string_view technology) {
    const std::string yaml = "{size: 6B, engine: {lanes: 8, technology: " + std::string(technology) + "}}";
    return read_experiment(parse_config(yaml, "e.yaml"), "e.yaml");
}

TEST(ReadExperiment, TakesTheTechnologyOfAName) {
    for (const char* name : {"asap7", "osu018", "sg13g2"}) {
        const Experiment named = with_technology(name);
        const auto file = load_config("configs/technologies/" + std::string(name) + ".yaml");
        EXPECT_EQ(named.parameters.engine.technology,
                  read_params<Technology>(file.child("engine").child("technology")));
        EXPECT_EQ(named.parameters.engine.technology->name, name);
        EXPECT_EQ(named.parameters.engine.lanes, 8u);
    }
}

TEST(ReadExperiment, TakesOtherFiguresOverThoseOfANamedTechnology) {
    const auto changed = with_technology("{kind: asap7, link: {energy: 3pJ/bit}}").parameters.engine.technology;
    auto expected = with_technology("asap7").parameters.engine.technology;
    EXPECT_NE(expected->link.energy, EnergyPerBit{3});
    expected->link.energy = EnergyPerBit{3};
    EXPECT_EQ(changed, expected);
    EXPECT_EQ(with_technology("{name: mine, node_nm: 3}").parameters.engine.technology->units.size(), 0u);
}

TEST(ReadExperiment, RefusesAnUnknownTechnologyWithTheKnownOnes) {
    const testing::TemporaryFolder none;
    for (const char* wrong : {"asap8", "{kind: asap8}"})
        EXPECT_THAT(
            testing::error_of<ConfigError>(none, [&] { with_technology(wrong); }),
            HasSubstr("'asap8' is no technology (did you mean asap7?); choose one of asap7, osu018, sg13g2, or"));
}

TEST(ReadExperiment, TakesWhatIsWrittenWithoutAsking) {
    const Experiment experiment = read_experiment(parse_config("{size: 6B, methods: [asc]}", "e.yaml"), "e.yaml");
    EXPECT_EQ(experiment.parameters.experiment, "e");
    EXPECT_EQ(experiment.parameters.size, 6_B);
}

TEST(Resolve, FillsInTheSizeOfFlowsTheNodesAndTheJobs) {
    Experiment experiment = read_experiment(
        parse_config(
            "{payload: synthetic, collective: {kind: flows, flows: [{from: 0, to: 1, bytes: 8B}, {from: 1, to: 0, "
            "bytes: 4B}]}, gpu: {launch: 5us}, nodes: [{ranks: [1], nic: {adders: 3}}], "
            "jobs: [{ranks: [0-1]}, {ranks: [2-3], name: b, size: 4B}]}",
            "e.yaml"),
        "e.yaml");
    resolve(experiment);
    const Parameters& p = experiment.parameters;
    EXPECT_EQ(p.size, 12_B);
    EXPECT_EQ(p.nodes[0].gpu.launch, 5_us);
    EXPECT_EQ(p.nodes[0].nic.adders, 3u);
    EXPECT_EQ(p.jobs[0].name, "job0");
    EXPECT_EQ(p.jobs[0].size, 12_B);
    EXPECT_EQ(p.jobs[1].size, 4_B);
    EXPECT_EQ(p.jobs[1].collective->name(), "flows");
}

}   // namespace
}   // namespace oscar::parameters_test

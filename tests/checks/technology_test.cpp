#include "sim/checks/technology.hpp"

#include <gmock/gmock.h>

#include "sim/checks/load_experiment.hpp"
#include "sim/config/load.hpp"
#include "sim/describe/echo.hpp"
#include "tests/trace/trace_folder.hpp"

namespace oscar::technology_test {
namespace {

using ::testing::HasSubstr;

constexpr const char* whole = R"(trace: t
engine:
  technology:
    name: round
    node_nm: 10
    units:
      - {unit: asc_encoder_lane, area: 1000um2, period: 1ns, energy_per_cycle: 1pJ, leakage: 1uW}
    sram: {area_per_bit: 0.1um2, energy_per_bit: 10fJ/bit, leakage_per_bit: 1nW}
    derating:
      clock: {factor: 2, source: assumed}
      area: {factor: 1.5, source: assumed}
      energy: {factor: 1.25, source: a paper}
    link: {energy: 5pJ/bit, source: assumed}
    dma: {energy: 4pJ/bit, source: assumed}
    gpu_memory: {energy: 3pJ/bit, source: assumed}
)";

/// The whole technology with `now` in the place of `before`, read.
Experiment load(const std::string& before = "", const std::string& now = "") {
    std::string yaml = whole;
    if (!before.empty()) yaml.replace(yaml.find(before), before.size(), now);
    return make_experiment(parse_config(yaml, "w.yaml"), "w.yaml");
}

TEST(ShippedTechnology, HasEveryFigure) {
    for (const char* name : {"asap7", "osu018", "sg13g2"}) {
        const std::string yaml = std::string("trace: t\nengine: {technology: ") + name + "}\n";
        EXPECT_EQ(make_experiment(parse_config(yaml, "w.yaml"), "w.yaml").parameters.engine.technology->name, name);
    }
}

std::string error(const std::string& before, const std::string& now) {
    try {
        load(before, now);
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "no error";
}

TEST(Technology, IsReadWithUnitsAndEchoedSoThatItReadsBackTheSame) {
    const Technology t = load().parameters.engine.technology.value();
    EXPECT_EQ(t.units.at(0).area, (Area{1000}));
    EXPECT_EQ(t.units[0].period, Time{1000});
    EXPECT_EQ(t.units[0].energy_per_cycle, (Energy{1}));
    EXPECT_EQ(t.sram.energy_per_bit, (EnergyPerBit{0.01}));
    EXPECT_EQ(t.sram.leakage_per_bit, (Power{0.001}));
    EXPECT_EQ(t.derating.energy, (Derating{1.25, "a paper"}));
    const std::string echo = to_json(load().parameters.engine).dump();
    EXPECT_EQ(read_params<EngineParams>(parse_config(echo, "echo")).technology, t);
}

TEST(Technology, IsRefusedWithANegativeFigure) {
    EXPECT_EQ(error("area: 1000um2", "area: -1000um2"),
              "w.yaml:7:40: engine.technology.units.0.area: '-1000um2' is no quantity; write it like 775um2");
}

TEST(Technology, IsRefusedWithoutOneOfItsFigures) {
    const std::pair<const char*, const char*> missing[] = {{", leakage: 1uW", "engine.technology.units.0.leakage"},
                                                           {"area: 1000um2, ", "engine.technology.units.0.area"},
                                                           {"energy_per_cycle: 1pJ, ", "units.0.energy_per_cycle"},
                                                           {"unit: asc_encoder_lane, ", "units.0.unit"},
                                                           {"    name: round\n", "engine.technology.name"},
                                                           {"    node_nm: 10\n", "engine.technology.node_nm"},
                                                           {"energy_per_bit: 10fJ/bit, ", "sram.energy_per_bit"},
                                                           {"factor: 1.5, ", "derating.area.factor"},
                                                           {"energy: 3pJ/bit, ", "gpu_memory.energy"}};
    for (const auto& [figure, key] : missing) {
        const std::string text = error(figure, "");
        EXPECT_THAT(text, HasSubstr(std::string(key) + ": is missing; write ")) << figure;
        EXPECT_THAT(text, ::testing::MatchesRegex("w\\.yaml:[0-9]+:[0-9]+: [^\n]*")) << figure;
    }
}

TEST(Technology, IsRefusedWithoutASourceOfAFactorAndOfAnEnergyOfTransfer) {
    EXPECT_THAT(error("{factor: 2, source: assumed}", "{factor: 2}"), HasSubstr("derating.clock.source: is missing"));
    EXPECT_THAT(error("{energy: 5pJ/bit, source: assumed}", "{energy: 5pJ/bit}"),
                HasSubstr("technology.link.source: is missing"));
}

TEST(Technology, IsRefusedWithAUnitThatNoEngineHas) {
    const std::string text = error("unit: asc_encoder_lane", "unit: asc_encoder_lan");
    EXPECT_THAT(text, HasSubstr("w.yaml:7:16: engine.technology.units.0.unit: 'asc_encoder_lan' is not known"));
    EXPECT_THAT(text, HasSubstr("asc_encoder_lane"));
}

TEST(Technology, IsRefusedWithAFigureOfAnotherKind) {
    EXPECT_THAT(error("5pJ/bit", "5pJ"), HasSubstr("engine.technology.link.energy: '5pJ' has an unknown unit"));
    EXPECT_THAT(error("factor: 2,", "factor: 0,"), HasSubstr("derating.clock.factor: 0 is out of range"));
    EXPECT_THAT(error("period: 1ns", "period: 0ns"), HasSubstr("units.0.period: 0ns is out of range"));
}

TEST(Technology, IsTheSameAtAllRanks) {
    EXPECT_THAT(error("trace: t\n", "trace: t\nnodes: [{ranks: [1], engine: {technology: null}}]\n"),
                HasSubstr("nodes.0.engine.technology: all ranks must have the same"));
}

}   // namespace
}   // namespace oscar::technology_test

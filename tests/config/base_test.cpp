#include "sim/config/base.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "sim/config/load.hpp"
#include "tests/trace/trace_folder.hpp"

namespace oscar::base_test {
namespace {

using ::testing::HasSubstr;

/// The node at a dotted path; ADD_FAILURE if there is none.
ConfigNode at(ConfigNode node, const std::string& path) {
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        const std::string key = path.substr(begin, end - begin);
        if (node.find(key) == nullptr) ADD_FAILURE() << "no " << path;
        node = node.child(key);
        begin = end + 1;
    }
    return node;
}

std::string text_at(const ConfigNode& root, const std::string& path) { return at(root, path).text; }

ConfigNode over(std::string_view below, std::string_view above) {
    ConfigNode root = parse_config(below, "below.yaml");
    overlay(root, parse_config(above, "above.yaml"));
    return root;
}

TEST(LayOver, MergesMapsAndReplacesSingleValuesAndLists) {
    const ConfigNode root = over("network: {link: {bandwidth: 1Gbps, buffer: 1KiB}}\nmethods: [a, b]\nseed: 1",
                                 "network: {link: {bandwidth: 2Gbps}}\nmethods: [c]\nranks: 4");
    EXPECT_EQ(text_at(root, "network.link.bandwidth"), "2Gbps");
    EXPECT_EQ(text_at(root, "network.link.buffer"), "1KiB");
    EXPECT_EQ(at(root, "methods").children.size(), 1U);
    EXPECT_EQ(text_at(root, "seed"), "1");
    EXPECT_EQ(text_at(root, "ranks"), "4");
}

TEST(LayOver, KeepsTheParametersOfAKindWhereAnotherIsNamedAndMarksThem) {
    const char* below = "collective: {kind: ring, slices: 4}";
    EXPECT_EQ(text_at(over(below, "collective: {issue: lock_step}"), "collective.slices"), "4");
    const ConfigNode same = over(below, "collective: {kind: ring, issue: lock_step}");
    EXPECT_EQ(text_at(same, "collective.slices"), "4");
    EXPECT_EQ(at(same, "collective.slices").of_kind, "");
    const ConfigNode other = over(below, "collective: {kind: direct, issue: lock_step}");
    EXPECT_EQ(text_at(other, "collective.kind"), "direct");
    EXPECT_EQ(text_at(other, "collective.slices"), "4");
    EXPECT_EQ(at(other, "collective.slices").of_kind, "ring");
    EXPECT_EQ(at(other, "collective.issue").of_kind, "");
}

TEST(LayOver, MarksParametersOfADefaultKindAndUnmarksThoseWhoseKindComesBack) {
    EXPECT_EQ(at(over("chunks: {block: 64}", "chunks: {kind: greedy}"), "chunks.block").of_kind, "the default");
    ConfigNode root = over("collective: {kind: ring, slices: 4}", "collective: {kind: direct}");
    overlay(root, parse_config("collective: {kind: ring}", "third.yaml"));
    EXPECT_EQ(at(root, "collective.slices").of_kind, "");
}

TEST(LayOver, SaysWhatAListOrTheNameOfAKindReplaces) {
    const ConfigNode root = over("collective: {kind: ring, slices: 4, issue: lock_step}\nmethods: [a, b]",
                                 "collective: direct\nmethods: [c]");
    EXPECT_EQ(text_at(root, "collective"), "direct");
    EXPECT_EQ(at(root, "collective").replaced, "slices, issue at below.yaml:1:13");
    EXPECT_EQ(at(root, "methods").replaced, "the list at below.yaml:2:10");
}

TEST(LayOver, SaysNothingWhereNothingIsLostOrADefaultIsAskedFor) {
    EXPECT_EQ(at(over("collective: ring", "collective: direct"), "collective").replaced, "");
    EXPECT_EQ(at(over("collective: {kind: ring}", "collective: direct"), "collective").replaced, "");
    EXPECT_EQ(at(over("gpu: {launch: 1us}", "gpu: null"), "gpu").replaced, "");
    EXPECT_EQ(at(over("seed: 1", "seed: 2"), "seed").replaced, "");
}

TEST(LayOver, GivesParametersToAKindThatIsNamedAlone) {
    const ConfigNode root = over("collective: ring", "collective: {slices: 4}");
    EXPECT_EQ(text_at(root, "collective.kind"), "ring");
    EXPECT_EQ(text_at(root, "collective.slices"), "4");
}

TEST(LayOver, TakesNullForTheDefault) {
    EXPECT_EQ(at(over("gpu: {launch: 1us}", "gpu: null"), "gpu").form, ConfigNode::Form::null);
}

TEST(LayOver, KeepsThePlaceOfEachValue) {
    const ConfigNode root = over("network:\n  packet: 4KiB", "network: {link: {buffer: 1KiB}}");
    EXPECT_EQ(at(root, "network.packet").location.text(), "below.yaml:2:11");
    EXPECT_EQ(at(root, "network.link.buffer").location.text(), "above.yaml:1:26");
}

/// Files in a folder of their own; exp.yaml is the one that is loaded.
class Bases : public ::testing::Test {
protected:
    void write(const std::string& name, std::string_view yaml) const { folder.write(name, yaml); }
    ConfigNode load(std::string_view yaml) const {
        const std::filesystem::path file = folder.write("exp.yaml", yaml);
        return over_its_bases(load_config(file), file);
    }
    std::string error(std::string_view yaml) const {
        return testing::error_of<ConfigError>(folder, [&] { load(yaml); });
    }
    testing::TemporaryFolder folder;
};

TEST_F(Bases, AreNoPartOfTheConfiguration) {
    write("a.yaml", "seed: 1");
    EXPECT_EQ(load("base: a.yaml\nranks: 4").find("base"), nullptr);
    EXPECT_EQ(load("ranks: 4").children.size(), 1U);
}

TEST_F(Bases, LaterOnesWinAndTheFileItselfWinsOverAll) {
    write("a.yaml", "{seed: 1, ranks: 2, scale: 3}");
    write("b.yaml", "{seed: 4, ranks: 5}");
    const ConfigNode root = load("base: [a.yaml, b.yaml]\nseed: 6");
    EXPECT_EQ(text_at(root, "seed"), "6");
    EXPECT_EQ(text_at(root, "ranks"), "5");
    EXPECT_EQ(text_at(root, "scale"), "3");
}

TEST_F(Bases, MayHaveBasesWhichLieBesideThem) {
    std::filesystem::create_directories(folder.path() / "parts");
    write("parts/a.yaml", "base: b.yaml\nseed: 1");
    write("parts/b.yaml", "ranks: 4");
    EXPECT_EQ(text_at(load("base: parts/a.yaml"), "ranks"), "4");
}

TEST_F(Bases, MayBeUsedTwice) {
    write("a.yaml", "base: c.yaml");
    write("b.yaml", "base: c.yaml");
    write("c.yaml", "seed: 1");
    EXPECT_EQ(text_at(load("base: [a.yaml, b.yaml]"), "seed"), "1");
}

TEST_F(Bases, OfCircularFilesAreRefusedWhereTheCircleCloses) {
    write("a.yaml", "base: b.yaml");
    write("b.yaml", "seed: 1\nbase: [./a.yaml]");
    EXPECT_THAT(error("base: a.yaml"), HasSubstr("b.yaml:2:8: base.0: '"));
    EXPECT_THAT(error("base: a.yaml"), HasSubstr("a.yaml' builds on itself; remove this base"));
    EXPECT_THAT(error("base: exp.yaml"), HasSubstr("exp.yaml:1:7: base: '"));
}

TEST_F(Bases, AreMergedKeyByKeyAlsoWhereAKindIsNamed) {
    write("a.yaml", "engine: {lanes: 256, clock: 246MHz}");
    write("b.yaml", "engine: {blocks: 4}");
    const ConfigNode root = load("base: [a.yaml, b.yaml]\nengine: {kind: cycles}");
    EXPECT_EQ(text_at(root, "engine.kind"), "cycles");
    EXPECT_EQ(text_at(root, "engine.lanes"), "256");
    EXPECT_EQ(text_at(root, "engine.clock"), "246MHz");
    EXPECT_EQ(text_at(root, "engine.blocks"), "4");
}

TEST_F(Bases, AreAThousandAtMost) {
    write("a.yaml", "seed: 1");
    std::string list = "a.yaml";
    for (int i = 2; i <= 1000; ++i) list += ", a.yaml";
    EXPECT_EQ(text_at(load("base: [" + list + "]"), "seed"), "1");
    EXPECT_THAT(error("base: [" + list + ", a.yaml]"), HasSubstr(": base.1000: is base number 1001; an experiment "
                                                                 "takes 1000 at most, those of its bases included"));
}

TEST_F(Bases, ThatLeadToMoreThanAThousandInAChainAreRefused) {
    for (int i = 0; i < 1001; ++i)
        write("c" + std::to_string(i) + ".yaml", "base: c" + std::to_string(i + 1) + ".yaml");
    write("c1001.yaml", "seed: 1");
    EXPECT_THAT(error("base: c0.yaml"), HasSubstr("c999.yaml:1:7: base: is base number 1001;"));
}

TEST_F(Bases, OfOneListHoldOneMachine) {   // tests run in the root of the project
    EXPECT_THAT(error("base: [dgx-h100, demo, dgx-b200]"),
                HasSubstr("exp.yaml:1:24: base.2: dgx-b200 is a second machine beside dgx-h100, which it would hide"));
    EXPECT_EQ(text_at(load("base: [dgx-h100, connectx-8, ethernet-800g]"), "ranks"), "8");
    EXPECT_EQ(text_at(load("base: [gb300-nvl72, connectx-7]"), "ranks"), "72");   // builds on another machine itself
}

TEST_F(Bases, OfOneListHoldOneMachineThoseOfTheirOwnBasesIncluded) {
    write("mine.yaml", "base: dgx-a100");
    write("theirs.yaml", "base: [connectx-7, mine.yaml]");
    const std::string second = "dgx-h100 is a second machine beside theirs.yaml, which it would hide";
    EXPECT_THAT(error("base: [theirs.yaml, dgx-h100]"), HasSubstr("exp.yaml:1:21: base.1: " + second));
    EXPECT_THAT(error("base: [dgx-h100, mine.yaml]"), HasSubstr("mine.yaml is a second machine beside dgx-h100"));
    EXPECT_EQ(text_at(load("base: [theirs.yaml, connectx-8]"), "ranks"), "8");
}

TEST_F(Bases, ThatAreNotThereOrNoMapsAreRefused) {
    EXPECT_THAT(error("base: none.yaml"), HasSubstr("exp.yaml:1:7: base: no such file 'none.yaml', here, beside"));
    EXPECT_THAT(error("base: [~]"), HasSubstr("exp.yaml:1:8: base.0: is empty; name an experiment file, one of"));
    EXPECT_THAT(error("base: {seed: 1}"), HasSubstr("base: is a map, but a list is due"));
    write("list.yaml", "[1, 2]");
    EXPECT_THAT(error("base: list.yaml"), HasSubstr("list.yaml:1:1: is a list, but a map of parameters is due"));
}

TEST_F(Bases, AreFoundByNameAmongTheShippedParts) {
    testing::TemporaryFolder data;
    std::filesystem::create_directories(data.path() / "configs/parts");
    data.write("configs/parts/a-shipped-part.yaml", "seed: 7");
    ::setenv("OSCAR_SIM_DATA", data.path().c_str(), 1);
    EXPECT_EQ(text_at(load("base: a-shipped-part"), "seed"), "7");
    EXPECT_EQ(text_at(load("base: a-shipped-part.yaml"), "seed"), "7");
    EXPECT_EQ(text_at(load("base: configs/parts/a-shipped-part.yaml"), "seed"), "7");
    EXPECT_THAT(error("base: a-shiped-part"), HasSubstr("'a-shiped-part' (did you mean a-shipped-part?)"));
    ::unsetenv("OSCAR_SIM_DATA");
}

TEST_F(Bases, AreNotHiddenByAFolderOfThatName) {
    for (const char* name : {"demo", "h100-sxm", "nothing-else"})
        std::filesystem::create_directories(folder.path() / name);
    EXPECT_EQ(text_at(load("base: demo"), "trace"), "traces/lenet-fmnist");
    EXPECT_EQ(text_at(load("base: [demo, h100-sxm]"), "gpu.memory_bandwidth"), "26800Gbps");
    EXPECT_THAT(error("seed: 1\nbase: nothing-else"),
                HasSubstr("exp.yaml:2:7: base: 'nothing-else' is a folder; name an experiment file, one of"));
}

TEST_F(Bases, BesideTheFileComeBeforeShippedOnesOfTheirName) {
    folder.write("demo.yaml", "trace: mine");
    EXPECT_EQ(text_at(load("base: demo.yaml"), "trace"), "mine");
    EXPECT_EQ(text_at(load("base: demo"), "trace"), "traces/lenet-fmnist");   // no file has that name
}

TEST_F(Bases, ThatAreNoneAreToldWithTheNearestNameAndAllParts) {
    EXPECT_THAT(error("base: h100"),
                HasSubstr("exp.yaml:1:7: base: no such file 'h100' (did you mean h100-sxm?), here"));
    EXPECT_THAT(error("base: omni-path"), HasSubstr("or a part: a100-sxm-40gb, a100-sxm-80gb, b200-sxm, "));
    EXPECT_THAT(error("base: /no/such/file.yaml"), HasSubstr("exp.yaml:1:7: base: no such file '/no/such/file.yaml'"));
    EXPECT_LT(error("base: " + std::string(60'000, 'x')).size(), 1'000U);
}

TEST_F(Bases, OfFilesThatAreNoConfigurationsAreRefusedByLineWithoutAWordOfTheirs) {
    for (const std::string text :
         {"SECRET", "SECRET: a\n\tb: c", "a: b\n- SECRET", "k: \"SECRET", "SECRET: [1, 2", "SECRET: 1\nSECRET: 2",
          "a: SECRET\xff", "SECRET\xff: 1", "SECRET: *x", "[SECRET]", "- SECRET", "a: b: SECRET",
          "SECRET: 1\n---\nb: 2", "SECRET: {SECRET: {[SECRET]: 1}}"}) {
        write("other", text);
        const std::string refused = error("base: other");
        EXPECT_THAT(refused, ::testing::StartsWith("other:")) << text;
        EXPECT_THAT(refused, ::testing::Not(HasSubstr("SECRET"))) << text;
    }
}

TEST_F(Bases, MayBeNamedExperiments) {   // tests run in the root of the project
    EXPECT_EQ(text_at(load("base: demo"), "trace"), "traces/lenet-fmnist");
    EXPECT_EQ(text_at(load("base: [ethernet-25g, demo]"), "trace"), "traces/lenet-fmnist");
    EXPECT_THAT(error("base: demmo"), HasSubstr("(did you mean demo?)"));
}

TEST(NamedConfigurations, StandOverTheirBasesBelowOverrides) {
    const FoundConfig demo = load_named("demo", FileKind::run, {"seed=7"});
    EXPECT_EQ(demo.file.filename(), "demo.yaml");
    EXPECT_EQ(text_at(demo.root, "seed"), "7");
    testing::TemporaryFolder folder;
    const auto file = folder.write("mine.yaml", "base: demo\nmethods: [asc]\nranks: 4");
    const FoundConfig mine = load_named(file, FileKind::run, {"ranks=2"});
    EXPECT_EQ(text_at(mine.root, "ranks"), "2");
    EXPECT_EQ(text_at(mine.root, "trace"), "traces/lenet-fmnist");
    EXPECT_THROW(load_named("demo", FileKind::sweep, {}), ConfigError);
    EXPECT_THROW(load_named(file, FileKind::traffic, {}), ConfigError);
}

}   // namespace
}   // namespace oscar::base_test

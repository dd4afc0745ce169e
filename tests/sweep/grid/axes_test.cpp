#include "sim/sweep/grid/axes.hpp"

#include <gmock/gmock.h>

#include "sim/config/load.hpp"

namespace oscar::axes_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Axis axis(std::string_view yaml) { return read_axis(parse_config(yaml, "s.yaml")); }

/// The points as text, one each.
std::vector<std::string> texts(const std::vector<Settings>& points) {
    std::vector<std::string> result;
    for (const Settings& point : points) result.push_back(to_text(point));
    return result;
}

std::string error(std::string_view yaml) {
    try {
        axis(yaml);
    } catch (const ConfigError& e) {
        return e.what();
    }
    return "no error";
}

TEST(Axis, ListsTheValuesOfAKeyInTheirOrder) {
    EXPECT_THAT(texts(axis("{key: ranks, values: [8, 2, 4]}")), ElementsAre("ranks=8", "ranks=2", "ranks=4"));
    EXPECT_THAT(texts(axis("{key: ranks, range: {from: 2, to: 4, step: 1}}")),
                ElementsAre("ranks=2", "ranks=3", "ranks=4"));
}

TEST(Axis, TakesMapsListsAndNullAsValues) {
    EXPECT_THAT(texts(axis("{key: methods, values: [[fp32, asc], [{kind: asc, history: 2}], null]}")),
                ElementsAre("methods=[fp32, asc]", "methods=[{kind: asc, history: 2}]", "methods=null"));
}

TEST(Axis, ZipsKeysSideBySide) {
    EXPECT_THAT(texts(axis("zip: [{key: a, values: [1, 2]}, {key: b, values: [x, y]}, {key: c, values: [p, q]}]")),
                ElementsAre("a=1 b=x c=p", "a=2 b=y c=q"));
}

TEST(Axis, RemembersWhereItsValuesAndItsKeyStand) {
    const Setting setting = axis("{key: ranks, values: [8, 2]}")[1][0];
    EXPECT_EQ(setting.value.location.text(), "s.yaml:1:26");
    EXPECT_EQ(setting.value.key_location.text(), "s.yaml:1:7");
}

TEST(Axis, SaysWhatIsWrongAndWhere) {
    EXPECT_THAT(error("{keys: ranks}"), HasSubstr("s.yaml:1:2: keys: no such parameter (did you mean key?)"));
    EXPECT_THAT(error("{values: [1]}"), HasSubstr("key: is missing"));
    EXPECT_THAT(error("{key: ranks}"), HasSubstr("needs either values or range"));
    EXPECT_THAT(error("{key: ranks, values: [1], range: {from: 1, to: 2, step: 1}}"), HasSubstr("needs either"));
    EXPECT_THAT(error("{key: ranks, values: []}"), HasSubstr("s.yaml:1:22: values: is empty"));
    EXPECT_THAT(error("{key: ranks, values: 4}"), HasSubstr("a list is due"));
    EXPECT_THAT(error("[1]"), HasSubstr("a map of parameters is due"));
    EXPECT_THAT(error("{zip: [{key: a, values: [1]}]}"), HasSubstr("needs two keys or more"));
    EXPECT_THAT(error("{zip: [{key: a, values: [1]}, {key: b, values: [1, 2]}]}"),
                HasSubstr("s.yaml:1:31: zip.1: has 2 values, the first key of the zip has 1"));
    EXPECT_THAT(error("{zip: [], key: a}"), HasSubstr("key: no such parameter"));
    for (const char* key : {"'.a'", "'a.'", "'a..b'", "''"})
        EXPECT_THAT(error("{values: [1], key: " + std::string(key) + "}"), HasSubstr("empty key in its path")) << key;
}

TEST(Settings, AreAMapFromDottedKeysToValues) {
    EXPECT_EQ(to_text(read_settings(parse_config("{ranks: 4, network.link: {bandwidth: 1Gbps}}", "s.yaml"))),
              "ranks=4 network.link={bandwidth: 1Gbps}");
    EXPECT_TRUE(read_settings(ConfigNode{}).empty());
    EXPECT_THROW(read_settings(parse_config("[1]", "s.yaml")), ConfigError);
    EXPECT_THROW(read_settings(parse_config("{a..b: 1}", "s.yaml")), ConfigError);
}

TEST(Grid, VariesTheLastAxisFastest) {
    const Axis a = axis("{key: a, values: [1, 2]}"), b = axis("{key: b, values: [x, y, z]}");
    EXPECT_THAT(texts(grid({a, b})), ElementsAre("a=1 b=x", "a=1 b=y", "a=1 b=z", "a=2 b=x", "a=2 b=y", "a=2 b=z"));
}

TEST(Grid, HasTheProductOfTheAxesSizesAndEachCombinationOnce) {
    std::vector<Axis> axes;
    std::size_t expected = 1;
    for (const std::size_t size : {3u, 1u, 4u, 2u}) {
        std::string values = "0";
        for (std::size_t i = 1; i < size; ++i) values += ", " + std::to_string(i);
        axes.push_back(axis("{key: k" + std::to_string(axes.size()) + ", values: [" + values + "]}"));
        expected *= size;
        auto points = texts(grid(axes));
        EXPECT_EQ(points.size(), expected);
        std::sort(points.begin(), points.end());
        EXPECT_EQ(std::unique(points.begin(), points.end()), points.end());
    }
}

TEST(Grid, WithoutAxesIsOnePointWithoutSettings) { EXPECT_THAT(grid({}), ElementsAre(::testing::IsEmpty())); }

}   // namespace
}   // namespace oscar::axes_test

#include "sim/trace/layer_choice.hpp"

#include <gmock/gmock.h>

#include <stdexcept>

namespace oscar::layer_choice_test {
namespace {

using ::testing::ElementsAre;
using ::testing::FieldsAre;
using ::testing::HasSubstr;

TraceManifest manifest_of(const std::vector<std::string>& names) {
    TraceManifest manifest;
    for (const auto& name : names) {
        TraceLayer layer;
        layer.name = name;
        layer.shape = {3};
        manifest.layers.push_back(layer);
    }
    return manifest;
}

const TraceManifest net = manifest_of({"conv1.weight", "conv1.bias", "fc1.weight", "fc1.bias"});

std::string error_of(std::string_view patterns) {
    try {
        choose_layers(net, patterns);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

TEST(LayerChoice, NamesAllLayersByAnEmptyList) { EXPECT_THAT(choose_layers(net, ""), ElementsAre(0, 1, 2, 3)); }

TEST(LayerChoice, KeepsTheModelsOrderWhateverThatOfThePatterns) {
    EXPECT_THAT(choose_layers(net, "fc1.bias,conv1*"), ElementsAre(0, 1, 3));
    EXPECT_THAT(choose_layers(net, "*.weight,fc1.weight"), ElementsAre(0, 2));
}

TEST(LayerChoice, TellsWhichPatternNamesNothing) {
    EXPECT_EQ(error_of("conv*,fc1.wieght"),
              "fc1.wieght: no layer is called so (did you mean fc1.weight?); `oscar-sim trace info` lists them, and * "
              "stands for any characters");
    EXPECT_THAT(error_of(","), HasSubstr("names no layer"));
}

TEST(LayerChoice, JoinsNeighboursToOneRun) {
    const std::vector<std::uint64_t> offsets = {0, 3, 5, 9, 10};
    const std::vector<std::size_t> all = {0, 1, 2, 3}, gap = {0, 1, 3}, backwards = {2, 1};
    EXPECT_THAT(runs_of(offsets, all), ElementsAre(FieldsAre(0, 0, 10)));
    EXPECT_THAT(runs_of(offsets, gap), ElementsAre(FieldsAre(0, 0, 5), FieldsAre(9, 5, 1)));
    EXPECT_THAT(runs_of(offsets, backwards), ElementsAre(FieldsAre(5, 0, 4), FieldsAre(3, 4, 2)));
}

TEST(LayerChoice, LaysTensorsOneBehindTheOther) {
    const std::vector<std::uint64_t> offsets = {0, 3, 5, 9, 10};
    const std::vector<std::size_t> all = {0, 1, 2, 3}, gap = {0, 3}, backwards = {2, 1};
    EXPECT_THAT(tensors_of(offsets, all), ElementsAre(Segment{0, 3}, Segment{3, 5}, Segment{5, 9}, Segment{9, 10}));
    EXPECT_THAT(tensors_of(offsets, gap), ElementsAre(Segment{0, 3}, Segment{3, 4}));
    EXPECT_THAT(tensors_of(offsets, backwards), ElementsAre(Segment{0, 4}, Segment{4, 6}));
}

}   // namespace
}   // namespace oscar::layer_choice_test

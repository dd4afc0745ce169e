// The drawing of a machine: its nodes in rows, its cables as busy as their busier direction.
#include "sim/page/machine_drawing.hpp"

#include <gmock/gmock.h>

namespace oscar::machine_drawing_test {
namespace {

using Json = nlohmann::ordered_json;

/// Four ranks at two switches, which a third joins; two methods.
const Json methods = Json::parse(R"([
    {"links": [{"name": "rank0->switch0", "utilisation": 0.25}, {"name": "switch0->rank0", "utilisation": 0.5},
               {"name": "rank1->switch0", "utilisation": 0.25}, {"name": "switch0->switch2", "utilisation": 0.75}]},
    {"links": [{"name": "rank2->switch1", "utilisation": 0.125}, {"name": "rank10->switch1", "utilisation": 0.125},
               {"name": "switch2->switch1", "utilisation": 1}, {"name": "rank0->switch0", "utilisation": 0.625}]}])");

double y_of(const Json& option, const std::string& name) {
    for (const auto& node : option["series"][1]["data"])
        if (node["name"] == name) return node["value"][1];
    throw std::out_of_range(name);
}

TEST(MachineDrawing, HasRanksBelowAndSwitchesAboveByTheirDistance) {
    const Json option = *drawing_of_machine(methods);
    EXPECT_EQ(option["series"][1]["data"].size(), 7u);
    EXPECT_EQ(y_of(option, "rank0"), y_of(option, "rank10"));
    EXPECT_LT(y_of(option, "rank0"), y_of(option, "switch0"));
    EXPECT_EQ(y_of(option, "switch0"), y_of(option, "switch1"));
    EXPECT_LT(y_of(option, "switch1"), y_of(option, "switch2"));
    EXPECT_EQ(option["series"][1]["data"][3]["name"], "rank10");   // after rank2
}

TEST(MachineDrawing, HasALineForEachCableWithItsBusierDirection) {
    const Json lines = (*drawing_of_machine(methods))["series"][0]["data"];
    EXPECT_EQ(lines.size(), 6u);
    EXPECT_EQ(lines[0]["name"], "rank0 - switch0: 62.5 % busy");
    EXPECT_EQ(lines[0]["coords"], Json::parse("[[0.125, 0.0], [0.25, 1.0]]"));
}

TEST(MachineDrawing, OfNoLinksOrTooManyNodesIsNone) {
    EXPECT_FALSE(drawing_of_machine(Json::parse(R"([{"name": "fp32"}])")));
    Json many = Json::array({Json::object()});
    for (std::size_t i = 0; i <= most_nodes_drawn; ++i)
        many[0]["links"].push_back({{"name", "rank" + std::to_string(i) + "->switch0"}, {"utilisation", 1}});
    EXPECT_FALSE(drawing_of_machine(many));
}

}   // namespace
}   // namespace oscar::machine_drawing_test

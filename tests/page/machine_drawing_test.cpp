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

double row_of(const Json& option, const std::string& name) {
    for (const auto& node : option["nodes"])
        if (node["name"] == name) return node["row"];
    throw std::out_of_range(name);
}

TEST(MachineDrawing, HasRanksBelowAndSwitchesAboveByTheirDistance) {
    const Json option = *drawing_of_machine(methods);
    EXPECT_EQ(option["nodes"].size(), 7u);
    EXPECT_EQ(row_of(option, "rank0"), row_of(option, "rank10"));
    EXPECT_LT(row_of(option, "rank0"), row_of(option, "switch0"));
    EXPECT_EQ(row_of(option, "switch0"), row_of(option, "switch1"));
    EXPECT_LT(row_of(option, "switch1"), row_of(option, "switch2"));
    EXPECT_EQ(option["nodes"][3]["name"], "rank10");   // after rank2
}

TEST(MachineDrawing, HasALineForEachCableWithItsBusierDirection) {
    const Json cables = (*drawing_of_machine(methods))["cables"];
    ASSERT_EQ(cables.size(), 6u);
    EXPECT_EQ(cables[0], Json::parse(R"({"name": "rank0 - switch0", "busy": 0.625, "x": 0.125, "row": 0.0,
                                        "x2": 0.25, "row2": 1.0})"));
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

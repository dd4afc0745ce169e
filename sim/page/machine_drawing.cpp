#include "sim/page/machine_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>
#include <string>
#include <vector>

#include "sim/compare/figures.hpp"
#include "sim/page/charts.hpp"

namespace oscar {
namespace {

using Json = nlohmann::ordered_json;

/// Rows with more nodes than that have no labels; a pointer shows them.
constexpr std::size_t most_labels_of_row = 8;

/// Names of nodes in natural order: rank2 before rank10.
struct NaturalOrder {
    bool operator()(const std::string& a, const std::string& b) const {
        return std::pair(a.size(), std::string_view(a)) < std::pair(b.size(), std::string_view(b));
    }
};

bool is_rank(const std::string& node) { return node.starts_with("rank"); }

/// Nodes with those that they have a cable to, and how busy that is.
struct Cables {
    std::map<std::string, std::map<std::string, double, NaturalOrder>, NaturalOrder> of;

    void add(const std::string& link, double utilisation) {
        const std::size_t arrow = link.find("->");
        if (arrow == std::string::npos) return;
        const std::string from = link.substr(0, arrow), to = link.substr(arrow + 2);
        for (double* busy : {&of[from][to], &of[to][from]}) *busy = std::max(*busy, utilisation);
    }
};

/// The distance of each node from the nearest rank, in cables.
std::map<std::string, std::size_t, NaturalOrder> rows_of(const Cables& cables) {
    std::map<std::string, std::size_t, NaturalOrder> rows;
    std::queue<std::string> next;
    for (const auto& [node, ends] : cables.of)
        if (is_rank(node)) {
            rows[node] = 0;
            next.push(node);
        }
    for (; !next.empty(); next.pop())
        for (const auto& [other, busy] : cables.of.at(next.front()))
            if (rows.emplace(other, rows[next.front()] + 1).second) next.push(other);
    return rows;
}

Json node_of(const std::string& name, double x, double y, bool labelled) {
    return {{"name", name},
            {"x", x},
            {"y", y},
            {"symbol", is_rank(name) ? "rect" : "circle"},
            {"symbolSize", labelled ? 14 : 7},
            {"itemStyle", {{"color", is_rank(name) ? "#0072B2" : "#7F7F7F"}}},
            {"label", {{"show", labelled}, {"position", is_rank(name) ? "bottom" : "top"}, {"fontSize", 10}}}};
}

}   // namespace

std::optional<Json> drawing_of_machine(const Json& methods) {
    Cables cables;
    for (const auto& method : methods)
        for (const auto& link : method.value("links", Json::array()))
            cables.add(text_of(link.value("name", Json())), figure_in(link, "utilisation"));
    if (cables.of.empty() || cables.of.size() > most_nodes_drawn) return std::nullopt;
    std::map<std::size_t, std::vector<std::string>> by_row;
    for (const auto& [node, row] : rows_of(cables)) by_row[row].push_back(node);
    Json series{{"type", "graph"}, {"layout", "none"}, {"roam", false}, {"silent", false}};
    series["left"] = series["right"] = 30;
    series["top"] = series["bottom"] = 56;
    for (const auto& [row, nodes] : by_row)
        for (std::size_t i = 0; i < nodes.size(); ++i)
            series["data"].push_back(node_of(nodes[i],
                                             (static_cast<double>(i) + 0.5) / static_cast<double>(nodes.size()),
                                             -0.3 * static_cast<double>(row), nodes.size() <= most_labels_of_row));
    for (const auto& [node, ends] : cables.of)
        for (const auto& [other, busy] : ends)
            if (NaturalOrder()(node, other))
                series["links"].push_back({{"source", node},
                                           {"target", other},
                                           {"value", std::round(1000 * busy) / 10},
                                           {"lineStyle", {{"width", 1 + 5 * busy}, {"opacity", 0.35 + 0.6 * busy}}}});
    Json option = empty_chart("The machine: a line is as wide as its link was busy");
    option.erase("grid");
    option["series"].push_back(std::move(series));
    return option;
}

}   // namespace oscar

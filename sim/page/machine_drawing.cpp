#include "sim/page/machine_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <queue>
#include <string>
#include <vector>

#include "sim/compare/figures.hpp"

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

/// Where each node stands: across from 0 to 1, and its row.
using Places = std::map<std::string, std::pair<double, double>, NaturalOrder>;

Json node_of(const std::string& name, const std::pair<double, double>& place, bool labelled) {
    return {{"name", name},
            {"x", place.first},
            {"row", place.second},
            {"symbol", is_rank(name) ? "square" : "circle"},
            {"colour", is_rank(name) ? "#0072B2" : "#7F7F7F"},
            {"labelled", labelled}};
}

Json cable_of(const std::string& a, const std::string& b, const Places& places, double busy) {
    const auto &from = places.at(a), &to = places.at(b);
    return {{"name", fmt::format("{} - {}", a, b)},
            {"busy", busy},
            {"x", from.first},
            {"row", from.second},
            {"x2", to.first},
            {"row2", to.second}};
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
    Places places;
    Json drawing{{"kind", "machine"}, {"title", "The machine: a line is as wide as its link was busy"}};
    for (const auto& [row, names] : by_row)
        for (std::size_t i = 0; i < names.size(); ++i) {
            places[names[i]] = {(static_cast<double>(i) + 0.5) / static_cast<double>(names.size()),
                                static_cast<double>(row)};
            drawing["nodes"].push_back(node_of(names[i], places[names[i]], names.size() <= most_labels_of_row));
        }
    for (const auto& [node, ends] : cables.of)
        for (const auto& [other, busy] : ends)
            if (NaturalOrder()(node, other) && places.contains(node))
                drawing["cables"].push_back(cable_of(node, other, places, busy));
    return drawing;
}

}   // namespace oscar

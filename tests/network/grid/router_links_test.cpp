#include "models/network/grid/router_links.hpp"

#include <gmock/gmock.h>

#include <set>

#include "tests/network/grid/router_support.hpp"

namespace oscar::router_links_test {
namespace {

using test::RoutersOf;

struct Shape {
    bool torus;
    std::uint32_t rows, columns;
};
constexpr Shape shapes[] = {{false, 1, 2}, {false, 3, 4}, {false, 5, 1}, {true, 3, 4}, {true, 4, 4},
                            {true, 2, 3},  {true, 3, 2},  {true, 2, 2},  {true, 1, 5}};

RoutersOf routers(const Shape& shape) {
    const std::uint32_t ranks = shape.rows * shape.columns;
    if (shape.torus) return RoutersOf(TorusParams{shape.rows, shape.columns}, ranks);
    return RoutersOf(MeshParams{shape.rows, shape.columns}, ranks);
}

std::string name_of(const Shape& s) {
    return (s.torus ? "torus " : "mesh ") + std::to_string(s.rows) + " x " + std::to_string(s.columns);
}

TEST(RouterLinks, AreEachThatOfOnePort) {
    for (const Shape& shape : shapes) {
        const RoutersOf of = routers(shape);
        const RouterGrid grid = of.grid();
        const RouterLinks links(grid, of.params.links);
        std::multiset<EdgeId> edges;
        for (const RouterId r : grid.router_ids()) {
            edges.insert(links.into(r));
            for (std::uint8_t p = 0; p < router_ports; ++p)
                if (const EdgeId edge = links.out_of(r, static_cast<Port>(p)); edge < of.params.links.next()) {
                    edges.insert(edge);
                    EXPECT_EQ(of.params.links[edge].from, grid.switch_node(r));
                }
        }
        for (const EdgeId e : of.params.links.indices())
            EXPECT_EQ(edges.count(e), 1u) << name_of(shape) << ", " << of.topology.edge_name(e);
    }
}

TEST(RouterLinks, LeadAlongTheDimensionOrderOfTheTopologyWithSomeCoins) {
    for (const Shape& shape : shapes) {
        const RoutersOf of = routers(shape);
        const RouterGrid grid = of.grid();
        const RouterLinks links(grid, of.params.links);
        for (std::uint32_t from = 0; from < grid.routers(); ++from)
            for (std::uint32_t to = 0; to < grid.routers(); ++to) {
                if (from == to) continue;
                const auto path = of.path(from, to);
                EXPECT_TRUE(links.coins_for(path)) << name_of(shape) << ": " << from << " to " << to;
                EXPECT_EQ(path.size(), grid.routers_between(node_of(Rank{from}), node_of(Rank{to})) + 1);
                EXPECT_EQ(links.ends_of(path).from, node_of(Rank{from}));
                EXPECT_EQ(links.ends_of(path).to, node_of(Rank{to}));
            }
    }
}

// Half way round a ring of four, east with coin 0 up and west with it down.
TEST(RouterLinks, ChooseTheCoinByTheWayRound) {
    const RoutersOf of(TorusParams{1, 4}, 4);
    const RouterLinks links(of.grid(), of.params.links);
    const auto round = [&](Port port, std::uint32_t between) {
        return std::vector<Hop>{{links.into(RouterId{0})},
                                {links.out_of(RouterId{0}, port)},
                                {links.out_of(RouterId{between}, port)},
                                {links.out_of(RouterId{2}, Port::node)}};
    };
    EXPECT_EQ(links.coins_for(round(Port::east, 1)), 1);
    EXPECT_EQ(links.coins_for(round(Port::west, 3)), 0);
}

TEST(RouterLinks, CloseNoLineOfTwo) {
    const RoutersOf of(TorusParams{1, 2}, 2);
    const RouterLinks links(of.grid(), of.params.links);
    const auto there = [&](std::uint32_t router, Port port) { return links.leads_out(RouterId{router}, port); };
    EXPECT_TRUE(there(0, Port::east) && there(1, Port::west));
    EXPECT_FALSE(there(0, Port::west) || there(1, Port::east)) << "where the dateline would be";
}

TEST(RouterLinks, LeadNoOtherWay) {
    const RoutersOf of(MeshParams{2, 2}, 4);
    const RouterLinks links(of.grid(), of.params.links);
    const std::vector<Hop> column_first{{links.into(RouterId{0})},
                                        {links.out_of(RouterId{0}, Port::north)},
                                        {links.out_of(RouterId{2}, Port::east)},
                                        {links.out_of(RouterId{3}, Port::node)}};
    EXPECT_FALSE(links.coins_for(column_first));
    std::vector<Hop> cut_off = of.path(0, 3), too_long = cut_off;
    cut_off.pop_back();
    too_long.push_back(too_long.back());
    EXPECT_FALSE(links.coins_for(cut_off));
    EXPECT_FALSE(links.coins_for(too_long));
    EXPECT_FALSE(links.coins_for(std::span(cut_off).subspan(1))) << "from a router to a router";
}

TEST(RouterLinks, RefuseLinksOfNoGrid) {
    const RoutersOf of(MeshParams{2, 2}, 4);
    IndexedVector<EdgeId, FabricLink> links = of.params.links;
    links.push_back({0, 5, RoutersOf::link(), {}});   // rank 0 to router 1
    EXPECT_THROW(RouterLinks(of.grid(), links), std::invalid_argument);
    links.back() = {4, 7, RoutersOf::link(), {}};   // router 0 to router 3
    EXPECT_THROW(RouterLinks(of.grid(), links), std::invalid_argument);
}

TEST(RouterGrids, AreAsLargeAsThoseOfTraffic) {
    EXPECT_TRUE(std::holds_alternative<RouterMeshParams>(router_grid({64, 64, false}).params));
    EXPECT_TRUE(std::holds_alternative<RouterTorusParams>(router_grid({64, 64, true}).params));
    EXPECT_THROW(router_grid({1, 65, false}), std::invalid_argument);
    EXPECT_THROW(router_grid({65, 1, false}), std::invalid_argument);
}

}   // namespace
}   // namespace oscar::router_links_test

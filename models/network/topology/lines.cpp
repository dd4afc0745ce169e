#include "models/network/topology/lines.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "models/network/topology/adjacency.hpp"

namespace oscar {
namespace {

constexpr std::uint32_t no_line = Topology::none;

/// Sets of lines that run along one dimension.
class Groups {
public:
    explicit Groups(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0u); }
    std::uint32_t of(std::uint32_t line) {
        while (parent_[line] != line) line = parent_[line] = parent_[parent_[line]];
        return line;
    }
    void join(std::uint32_t a, std::uint32_t b) { parent_[of(a)] = of(b); }

private:
    std::vector<std::uint32_t> parent_;
};

class LineSearch {
public:
    explicit LineSearch(const Topology& topology)
        : topology_(topology),
          adjacency_(topology),
          line_(topology.edges.size(), no_line),
          rising_(topology.edges.size()) {}

    std::optional<Lines> find() {
        if (!pair_directions()) return std::nullopt;
        bool any = false;
        for (const EdgeId e : line_.indices()) {
            if (!joins_switches(e) || !topology_.edges[e].dateline || line_[e] != no_line) continue;
            if (!close_line(e)) return std::nullopt;
            any = true;
        }
        if (!any) return std::nullopt;
        for (const EdgeId e : line_.indices())
            if (joins_switches(e) && line_[e] == no_line) put_on_line(e, lines_++, {0, 1});
        return with_dimensions();
    }

private:
    bool joins_switches(EdgeId e) const {
        return topology_.is_switch(topology_.edges[e].from) && topology_.is_switch(topology_.edges[e].to);
    }
    /// `ends`: the places between which the edge rises.
    bool put_on_line(EdgeId e, std::uint32_t line, Lines::Ends ends) {
        if (line_[e] != no_line && line_[e] != line) return false;
        line_[e] = line_[*back_[e]] = line;
        rising_[e] = ends;
        return true;
    }

    /// Parallel cables pair up in their order.
    bool pair_directions() {
        back_.assign(line_.size(), std::nullopt);
        for (const EdgeId e : line_.indices()) {
            if (!joins_switches(e) || back_[e]) continue;
            const auto& edge = topology_.edges[e];
            const auto others = adjacency_.between(edge.to, edge.from);
            const auto free = [&](EdgeId other) {
                return !back_[other] && topology_.edges[other].dateline == edge.dateline;
            };
            const auto found = std::ranges::find_if(others, free);
            if (found == others.end()) return false;
            back_[e] = *found;
            back_[*found] = e;
        }
        return true;
    }

    /// Breadth first over cables that are no datelines, from the end of `dateline` to where it begins.
    bool close_line(EdgeId dateline) {
        const NodeId begin = topology_.edges[dateline].to, end = topology_.edges[dateline].from;
        struct Reached {
            std::uint32_t distance;
            EdgeId by;
            std::uint32_t paths;
        };
        std::map<NodeId, Reached> reached{{begin, {0, dateline, 1}}};
        std::vector<NodeId> open{begin};
        for (std::size_t next = 0; next < open.size() && open[next] != end; ++next) {
            const Reached here = reached.at(open[next]);
            for (const EdgeId e : adjacency_.to_switches(open[next])) {
                if (topology_.edges[e].dateline) continue;
                const auto [there, fresh] =
                    reached.try_emplace(topology_.edges[e].to, Reached{here.distance + 1, e, here.paths});
                if (fresh) open.push_back(topology_.edges[e].to);
                else if (there->second.distance == here.distance + 1) there->second.paths = 2;
            }
        }
        const auto last = reached.find(end);
        if (last == reached.end() || last->second.paths > 1) return false;
        const std::uint32_t line = lines_++;
        if (!put_on_line(dateline, line, {last->second.distance, 0})) return false;
        for (NodeId node = end; node != begin; node = topology_.edges[reached.at(node).by].from) {
            const auto& [distance, by, paths] = reached.at(node);
            if (!put_on_line(by, line, {distance - 1, distance})) return false;
        }
        return true;
    }

    /// The two lines that cross at each corner of a square have its opposite sides on parallel lines.
    void join_parallel(Groups& groups) const {
        const auto end_of = [&](EdgeId e) { return topology_.edges[e].to; };
        for (std::uint32_t s = 0; s < topology_.switches; ++s) {
            const NodeId corner = topology_.switch_node(s);
            const auto sides = adjacency_.to_switches(corner);
            for (const EdgeId a : sides)
                for (const EdgeId b : sides) {
                    if (line_[a] >= line_[b]) continue;
                    for (const EdgeId across : adjacency_.to_switches(end_of(a)))
                        for (const EdgeId along : adjacency_.between(end_of(b), end_of(across))) {
                            if (end_of(across) == corner || line_[across] == line_[a] || line_[along] == line_[b])
                                continue;
                            groups.join(line_[a], line_[along]);
                            groups.join(line_[b], line_[across]);
                        }
                }
        }
    }

    bool meet_nowhere(Groups& groups) const {
        for (std::uint32_t s = 0; s < topology_.switches; ++s) {
            std::map<std::uint32_t, std::uint32_t> line_of_group;
            for (const EdgeId e : adjacency_.to_switches(topology_.switch_node(s)))
                if (line_of_group.try_emplace(groups.of(line_[e]), line_[e]).first->second != line_[e]) return false;
        }
        return true;
    }

    std::optional<Lines> with_dimensions() {
        Groups groups(lines_);
        join_parallel(groups);
        if (!meet_nowhere(groups)) return std::nullopt;
        Lines lines{line_, std::vector(line_.size(), no_line), rising_, back_};
        std::map<std::uint32_t, std::uint32_t> numbers;   // of groups, in the order of their first edges
        for (const EdgeId e : line_.indices())
            if (line_[e] != no_line)
                lines.dimension[e] =
                    numbers.try_emplace(groups.of(line_[e]), static_cast<std::uint32_t>(numbers.size())).first->second;
        return lines;
    }

    const Topology& topology_;
    Adjacency adjacency_;
    IndexedVector<EdgeId, std::uint32_t> line_;
    IndexedVector<EdgeId, std::optional<Lines::Ends>> rising_;
    IndexedVector<EdgeId, std::optional<EdgeId>> back_;   ///< the other direction of its cable
    std::uint32_t lines_ = 0;
};

}   // namespace

std::optional<Lines> find_lines(const Topology& topology) { return LineSearch(topology).find(); }

}   // namespace oscar

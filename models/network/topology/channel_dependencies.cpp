#include "models/network/topology/channel_dependencies.hpp"

#include <algorithm>
#include <cstdint>

namespace oscar {

ChannelDependencies::ChannelDependencies(const Topology& topology, const Adjacency& adjacency, std::uint32_t classes)
    : topology_(&topology), adjacency_(&adjacency), classes_(classes), position_(topology.edges.size()) {
    std::size_t bits = 0;
    for (const auto& edge : topology.edges) {
        begin_.push_back(bits);
        if (topology.is_switch(edge.to)) bits += adjacency.out(edge.to).size() * classes * classes;
    }
    there_.resize(bits);
    for (const NodeId node : topology.node_ids()) {
        const auto out = adjacency.out(node);
        for (std::uint32_t i = 0; i < out.size(); ++i) position_[out[i]] = i;
    }
}

void ChannelDependencies::add(const Hop& before, const Hop& after) {
    const std::size_t fan_out = adjacency_->out(topology_->edges[before.edge].to).size();
    there_[begin_[before.edge] + (before.channel * fan_out + position_[after.edge]) * classes_ + after.channel] = true;
}

std::vector<std::size_t> ChannelDependencies::after(std::size_t vertex) const {
    const Hop hop = hop_of(vertex);
    std::vector<std::size_t> result;
    if (!topology_->is_switch(topology_->edges[hop.edge].to)) return result;
    const auto out = adjacency_->out(topology_->edges[hop.edge].to);
    const std::size_t first = begin_[hop.edge] + hop.channel * out.size() * classes_;
    for (std::size_t i = 0; i < out.size() * classes_; ++i)
        if (there_[first + i])
            result.push_back(vertex_of({out[i / classes_], static_cast<std::uint8_t>(i % classes_)}));
    return result;
}

/// Depth first, without recursion: what is on the stack and met again closes a circle.
std::vector<Hop> ChannelDependencies::cycle() const {
    struct Visit {
        std::size_t vertex;
        std::vector<std::size_t> next;
    };
    enum class State : std::uint8_t { fresh, open, done };
    std::vector<State> states(topology_->edges.size() * classes_, State::fresh);
    for (std::size_t root = 0; root < states.size(); ++root) {
        std::vector<Visit> stack;
        const auto enter = [&](std::size_t vertex) {
            states[vertex] = State::open;
            stack.push_back({vertex, after(vertex)});
        };
        if (states[root] == State::fresh) enter(root);
        while (!stack.empty()) {
            if (stack.back().next.empty()) {
                states[stack.back().vertex] = State::done;
                stack.pop_back();
                continue;
            }
            const std::size_t next = stack.back().next.back();
            stack.back().next.pop_back();
            if (states[next] == State::fresh) enter(next);
            else if (states[next] == State::open) {
                std::vector<Hop> circle;
                const auto first = std::ranges::find(stack, next, &Visit::vertex);
                for (auto visit = first; visit != stack.end(); ++visit) circle.push_back(hop_of(visit->vertex));
                return circle;
            }
        }
    }
    return {};
}

}   // namespace oscar

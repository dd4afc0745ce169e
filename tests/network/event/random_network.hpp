// Random networks and what is sent over them.
#pragma once

#include <random>

#include "tests/network/event/fabric_support.hpp"

namespace oscar::test {

/// Switches in a line, as the leaves of a root, or one alone, with ranks at each; links, packets and times of all
/// sizes. Nodes are numbered with the ranks first.
class RandomNetwork {
public:
    RandomNetwork(std::uint64_t seed, bool contended) : random_(seed), contended_(contended) {
        params.channels = between<std::uint32_t>(1, 3);
        draw_sizes();
        build();
        route();
        for (std::uint32_t i = 0; i < 4 * paths.size(); ++i) script.push_back(sending(i));
    }

    FabricParams params;
    std::vector<std::vector<Hop>> paths;
    std::vector<Sending> script;

    template <class T>
    T between(T least, T most) {
        const std::uint64_t above = random_() % (static_cast<std::uint64_t>(most - least) + 1);
        return static_cast<T>(static_cast<std::uint64_t>(least) + above);
    }
    bool coin() { return between(0, 1) == 1; }

private:
    void draw_sizes() {
        largest_ = {between<std::uint64_t>(1, 3000)};
        const std::uint64_t flits = between<std::uint64_t>(1, 30);
        params.flit = {(largest_.count + flits - 1) / flits};
        base_ = {between<std::uint64_t>(1'000, 400'000)};
        spread_ = coin() ? 0 : coin() ? 3 : base_.mbps * 4;   // one rate, almost one, any
    }

    /// In the tree, by `parent_`, switches come first, then ranks.
    void build() {
        const auto switches = between<std::uint32_t>(1, 4);
        const bool line = coin();
        const auto ranks = between<std::uint32_t>(std::max(2u, switches), 8);
        parent_.push_back(0);
        for (std::uint32_t s = 1; s < switches; ++s) parent_.push_back(line ? s - 1 : 0);
        for (std::uint32_t r = 0; r < ranks; ++r) parent_.push_back(r < switches ? r : between(0u, switches - 1));
        first_rank_ = switches;
        for (std::uint32_t n = 0; n < parent_.size(); ++n) beyond_.push_back(time(500));
        for (std::uint32_t n = 1; n < parent_.size(); ++n) {   // edges 2(n-1) up, 2(n-1)+1 down
            add_link(n, parent_[n]);
            add_link(parent_[n], n);
        }
    }
    void add_link(std::uint32_t from, std::uint32_t to) {
        const Bandwidth rate{base_.mbps + between<std::uint64_t>(0, spread_)};
        const Bytes buffer{largest_.count * between<std::uint64_t>(1, coin() ? 5 : 40) +
                           between<std::uint64_t>(0, 100)};
        const Time propagation = time(coin() ? 100 : 2000);
        params.links.push_back({node(from), node(to), {rate, propagation, buffer}, beyond_[to]});
    }
    NodeId node(std::uint32_t in_tree) const {
        const auto ranks = static_cast<std::uint32_t>(parent_.size()) - first_rank_;
        return {in_tree < first_rank_ ? ranks + in_tree : in_tree - first_rank_};
    }
    Time time(std::int64_t most_ns) { return {between<std::int64_t>(0, most_ns * 1000)}; }

    /// Flows between random ranks; if nothing is to contend, those that share no link.
    void route() {
        IndexedVector<EdgeId, bool> used(params.links.size());
        const auto ranks = static_cast<std::uint32_t>(parent_.size()) - first_rank_;
        for (std::uint32_t tries = 0; tries < 30 && paths.size() < 8; ++tries) {
            const std::uint32_t from = first_rank_ + between(0u, ranks - 1), to = first_rank_ + between(0u, ranks - 1);
            if (from == to) continue;
            const std::vector<Hop> path = path_of(from, to);
            const auto taken = [&](const Hop& hop) { return static_cast<bool>(used[hop.edge]); };
            if (!contended_ && std::ranges::any_of(path, taken)) continue;
            for (const Hop& hop : path) used[hop.edge] = true;
            paths.push_back(path);
        }
    }
    std::vector<Hop> path_of(std::uint32_t from, std::uint32_t to) {
        std::vector<std::uint32_t> up, down;
        while (from != to)   // a node's parent has a smaller number
            if (from > to) up.push_back(2 * (from - 1)), from = parent_[from];
            else down.insert(down.begin(), 2 * (to - 1) + 1), to = parent_[to];
        up.insert(up.end(), down.begin(), down.end());
        std::vector<Hop> path;
        for (const std::uint32_t edge : up)
            path.push_back({EdgeId{edge}, static_cast<std::uint8_t>(between(0u, params.channels - 1))});
        return path;
    }

    Sending sending(std::uint32_t i) {
        Sending result;
        result.flow = between(0u, static_cast<std::uint32_t>(paths.size()) - 1);
        const auto packets = between<std::uint32_t>(1, between(0, 3) == 0 ? 60 : 12);
        const Bytes wire{between<std::uint64_t>(1, largest_.count)};
        result.message = {i, packets, wire, {between<std::uint64_t>(1, wire.count)}};
        result.at = time(5000);
        if (i > 0 && coin()) result.after = between(0u, i - 1);
        const std::int64_t step = coin() ? 0 : between<std::int64_t>(1, 300);
        Time eligible = time(100);
        for (std::uint32_t p = 0; p < packets; ++p) {
            result.eligible.push_back(eligible);
            eligible += time(step);
            if (p + 1 == packets || between(0, 3) == 0) result.reported.push_back(p);
        }
        return result;
    }

    std::mt19937_64 random_;
    bool contended_;
    Bytes largest_;
    Bandwidth base_;
    std::uint64_t spread_ = 0;
    std::uint32_t first_rank_ = 0;
    std::vector<std::uint32_t> parent_;
    std::vector<Time> beyond_;
};

}   // namespace oscar::test

#include "models/network/traffic/background_pattern.hpp"

#include <numeric>

#include "models/core/random.hpp"
#include "models/core/rank_ranges.hpp"

namespace oscar {
namespace {

/// Uniform over [0, count) but for 2^-32.
std::uint32_t below(std::uint32_t count, std::uint64_t random) {
    return static_cast<std::uint32_t>((random >> 32) * count >> 32);
}

/// One circle through all ranks. Source: Sattolo, Information Processing Letters 22, 1986.
std::vector<Rank> random_circle(std::uint64_t seed, std::uint32_t ranks) {
    std::vector<Rank> next(ranks);
    for (std::uint32_t r = 0; r < ranks; ++r) next[r] = Rank{r};
    for (std::uint32_t r = ranks - 1; r > 0; --r) std::swap(next[r], next[below(r, random_at(~seed, r))]);
    return next;
}

/// Per rank, where all of its messages go; empty where that is drawn.
std::vector<Rank> fixed_receivers(const BackgroundParams& params, std::uint32_t ranks) {
    if (std::holds_alternative<PermutationTrafficParams>(params.pattern.params))
        return random_circle(params.seed, ranks);
    std::vector<Rank> receivers;
    if (const auto* incast = std::get_if<IncastTrafficParams>(&params.pattern.params))
        receivers.assign(ranks, Rank{incast->to});
    if (std::holds_alternative<TornadoTrafficParams>(params.pattern.params))
        for (std::uint32_t r = 0; r < ranks; ++r) receivers.push_back({(r + (ranks + 1) / 2 - 1) % ranks});
    return receivers;
}

}   // namespace

std::optional<BackgroundProblem> find_problem(const BackgroundParams& params, std::uint32_t ranks) {
    if (!is_defined_for(params.pattern, PatternSenders::ranks)) return BackgroundProblem::pattern_of_routers;
    if (std::holds_alternative<TornadoTrafficParams>(params.pattern.params) && ranks < 3)
        return BackgroundProblem::tornado_of_two;
    const auto* incast = std::get_if<IncastTrafficParams>(&params.pattern.params);
    if (incast == nullptr) return std::nullopt;
    if (incast->to >= ranks) return BackgroundProblem::receiver_is_none;
    for (const Rank node : ranks_in(params.nodes))
        if (node == Rank{incast->to}) return BackgroundProblem::receiver_is_sender;
    return std::nullopt;
}

BackgroundReceivers::BackgroundReceivers(const BackgroundParams& params, std::uint32_t ranks)
    : ranks_(ranks), senders_(ranks_in(params.nodes)), fixed_(fixed_receivers(params, ranks)) {
    for (std::uint32_t r = 0; r < ranks && params.nodes.empty(); ++r)
        if (fixed_.empty() || fixed_[r] != Rank{r}) senders_.push_back({r});
}

Rank BackgroundReceivers::of(Rank sender, std::uint64_t random) const {
    if (!fixed_.empty()) return fixed_[sender.value];
    const std::uint32_t other = below(ranks_ - 1, random);
    return {other < sender.value ? other : other + 1};
}

std::vector<std::pair<Rank, Rank>> BackgroundReceivers::pairs() const {
    std::vector<std::pair<Rank, Rank>> pairs;
    for (const Rank sender : senders_)
        if (!fixed_.empty()) pairs.emplace_back(sender, fixed_[sender.value]);
        else
            for (std::uint32_t to = 0; to < ranks_; ++to)
                if (Rank{to} != sender) pairs.emplace_back(sender, Rank{to});
    return pairs;
}

}   // namespace oscar

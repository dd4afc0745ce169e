// Destination patterns of background traffic.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/core/index.hpp"
#include "models/network/traffic/background_params.hpp"

namespace oscar {

/// What is wrong, and how to write it right.
struct BackgroundProblem {
    std::string key;   ///< of BackgroundParams
    std::string text;
    friend bool operator==(const BackgroundProblem&, const BackgroundProblem&) = default;
};
/// Why the pattern cannot be on so many ranks, with these senders; nothing if it can. Precondition: nodes are ranks.
std::optional<BackgroundProblem> find_problem(const BackgroundParams& params, std::uint32_t ranks);

/// Precondition: !find_problem(params, ranks). Law: nobody sends to itself.
class BackgroundReceivers {
public:
    BackgroundReceivers(const BackgroundParams& params, std::uint32_t ranks);

    const std::vector<Rank>& senders() const { return senders_; }
    /// For a message from `sender` with 64 random bits: a fixed rank, or one drawn from them.
    Rank of(Rank sender, std::uint64_t random) const;
    /// All that may occur, by sender and receiver.
    std::vector<std::pair<Rank, Rank>> pairs() const;

private:
    std::uint32_t ranks_;
    std::vector<Rank> senders_;
    std::vector<Rank> fixed_;   ///< per rank; empty: drawn
};

}   // namespace oscar

// Destination patterns of background traffic.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "models/core/index.hpp"
#include "models/network/traffic/background_params.hpp"

namespace oscar {

/// A pattern that these senders, or so few ranks, cannot have.
enum class BackgroundProblem : std::uint8_t {
    pattern_of_routers,   ///< it is not defined for ranks
    tornado_of_two,       ///< each would send to itself
    receiver_is_none,     ///< the receiver of an incast is no rank
    receiver_is_sender,   ///< the receiver of an incast is among the senders
};
/// Precondition: nodes are ranks.
std::optional<BackgroundProblem> find_problem(const BackgroundParams& params, std::uint32_t ranks);

/// Precondition: !find_problem(params, ranks). Law: nobody sends to itself.
class BackgroundReceivers {
public:
    BackgroundReceivers(const BackgroundParams& params, std::uint32_t ranks);

    /// The ranks that params.nodes names; without it, all that the pattern has send.
    const std::vector<Rank>& senders() const { return senders_; }
    /// The receiver of a message from `sender` with 64 random bits: a fixed rank, or one drawn from them.
    Rank of(Rank sender, std::uint64_t random) const;
    /// All pairs of sender and receiver that may occur.
    std::vector<std::pair<Rank, Rank>> pairs() const;

private:
    std::uint32_t ranks_;
    std::vector<Rank> senders_;
    std::vector<Rank> fixed_;   ///< per rank; empty: drawn
};

}   // namespace oscar

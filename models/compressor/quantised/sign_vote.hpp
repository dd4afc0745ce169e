// signSGD with majority vote: the ranks vote on the sign of each value.
#pragma once

#include <array>

#include "models/compressor/base/compressor.hpp"
#include "models/core/fields.hpp"

namespace oscar {

/// A rank's vote on a value of zero, and the result of a tie.
enum class ZeroVote : std::uint8_t { abstain, positive };
constexpr auto choices(ZeroVote) {
    return std::array{
        Choice{"abstain", ZeroVote::abstain,
               "zeros do not vote and ties give 0: votes of 2 bits, whose sums widen, 2 bits back"},
        Choice{"positive", ZeroVote::positive,
               "as the GRACE repository: +1 for both, of zero gradients too; votes of 2 bits, whose sums widen, 1 bit "
               "back"}};
}

/// All ranks decode the sign of the sum of signs: -1, 0 or 1, whatever the size of the gradients; the learning rate
/// gives it a size. Therefore no error feedback of this kind stands around it. The counts are summed by a
/// reduce-scatter, the verdicts gathered. Source: Bernstein et al., ICML 2018 and ICLR 2019, Algorithm 1.
struct SignVoteParams {
    ZeroVote zeros = ZeroVote::abstain;
    static constexpr auto fields() {
        return Entries{field("zeros", &SignVoteParams::zeros, "votes for zeros and results of ties")};
    }
};
/// A compressor without state; the seed is not used.
std::unique_ptr<Compressor> make_compressor(const SignVoteParams& params, std::uint32_t ranks, std::uint64_t seed);

}   // namespace oscar

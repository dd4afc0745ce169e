// One exchange of a lossy method: its words as messages of a collective, from iteration to iteration.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/collective/endpoint/rank_state.hpp"
#include "models/compressor/base/carrier.hpp"
#include "models/core/parallel.hpp"
#include "models/exchange/exchange.hpp"
#include "models/machine/machine.hpp"
#include "models/nic/node_params.hpp"
#include "sim/parameters/parameters.hpp"
#include "sim/report/metrics.hpp"

namespace oscar {

/// A lossy method on a machine: all that is the same for all its exchanges. References must outlive it.
struct LossySetting {
    LossySetting(const Parameters& p, const Method& m, const Routes& r, ParallelFor run_ranks);

    const Parameters& parameters;
    Method coder;   ///< of exchanges of integers: the method's codec, or uncoded integers
    const Routes& routes;
    Nodes nodes;
    ParallelFor parallel;
};

/// The machine and the moment of an iteration that is simulated.
struct Moment {
    Machine& machine;
    std::vector<Time> start;   ///< per rank, of the first exchange; empty: all at once
    std::uint64_t seed = 0;
    bool timeline = false;   ///< the results of exchanges are to have one
};

/// What an exchange left, and how it went where it was simulated.
struct Exchanged {
    std::vector<Symbol> words;   ///< see Carrier::carry
    IterationResult result;      ///< void where it was not simulated
};

/// Carries what a compressor asks for as an Exchange of each iteration. Tables of a codec learn from iteration to
/// iteration.
class ExchangeRun {
public:
    ExchangeRun(const LossySetting& setting, const WordExchange& exchange, const RankWords& words);

    /// True if these words can follow the ones before: same collective, type and width.
    bool continues(const WordExchange& exchange, const RankWords& words) const;
    /// Precondition: continues(). `moment` null: without network. The result has sums_match_reference.
    Exchanged run(const RankWords& words, std::uint32_t position, const Moment* moment);

private:
    /// How many words each participant holds, and how they are cut.
    struct Placed {
        std::size_t words = 0;
        ChunkLayout layout;
    };
    Placed placed(const RankWords& words) const;
    std::vector<Symbol> first_words(const RankWords& words, std::uint32_t participant, std::size_t held) const;
    std::vector<Symbol> left(const ChunkLayout& layout, std::size_t words) const;
    Outcome simulated(Exchange& exchange, const EngineMemoryTraffic& reads, const Moment& moment) const;
    void commit(std::vector<RankState>& ranks) const;
    IterationResult result_of(const Exchange& exchange, const Outcome& outcome, const EngineMemoryTraffic& reads,
                              std::size_t held, bool timeline) const;
    CriticalPath learning_before(const EngineMemoryTraffic& reads) const;

    const LossySetting& setting_;
    CollectiveKind carrier_;
    std::uint32_t root_, slices_ = 1;
    CodecChoice choice_;
    std::unique_ptr<Codec> codec_;
    std::unique_ptr<Plan> plan_;   ///< where rank states point to
    std::vector<RankState> reference_ranks_, simulated_ranks_;
    bool learnt_ = false;   ///< an iteration came before
};

}   // namespace oscar

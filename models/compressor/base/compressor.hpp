// Interface of lossy compressors: the mean gradient of all ranks, with its cost on wire and processor.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "models/core/kinds.hpp"
#include "models/core/units.hpp"

namespace oscar {

/// A collective operation by which a compressor moves its bytes.
enum class CollectiveKind : std::uint8_t {
    all_reduce,       ///< of `padded` bytes a rank, summed (or merged) element by element
    all_gather,       ///< every rank gets every rank's part, each as long as the longest
    reduce_scatter,   ///< of `padded` bytes a rank; each rank keeps the sum of its share
    reduce,           ///< of `padded` bytes a rank, summed, to `root`
    broadcast,        ///< of `padded` bytes from rank 0, whose payload alone is not 0
    all_to_all,       ///< each rank sends every other its share of `padded` bytes
    shift,            ///< each rank sends its payload to the next rank
};

/// The work of one rank, from which a cost model derives time. Counts of the busiest rank.
struct ComputeCost {
    std::uint64_t elements = 0;      ///< read or written in passes over the gradient
    std::uint64_t comparisons = 0;   ///< of selections
    std::uint64_t hashes = 0;
    std::uint64_t additions = 0;         ///< into sketches, residuals and sums
    std::uint64_t multiplications = 0;   ///< of matrix products and transforms
    std::uint64_t draws = 0;             ///< random numbers
    std::uint64_t rounds = 0;            ///< of thresholds or peeling, each a pass of its own with a synchronisation
    ComputeCost& operator+=(const ComputeCost& other);
    ComputeCost& operator-=(const ComputeCost& other);
    friend bool operator==(const ComputeCost&, const ComputeCost&) = default;
};

/// One collective of a step. Sizes are per rank, in bytes.
struct WordExchange {
    std::string what;   ///< "values and indices", "index", "sketch"
    CollectiveKind carrier = CollectiveKind::all_reduce;
    std::uint64_t floats = 0;               ///< values among it, the figure that papers count; per rank, of the longest
    std::vector<std::uint32_t> after{};     ///< exchanges of the same step, by position, that must be complete before
    std::uint32_t root = 0;                 ///< the rank that a reduce ends at
    bool overlapped = false;                ///< whether only the next step needs it, so that computation may hide it
    ComputeCost encoding{};                 ///< work that makes its words, which waits for `after` as it does
    ComputeCost decoding{};                 ///< work on what it leaves, which the exchanges that follow do not wait for
    std::vector<std::uint64_t> payload{};   ///< per rank, the bytes that it has to say: whole words
    std::uint64_t padded = 0;               ///< bytes that each rank sends into the collective: the longest payload
};

class Carrier;

/// A tensor's place in the gradient.
struct TensorShape {
    std::uint64_t begin = 0, end = 0;   ///< elements
    std::uint64_t rows = 0;             ///< of the matrix view; 0: a vector
};

/// What a controller knows of a compression factor.
struct FactorGain {
    double factor = 1;
    double gain = 1;   ///< share of the squared norm of gradient + residual that it would keep
    /// Samples per second times gain: of the last step in which it was sent, or averaged; empty: it never was.
    std::optional<double> throughput{};
};

/// Result of a step.
struct CompressionResult {
    std::vector<float> mean;                ///< as every rank decodes it: length of the gradient
    std::vector<std::vector<float>> sent;   ///< per rank: what its message says of its own input, for error feedback
    std::vector<WordExchange> exchanges;    ///< in the order of their issue
    ComputeCost operations;                 ///< of the step, with those of its exchanges
    std::vector<double> factors;            ///< per tensor, as a controller chose; empty: there is none
    std::vector<FactorGain> gains;   ///< of the factors that a controller tried, as it knows them; empty: none did
};

/// The work that needs all exchanges.
ComputeCost work_after_exchanges(const CompressionResult& step);

/// The duration of a step on one machine, from which controllers derive throughputs.
struct StepTime {
    Time backward, compression, communication;
};

/// Turns the gradients of all ranks into their mean, or an estimate of it. Holds the state of all ranks (momentum,
/// masks, warm starts); error feedback stands around it (with_error_feedback) unless the method has its own.
/// Laws: the same for every rank, because it is made of what the carrier leaves and of what all ranks know; with
/// nothing left out, `mean` is the mean of the gradients as the carrier sums them; zero in, zero out; deterministic in
/// (gradients, seed, number of steps so far).
class Compressor {
public:
    virtual ~Compressor() = default;
    /// `gradients`: per rank, equally long; `tensors` tile them. `carrier` carries the exchanges. Throws
    /// std::invalid_argument for NaN or infinite gradients (naming rank and element), no ranks, ranks of different
    /// lengths, or tensors that do not tile.
    virtual CompressionResult step(std::span<const std::span<const float>> gradients,
                                   std::span<const TensorShape> tensors, Carrier& carrier) = 0;
    /// A step whose exchanges merge at once, rank after rank.
    CompressionResult step(std::span<const std::span<const float>> gradients, std::span<const TensorShape> tensors);
    /// True if `sent` accounts for the whole message, so that dense error feedback around it is sound. Sketches do not:
    /// what they estimate is no contraction.
    virtual bool takes_error_feedback() const { return true; }
    /// True if `mean` contains the momentum of the steps before, so that the optimiser after it has none of its own.
    virtual bool has_momentum() const { return false; }
    /// Tells the duration of the last step; to be called after each. Only controllers that steer by time listen.
    virtual void completed(const StepTime&) {}
    /// Tells that the last step ended an epoch, and the learning rate of that epoch. For schedules.
    virtual void end_epoch(double /*learning_rate*/) {}
    /// Forgets all steps.
    virtual void reset() = 0;
};

/// A compressor that a controller steers.
class Adjustable : public Compressor {
public:
    /// Sets one factor per tensor from the next step on: elements for each one sent, in sparsifiers; the rank of the
    /// approximation, in low-rank methods. They stay until they are set again; without any, the parameters' factor
    /// holds. The next step throws std::invalid_argument if their number is not that of its tensors, or one is out of
    /// range.
    virtual void set_factors(std::vector<double> factors) = 0;
};

/// Chooses the form of its messages that a codec can code, where a kind of compressor has several: integers instead of
/// memory words. Such a kind has a send_integers() of its parameters.
template <const auto& List>
void send_integers(OneOf<List>& kind) {
    const auto choose = [](auto& params) {
        if constexpr (requires { send_integers(params); }) send_integers(params);
    };
    std::visit(choose, kind.params);
}

}   // namespace oscar

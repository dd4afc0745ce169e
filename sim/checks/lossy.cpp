#include "sim/checks/lossy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <set>
#include <vector>

#include "models/compressor/base/carrier.hpp"
#include "models/compressor/base/feedback.hpp"
#include "models/core/random.hpp"
#include "sim/parameters/carrier_schedule.hpp"

namespace oscar {
namespace {

/// Notes whether any exchange is of integers, which alone can be coded, and the words of one rank that each rank holds:
/// merged with the others' (or the root's), or kept beside them.
class ProbingCarrier final : public Carrier {
public:
    std::vector<Symbol> carry(const WordExchange& exchange, const RankWords& words) override {
        integers = integers || words.type == ElementType::integer;
        carriers.insert(exchange.carrier);
        const bool as_one = merges(exchange.carrier) || exchange.carrier == CollectiveKind::broadcast;
        (as_one ? merged : kept) += longest(words);
        return RankOrderCarrier().carry(exchange, words);
    }
    bool integers = false;
    std::set<CollectiveKind> carriers;
    std::size_t merged = 0, kept = 0;
};

constexpr std::uint64_t probed = 1 << 22;   ///< values of all ranks together: no more than that are made up
constexpr std::uint64_t most = 1 << 16;     ///< of one rank
constexpr std::uint64_t least = 1 << 12;    ///< of one rank, however many they are

/// The tensors themselves where they are small, else one small matrix.
std::vector<TensorShape> shapes_to_probe(std::span<const TensorShape> tensors, std::uint32_t ranks) {
    const std::uint64_t values = std::clamp(probed / ranks / 256 * 256, least, most);
    if (tensors.back().end <= values) return {tensors.begin(), tensors.end()};
    return {{0, values, 256}};
}

std::vector<std::vector<float>> made_up_gradients(std::uint32_t ranks, std::uint64_t elements) {
    std::vector<std::vector<float>> gradients(ranks, std::vector<float>(elements));
    for (std::uint32_t r = 0; r < ranks; ++r)
        for (std::uint64_t i = 0; i < elements; ++i) {
            const double uniform = uniform_at(random_at(1, r), i) - 0.5;
            gradients[r][i] = static_cast<float>(1e-2 * uniform * uniform * uniform);
        }
    return gradients;
}

/// The first pair of ranks between which one of the exchanges sends, and which the network does not join. An AllReduce
/// is the experiment's own, whose ways are checked with it.
std::optional<std::string> find_unreachable(const std::set<CollectiveKind>& carriers, const Routes& routes) {
    for (const CollectiveKind carrier : carriers) {
        if (carrier == CollectiveKind::all_reduce) continue;
        for (const Step& step : carrier_schedule(carrier, routes.topology(), 0).steps)
            if (routes.path(step.from, step.to).empty())
                return fmt::format(
                    "one of its exchanges goes from rank {} to rank {}, between which network.topology has no path; "
                    "choose another topology, such as star",
                    step.from.value, step.to.value);
    }
    return std::nullopt;
}

void take_step(Compressor& compressor, std::uint32_t ranks, std::span<const TensorShape> shapes, Carrier& carrier) {
    const auto gradients = made_up_gradients(ranks, shapes.back().end);
    const std::vector<std::span<const float>> views(gradients.begin(), gradients.end());
    compressor.step(views, shapes, carrier);
}

}   // namespace

std::optional<std::string> find_lossy_problem(const Parameters& p, const Method& method,
                                              std::span<const TensorShape> tensors, const Routes& routes) {
    ProbingCarrier carrier;
    try {
        auto compressor = make_compressor(method.lossy->compressor, p.ranks, p.seed);
        if (method.lossy->feedback == true && !compressor->takes_error_feedback())
            return "it has a memory of its own, or what it sends is no part of the gradient; leave out feedback";
        take_step(*compressor, p.ranks, shapes_to_probe(tensors, p.ranks), carrier);
    } catch (const std::invalid_argument& error) {   // of the compressor: a whole sentence, some begin with its kind
        const std::string what = error.what(), kind = std::string(method.lossy->compressor.name()) + ": ";
        return what.starts_with(kind) ? what.substr(kind.size()) : what;
    }
    if (method.lossy->coded && !carrier.integers)
        return fmt::format("its messages hold no integers, which alone {} could code; leave out codec",
                           method.codec.name());
    return find_unreachable(carrier.carriers, routes);
}

double held_words_per_value(const Parameters& p, const Method& method) {
    constexpr TensorShape matrix{0, least, 64};
    const std::uint32_t ranks = std::min(p.ranks, 4u);   // what a rank brings does not depend on how many there are
    ProbingCarrier carrier;
    try {
        const auto compressor = make_compressor(method.lossy->compressor, ranks, p.seed);
        take_step(*compressor, ranks, std::span(&matrix, 1), carrier);
    } catch (const std::invalid_argument&) {
        return 0;
    }
    return static_cast<double>(carrier.merged + p.ranks * carrier.kept) / static_cast<double>(least);
}

void check_surroundings_of_lossy(const Experiment& experiment) {
    const Parameters& p = experiment.parameters;
    const bool sums =
        operation_of(p.collective) == Operation::all_reduce || operation_of(p.collective) == Operation::reduce_scatter;
    for (std::size_t m = 0; m < p.methods.size(); ++m) {
        if (!p.methods[m].lossy) continue;
        const ConfigNode node = experiment.source.child("methods").child(std::to_string(m));
        if (p.payload == Payload::synthetic)
            node.fail(p.methods[m].name +
                      " makes its messages of gradients, of which payload synthetic has none; "
                      "name a trace and leave out payload");
        if (!sums)
            node.fail(p.methods[m].name +
                      " makes the mean of all ranks, which this collective does not; choose an "
                      "AllReduce, like collective: ring");
    }
}

}   // namespace oscar

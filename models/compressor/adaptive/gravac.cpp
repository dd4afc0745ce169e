#include "models/compressor/adaptive/gravac.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "models/compressor/base/dense.hpp"
#include "models/compressor/base/input.hpp"
#include "models/compressor/base/magnitude.hpp"

namespace oscar {
namespace {

std::string name_of(GravacLevel level) {
    return level == GravacLevel::candidate ? "the candidate" : level == GravacLevel::floor ? "the floor" : "all";
}

double energy(std::span<const float> values, const Positions& positions) {
    return squared_norm(gather(values, positions));
}

}   // namespace

Gravac::Gravac(const GravacParams& params, std::uint32_t ranks, std::uint64_t seed)
    : params_(params),
      ranks_(ranks),
      seed_(seed),
      controllers_(params.agreement == GainAgreement::none ? ranks : 1, GravacController(params, ranks)),
      velocities_(ranks),
      memories_(ranks) {
    check_wire(params);
    if (!oscar::takes_error_feedback(params.compressor))
        throw std::invalid_argument("gravac: its compressor must send elements as they are; write unbiased: false");
}

CompressionResult Gravac::step(Gradients gradients, std::span<const TensorShape> tensors, Carrier& carrier) {
    check_input(gradients, tensors, ranks_);
    if (steps_ > 0 && memories_[0].residual().size() != gradients[0].size())
        throw std::invalid_argument("the length of the gradients differs from that of the last step");
    std::vector<std::vector<float>> corrected;
    std::vector<Chosen> of_ranks;
    std::vector<ComputeCost> operations;
    for (std::size_t r = 0; r < ranks_; ++r) {
        corrected.push_back(memories_[r].corrected(velocity(gradients[r], r)));
        of_ranks.push_back(chosen(gradients[r], corrected[r], tensors, r));
        operations.push_back(of_ranks[r].operations);
    }
    CompressionResult agreement;
    const GravacLevel level = decide(of_ranks, StepExchanges(carrier, agreement));
    CompressionResult result = sent(level, corrected, of_ranks, tensors, carrier);
    for (std::size_t r = 0; r < ranks_; ++r) memories_[r].keep(corrected[r], result.sent[r]);
    if (!agreement.exchanges.empty()) put_first(agreement.exchanges[0], result);
    result.factors.assign(tensors.size(), controllers_[0].sent_factor());
    result.gains = controllers_[0].gains();
    result.operations += busiest(operations);
    ++steps_;
    return result;
}

std::vector<float> Gravac::velocity(std::span<const float> gradient, std::size_t rank) {
    std::vector<float> result(gradient.begin(), gradient.end());
    if (!has_momentum()) return result;
    velocities_[rank].resize(result.size());
    velocities_[rank].apply(0, result, {.factor = params_.momentum});
    return result;
}

void Gravac::completed(const StepTime& time) {
    for (GravacController& controller : controllers_) controller.completed(time);
}

void Gravac::reset() { *this = Gravac(params_, ranks_, seed_); }

Gravac::Chosen Gravac::chosen(std::span<const float> gradient, std::span<const float> corrected,
                              std::span<const TensorShape> tensors, std::size_t rank) const {
    const double floor = controllers_[0].floor(), candidate = controllers_[0].candidate();
    const bool raw = params_.reference == GainReference::raw;
    Chosen result;
    result.norms = {0, 0, 0};
    for (std::size_t t = 0; t < tensors.size(); ++t) {
        const std::uint64_t begin = tensors[t].begin, size = tensors[t].end - begin;
        const auto values = corrected.subspan(begin, size);
        const SelectionInput input{values, floor, random_key(params_.compressor, seed_, steps_, t, rank)};
        Positions first = select(params_.compressor, input, result.operations);
        Positions second = candidate == floor
                               ? first
                               : select_again(params_.compressor, input, first, candidate / floor, result.operations);
        result.norms.reference += squared_norm(raw ? gradient.subspan(begin, size) : values);
        result.norms.floor += energy(values, first);
        result.norms.candidate += energy(values, second);
        result.operations.multiplications += values.size() + first.size() + second.size();
        result.floor.push_back(std::move(first));
        result.candidate.push_back(std::move(second));
    }
    // The norm of the reference, and error feedback: residual added, what was sent subtracted.
    result.operations.elements += 3 * corrected.size();
    result.operations.additions += 2 * corrected.size();
    if (!has_momentum()) return result;
    result.operations.additions += corrected.size();
    result.operations.multiplications += corrected.size();
    return result;
}

/// Ranks tell their shares of the norms, or, where they are averaged apart, the norms; or rank 0 tells its level.
GravacNorms Gravac::agreed(const std::vector<Chosen>& of_ranks, StepExchanges& traffic) const {
    const bool ratios = params_.average == GainAverage::ratios;
    RankWords words;
    for (const Chosen& rank : of_ranks) {
        const GravacNorms& norms = rank.norms;
        const double unit = ratios && norms.reference > 0 ? norms.reference : 1;
        std::vector<float> told{static_cast<float>(norms.floor / unit), static_cast<float>(norms.candidate / unit)};
        if (!ratios) told.push_back(static_cast<float>(norms.reference));
        words.of_ranks.push_back(words_of_floats(told));
    }
    const auto sums = floats_of_words(traffic.carry({.what = "gains", .floats = words.of_ranks[0].size()}, words));
    const auto counted = static_cast<double>(
        std::ranges::count_if(of_ranks, [](const Chosen& rank) { return rank.norms.reference > 0; }));
    return {ratios ? counted : static_cast<double>(sums[2]), static_cast<double>(sums[0]),
            static_cast<double>(sums[1])};
}

GravacLevel Gravac::decide(const std::vector<Chosen>& of_ranks, StepExchanges traffic) {
    if (params_.agreement == GainAgreement::all_reduce) return controllers_[0].decide(agreed(of_ranks, traffic));
    if (params_.agreement == GainAgreement::rank_0) {
        const GravacLevel level = controllers_[0].decide(of_ranks[0].norms);
        const RankWords words{.of_ranks = {ranks_, {static_cast<Symbol>(level)}}};
        traffic.carry({.what = "decision", .carrier = CollectiveKind::broadcast}, words);
        return level;
    }
    const GravacLevel first = controllers_[0].decide(of_ranks[0].norms);
    for (std::size_t r = 1; r < ranks_; ++r)
        if (const GravacLevel level = controllers_[r].decide(of_ranks[r].norms); level != first)
            throw std::runtime_error("gravac: rank 0 sends " + name_of(first) + " but rank " + std::to_string(r) + " " +
                                     name_of(level) +
                                     ", so that their collectives would wait for each other for ever;"
                                     " write agreement: all_reduce or rank_0");
    return first;
}

CompressionResult Gravac::sent(GravacLevel level, const std::vector<std::vector<float>>& corrected,
                               std::vector<Chosen>& of_ranks, std::span<const TensorShape> tensors, Carrier& carrier) {
    if (level == GravacLevel::dense) {
        CompressionResult result;
        result.mean = StepExchanges(carrier, result).mean(dense_exchange(), views(corrected));
        result.sent = corrected;
        return result;
    }
    std::vector<SparseMessage> messages;
    for (std::size_t t = 0; t < tensors.size(); ++t) {
        SparseMessage message{tensors[t].begin, tensors[t].end, {}, {}};
        for (std::size_t r = 0; r < ranks_; ++r) {
            Chosen& chosen = of_ranks[r];
            const auto values = std::span(corrected[r]).subspan(message.begin, message.end - message.begin);
            message.positions.push_back(std::move((level == GravacLevel::floor ? chosen.floor : chosen.candidate)[t]));
            message.values.push_back(gather(values, message.positions.back()));
            if (has_momentum()) velocities_[r].clear(message.begin, message.positions.back(), true);
        }
        messages.push_back(std::move(message));
    }
    const MessageForm form{positions_are_shared(params_.compressor), has_fixed_count(params_.compressor)};
    return sent_step(std::move(messages), ranks_, corrected[0].size(), params_, form, carrier);
}

std::unique_ptr<Compressor> make_compressor(const GravacParams& params, std::uint32_t ranks, std::uint64_t seed) {
    return std::make_unique<Gravac>(params, ranks, seed);
}

}   // namespace oscar

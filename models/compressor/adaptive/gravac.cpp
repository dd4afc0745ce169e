#include "models/compressor/adaptive/gravac.hpp"

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

/// What makes the ranks agree before they send.
Exchange agreement(const GravacParams& params, std::uint32_t ranks) {
    if (params.agreement == GainAgreement::rank_0) {
        std::vector<std::uint64_t> payload(ranks);
        payload[0] = 4;
        return {"decision", CollectiveKind::broadcast, std::move(payload), 4, 0, {}};
    }
    const std::uint64_t scalars = params.average == GainAverage::ratios ? 2 : 3;
    return {"gains", CollectiveKind::all_reduce, std::vector(ranks, 4 * scalars), 4 * scalars, scalars, {}};
}

}   // namespace

Gravac::Gravac(const GravacParams& params, std::uint32_t ranks, std::uint64_t seed)
    : params_(params),
      ranks_(ranks),
      seed_(seed),
      controllers_(params.agreement == GainAgreement::none ? ranks : 1, GravacController(params, ranks)),
      memories_(ranks) {
    check_wire(params);
    if (!oscar::takes_error_feedback(params.compressor))
        throw std::invalid_argument("gravac: its compressor must send elements as they are; write unbiased: false");
}

CompressionResult Gravac::step(Gradients gradients, std::span<const TensorShape> tensors) {
    check_input(gradients, tensors, ranks_);
    if (steps_ > 0 && memories_[0].residual().size() != gradients[0].size())
        throw std::invalid_argument("the length of the gradients differs from that of the last step");
    std::vector<std::vector<float>> corrected;
    std::vector<Chosen> of_ranks;
    std::vector<ComputeCost> operations;
    for (std::size_t r = 0; r < ranks_; ++r) {
        corrected.push_back(memories_[r].corrected(gradients[r]));
        of_ranks.push_back(chosen(gradients[r], corrected[r], tensors, r));
        operations.push_back(of_ranks[r].operations);
    }
    CompressionResult result = sent(decide(of_ranks), corrected, of_ranks, tensors);
    for (std::size_t r = 0; r < ranks_; ++r) memories_[r].keep(corrected[r], result.sent[r]);
    if (params_.agreement != GainAgreement::none) put_first(agreement(params_, ranks_), result);
    result.factors.assign(tensors.size(), controllers_[0].sent_factor());
    result.gains = controllers_[0].gains();
    result.operations += busiest(operations);
    ++steps_;
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
    return result;
}

GravacNorms Gravac::agreed(const std::vector<Chosen>& of_ranks) const {
    if (params_.agreement == GainAgreement::rank_0) return of_ranks[0].norms;
    const bool ratios = params_.average == GainAverage::ratios;
    float reference = 0, floor = 0, candidate = 0;   // as they are summed on the wire
    for (const Chosen& rank : of_ranks) {
        const GravacNorms& norms = rank.norms;
        if (norms.reference == 0) continue;
        const double unit = ratios ? norms.reference : 1;
        reference += static_cast<float>(norms.reference / unit);
        floor += static_cast<float>(norms.floor / unit);
        candidate += static_cast<float>(norms.candidate / unit);
    }
    return {static_cast<double>(reference), static_cast<double>(floor), static_cast<double>(candidate)};
}

GravacLevel Gravac::decide(const std::vector<Chosen>& of_ranks) {
    if (params_.agreement != GainAgreement::none) return controllers_[0].decide(agreed(of_ranks));
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
                               std::vector<Chosen>& of_ranks, std::span<const TensorShape> tensors) const {
    if (level == GravacLevel::dense)
        return {mean_of(views(corrected)), corrected, {dense_exchange(corrected[0].size(), ranks_)}, {}, {}, {}};
    std::vector<SparseMessage> messages;
    for (std::size_t t = 0; t < tensors.size(); ++t) {
        SparseMessage message{tensors[t].begin, tensors[t].end, {}, {}};
        for (std::size_t r = 0; r < ranks_; ++r) {
            Chosen& chosen = of_ranks[r];
            const auto values = std::span(corrected[r]).subspan(message.begin, message.end - message.begin);
            message.positions.push_back(std::move((level == GravacLevel::floor ? chosen.floor : chosen.candidate)[t]));
            message.values.push_back(gather(values, message.positions.back()));
        }
        messages.push_back(std::move(message));
    }
    const MessageForm form{positions_are_shared(params_.compressor), has_fixed_count(params_.compressor)};
    return sent_step(std::move(messages), ranks_, corrected[0].size(), params_, form);
}

std::unique_ptr<Compressor> make_compressor(const GravacParams& params, std::uint32_t ranks, std::uint64_t seed) {
    return std::make_unique<Gravac>(params, ranks, seed);
}

}   // namespace oscar

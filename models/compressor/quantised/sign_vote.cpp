#include "models/compressor/quantised/sign_vote.hpp"

#include "models/compressor/base/carrier.hpp"
#include "models/compressor/base/input.hpp"
#include "models/core/wide_loops.hpp"

namespace oscar {
namespace {

/// The sign of each value, `zero` of none.
std::vector<float> signs_of(std::span<const float> values, float zero) {
    std::vector<float> signs(values.size());
    in_wide_loops([&]() OSCAR_INLINE {
        for (std::size_t i = 0; i < values.size(); ++i) {
            const float negative = values[i] < 0 ? -1.0f : zero;
            signs[i] = values[i] > 0 ? 1.0f : negative;
        }
    });
    return signs;
}

class SignVote final : public Compressor {
public:
    SignVote(const SignVoteParams& params, std::uint32_t ranks)
        : abstain_(params.zeros == ZeroVote::abstain), ranks_(ranks) {}

    CompressionResult step(Gradients gradients, std::span<const TensorShape> tensors, Carrier& carrier) override {
        check_input(gradients, tensors, ranks_);
        const float zero = abstain_ ? 0.0f : 1.0f;
        const std::uint64_t elements = gradients[0].size();
        CompressionResult result;
        for (const auto gradient : gradients) result.sent.push_back(signs_of(gradient, zero));
        StepExchanges traffic(carrier, result);
        RankWords votes{ElementType::integer, 2, {}, elements};
        for (const std::vector<float>& sent : result.sent) votes.of_ranks.emplace_back(sent.begin(), sent.end());
        const auto counts =
            traffic.carry({.what = "votes", .carrier = CollectiveKind::reduce_scatter, .floats = elements}, votes);
        result.mean = signs_of(std::vector<float>(counts.begin(), counts.end()), zero);
        tell(result.mean, traffic);
        result.operations.elements = 4 * elements;
        result.operations.comparisons = 2 * elements;
        return result;
    }
    bool takes_error_feedback() const override { return false; }
    void reset() override {}

private:
    /// Each rank tells the signs of its share.
    void tell(std::span<const float> verdicts, StepExchanges& traffic) const {
        const std::uint32_t bits = abstain_ ? 2 : 1;
        const std::size_t share = (verdicts.size() + ranks_ - 1) / ranks_;
        RankWords words;
        words.represented = verdicts.size();
        for (std::size_t r = 0; r < ranks_; ++r) {
            std::vector<std::uint32_t> fields(share);
            for (std::size_t i = 0; i < share && r * share + i < verdicts.size(); ++i)
                fields[i] = static_cast<std::uint32_t>(static_cast<int>(verdicts[r * share + i])) & ((1U << bits) - 1);
            words.of_ranks.push_back(packed_fields(fields, bits));
        }
        traffic.carry({.what = "verdicts", .carrier = CollectiveKind::all_gather, .floats = share, .after = {0}},
                      words);
    }

    bool abstain_;
    std::uint32_t ranks_;
};

}   // namespace

std::unique_ptr<Compressor> make_compressor(const SignVoteParams& params, std::uint32_t ranks, std::uint64_t) {
    return std::make_unique<SignVote>(params, ranks);
}

}   // namespace oscar

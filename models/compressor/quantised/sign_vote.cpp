#include "models/compressor/quantised/sign_vote.hpp"

#include "models/compressor/base/input.hpp"
#include "models/compressor/base/quantised_wire.hpp"
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

    CompressionResult step(Gradients gradients, std::span<const TensorShape> tensors) override {
        check_input(gradients, tensors, ranks_);
        const float zero = abstain_ ? 0.0f : 1.0f;
        const std::uint64_t elements = gradients[0].size();
        CompressionResult result;
        for (const auto gradient : gradients) result.sent.push_back(signs_of(gradient, zero));
        result.mean = signs_of(sum_of(views(result.sent)), zero);
        result.exchanges = exchanges(elements);
        result.operations.elements = 4 * elements;
        result.operations.comparisons = 2 * elements;
        return result;
    }
    bool takes_error_feedback() const override { return false; }
    void reset() override {}

private:
    std::vector<Exchange> exchanges(std::uint64_t elements) const {
        const std::uint64_t count_bits = abstain_ ? signed_bits(ranks_) : std::bit_width(std::uint64_t{ranks_});
        const std::uint64_t share = (elements + ranks_ - 1) / ranks_;
        return {equal_exchange("votes", CollectiveKind::reduce_scatter, packed_bytes(elements, count_bits), elements,
                               ranks_),
                equal_exchange("verdicts", CollectiveKind::all_gather, packed_bytes(share, abstain_ ? 2 : 1), share,
                               ranks_, {0})};
    }

    bool abstain_;
    std::uint32_t ranks_;
};

}   // namespace

std::unique_ptr<Compressor> make_compressor(const SignVoteParams& params, std::uint32_t ranks, std::uint64_t) {
    return std::make_unique<SignVote>(params, ranks);
}

}   // namespace oscar

#include "models/compress/lossy/lhc.hpp"

#include <stdexcept>
#include <vector>

#include "models/compress/error_feedback.hpp"
#include "models/compress/lossy/input.hpp"
#include "models/compress/lossy/sparsify.hpp"

namespace oscar {
namespace {

class Lhc final : public Compressor {
public:
    Lhc(const LhcParams& params, std::uint32_t ranks) : params_(params), ranks_(ranks), memories_(ranks) {}

    LossyStep step(Gradients gradients, std::span<const TensorShape> tensors) override {
        check_input(gradients, tensors, ranks_);
        LossyStep result;
        LhcSum sum = params_.zeros > 0 ? sparse_sum(gradients, result.operations) : sum_of(gradients);
        for (float& value : sum.sum) value /= static_cast<float>(ranks_);
        result.mean = std::move(sum.sum);
        result.sent = std::move(sum.sent);
        result.exchanges = std::move(sum.exchanges);
        result.operations += sum.encoding;
        result.operations += sum.decoding;
        return result;
    }
    bool takes_error_feedback() const override { return false; }
    void reset() override { memories_.assign(ranks_, {}); }

private:
    LhcSum sum_of(Gradients gradients) const {
        return lhc_sum(gradients, lhc_shape(gradients[0].size(), params_.ratio, params_.lanes), params_);
    }

    // Of each rank gradient + residual without what is too small.
    LhcSum sparse_sum(Gradients gradients, Operations& work) {
        std::vector<std::vector<float>> corrected, sparse;
        for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
            if (!memories_[rank].residual().empty() && memories_[rank].residual().size() != gradients[rank].size())
                throw std::invalid_argument("lhc: the length of the gradients differs from that of the last step");
            auto& kept = sparse.emplace_back(corrected.emplace_back(memories_[rank].corrected(gradients[rank])));
            sparsify(kept, sparsify_threshold(kept, params_.zeros, Sparsify::exact_quantile));
        }
        LhcSum sum = sum_of(views(sparse));
        for (std::uint32_t rank = 0; rank < ranks_; ++rank) memories_[rank].keep(corrected[rank], sum.sent[rank]);
        work.elements += 2 * gradients[0].size();
        work.additions += 2 * gradients[0].size();
        work.comparisons += gradients[0].size();
        return sum;
    }

    LhcParams params_;
    std::uint32_t ranks_;
    std::vector<ErrorFeedback> memories_;   ///< per rank; empty but for `zeros`
};

}   // namespace

std::unique_ptr<Compressor> make_compressor(const LhcParams& params, std::uint32_t ranks, std::uint64_t) {
    return std::make_unique<Lhc>(params, ranks);
}

}   // namespace oscar

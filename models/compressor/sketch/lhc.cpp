#include "models/compressor/sketch/lhc.hpp"

#include "models/compressor/base/carrier.hpp"
#include "models/compressor/base/input.hpp"
#include "models/compressor/sparse/sparse_part.hpp"

namespace oscar {
namespace {

class Lhc final : public Compressor {
public:
    Lhc(const LhcParams& params, std::uint32_t ranks) : params_(params), ranks_(ranks), part_(ranks) {}

    CompressionResult step(Gradients gradients, std::span<const TensorShape> tensors, Carrier& carrier) override {
        check_input(gradients, tensors, ranks_);
        CompressionResult result;
        StepExchanges traffic(carrier, result);
        LhcSum sum = params_.zeros > 0 ? sparse_sum(gradients, traffic) : sum_of(gradients, traffic);
        for (float& value : sum.sum) value /= static_cast<float>(ranks_);
        result.mean = std::move(sum.sum);
        result.sent = std::move(sum.sent);
        result.operations += sum.decoding;
        return result;
    }
    bool takes_error_feedback() const override { return false; }
    void reset() override { part_ = SparsePart(ranks_); }

private:
    LhcSum sum_of(Gradients gradients, StepExchanges& traffic) const {
        return lhc_sum(gradients, lhc_shape(gradients[0].size(), params_.ratio, params_.lanes), params_, traffic);
    }

    LhcSum sparse_sum(Gradients gradients, StepExchanges& traffic) {
        ComputeCost sparsifying;
        const auto sparse = part_.sparsified(gradients, params_.zeros, Sparsify::exact_quantile, sparsifying);
        traffic.encode(sparsifying);
        LhcSum sum = sum_of(views(sparse), traffic);
        part_.keep(views(sum.sent));
        return sum;
    }

    LhcParams params_;
    std::uint32_t ranks_;
    SparsePart part_;   ///< the whole gradient; nothing waits but for `zeros`
};

}   // namespace

std::unique_ptr<Compressor> make_compressor(const LhcParams& params, std::uint32_t ranks, std::uint64_t) {
    return std::make_unique<Lhc>(params, ranks);
}

}   // namespace oscar

#include "models/compress/lossy/lhc.hpp"

#include "models/compress/lossy/input.hpp"

namespace oscar {
namespace {

class Lhc final : public Compressor {
public:
    Lhc(const LhcParams& params, std::uint32_t ranks) : params_(params), ranks_(ranks) {}

    LossyStep step(Gradients gradients, std::span<const TensorShape> tensors) override {
        check_input(gradients, tensors, ranks_);
        LhcSum sum = lhc_sum(gradients, lhc_shape(gradients[0].size(), params_.ratio, params_.lanes), params_);
        for (float& value : sum.sum) value /= static_cast<float>(ranks_);
        LossyStep result;
        result.mean = std::move(sum.sum);
        result.sent = std::move(sum.sent);
        result.exchanges = std::move(sum.exchanges);
        result.operations = sum.encoding;
        result.operations += sum.decoding;
        return result;
    }
    bool takes_error_feedback() const override { return false; }
    void reset() override {}

private:
    LhcParams params_;
    std::uint32_t ranks_;
};

}   // namespace

std::unique_ptr<Compressor> make_compressor(const LhcParams& params, std::uint32_t ranks, std::uint64_t) {
    return std::make_unique<Lhc>(params, ranks);
}

}   // namespace oscar

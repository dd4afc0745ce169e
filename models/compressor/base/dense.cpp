#include "models/compressor/base/dense.hpp"

#include "models/compressor/base/carrier.hpp"
#include "models/compressor/base/input.hpp"

namespace oscar {
namespace {

class Dense final : public Compressor {
public:
    explicit Dense(std::uint32_t ranks) : ranks_(ranks) {}

    CompressionResult step(Gradients gradients, std::span<const TensorShape> tensors, Carrier& carrier) override {
        check_input(gradients, tensors, ranks_);
        CompressionResult result;
        result.mean = StepExchanges(carrier, result).mean(dense_exchange(), gradients);
        for (const auto gradient : gradients) result.sent.emplace_back(gradient.begin(), gradient.end());
        return result;
    }
    bool takes_error_feedback() const override { return false; }   // nothing is left out
    void reset() override {}

private:
    std::uint32_t ranks_;
};

}   // namespace

WordExchange dense_exchange() { return {.what = "gradient"}; }

std::unique_ptr<Compressor> make_compressor(const DenseParams&, std::uint32_t ranks, std::uint64_t) {
    return std::make_unique<Dense>(ranks);
}

}   // namespace oscar

#include "models/compressor/base/dense.hpp"

#include "models/compressor/base/input.hpp"

namespace oscar {
namespace {

class Dense final : public Compressor {
public:
    explicit Dense(std::uint32_t ranks) : ranks_(ranks) {}

    CompressionResult step(Gradients gradients, std::span<const TensorShape> tensors) override {
        check_input(gradients, tensors, ranks_);
        CompressionResult result;
        result.mean = mean_of(gradients);
        for (const auto gradient : gradients) result.sent.emplace_back(gradient.begin(), gradient.end());
        result.exchanges.push_back(dense_exchange(gradients[0].size(), ranks_));
        return result;
    }
    void reset() override {}

private:
    std::uint32_t ranks_;
};

}   // namespace

Exchange dense_exchange(std::uint64_t elements, std::uint32_t ranks) {
    const std::uint64_t bytes = sizeof(float) * elements;
    return {"gradient", CollectiveKind::all_reduce, std::vector(ranks, bytes), bytes, elements, {}};
}

std::unique_ptr<Compressor> make_compressor(const DenseParams&, std::uint32_t ranks, std::uint64_t) {
    return std::make_unique<Dense>(ranks);
}

}   // namespace oscar

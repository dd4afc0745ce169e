#include "models/compressor/quantised/terngrad.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <stdexcept>

#include "models/compressor/base/input.hpp"
#include "models/compressor/base/norms.hpp"
#include "models/compressor/base/quantised_wire.hpp"
#include "models/compressor/base/stochastic_rounding.hpp"

namespace oscar {
namespace {

std::uint64_t bytes_of(std::uint64_t elements, TernaryPacking packing) {
    switch (packing) {
        case TernaryPacking::two_bits:
            return packed_bytes(elements, 2);
        case TernaryPacking::five_in_a_byte:
            return (elements + 4) / 5;
        case TernaryPacking::byte:
            return elements;
    }
    return 0;
}

/// The magnitude at which a tensor is clipped.
float limit_of(std::span<const float> tensor, double clip) {
    const double deviation = clip > 0 ? standard_deviation(tensor) : 0;
    return deviation > 0 ? static_cast<float>(clip * deviation) : std::numeric_limits<float>::infinity();
}

class TernGrad final : public Compressor {
public:
    TernGrad(const TernGradParams& params, std::uint32_t ranks, std::uint64_t seed)
        : params_(params), ranks_(ranks), seed_(seed) {}

    CompressionResult step(Gradients gradients, std::span<const TensorShape> tensors) override {
        check_input(gradients, tensors, ranks_);
        CompressionResult result;
        result.sent.assign(ranks_, std::vector<float>(gradients[0].size()));
        result.mean.resize(gradients[0].size());
        for (std::size_t t = 0; t < tensors.size(); ++t) step_tensor(gradients, tensors, t, result);
        if (params_.scaler == Scaler::own) result.mean = mean_of(views(result.sent));
        result.exchanges = exchanges(gradients[0].size(), tensors.size());
        result.operations = operations(gradients[0].size());
        ++step_;
        return result;
    }
    void reset() override { step_ = 0; }

private:
    /// Fills in what the ranks say of tensor t and, of a shared scaler, the mean.
    void step_tensor(Gradients gradients, std::span<const TensorShape> tensors, std::size_t t,
                     CompressionResult& result) const {
        const TensorShape& place = tensors[t];
        const std::uint64_t size = place.end - place.begin;
        const auto part = [&](std::size_t r) { return gradients[r].subspan(place.begin, size); };
        std::vector<float> limits, scalers;
        for (std::size_t r = 0; r < ranks_; ++r) {
            limits.push_back(limit_of(part(r), params_.clip));
            scalers.push_back(std::min(limits[r], max_magnitude(part(r))));
        }
        if (params_.scaler == Scaler::shared) scalers.assign(ranks_, *std::ranges::max_element(scalers));
        std::vector<std::int8_t> codes(size);
        std::vector<std::int32_t> sum(size);
        for (std::size_t r = 0; r < ranks_; ++r) {
            const std::array scale{level_scale(1, scalers[r])};
            round_stochastically(part(r), {scale, size, 1, limits[r]}, random_key(seed_, step_, r, t), codes);
            for (std::size_t i = 0; i < size; ++i) result.sent[r][place.begin + i] = scalers[r] * codes[i];
            std::ranges::transform(sum, codes, sum.begin(), std::plus{});
        }
        if (params_.scaler == Scaler::shared)
            for (std::size_t i = 0; i < size; ++i)
                result.mean[place.begin + i] = scalers[0] * (static_cast<float>(sum[i]) / static_cast<float>(ranks_));
    }

    std::vector<Exchange> exchanges(std::uint64_t elements, std::uint64_t tensors) const {
        const std::uint64_t scaler_bytes = sizeof(float) * tensors;
        if (params_.scaler == Scaler::own)
            return {equal_exchange("ternary values and scalers", CollectiveKind::all_gather,
                                   bytes_of(elements, params_.packing) + scaler_bytes, elements + tensors, ranks_)};
        return {equal_exchange("scalers", CollectiveKind::all_reduce, scaler_bytes, tensors, ranks_),
                equal_exchange("ternary values", CollectiveKind::all_reduce,
                               packed_bytes(elements, signed_bits(ranks_)), elements, ranks_, {0})};
    }

    ComputeCost operations(std::uint64_t elements) const {
        const std::uint64_t decoded = params_.scaler == Scaler::own ? ranks_ : 1;
        const std::uint64_t for_clipping = params_.clip > 0 ? 2 : 0;   // mean, then deviation
        ComputeCost result;
        result.elements = (3 + for_clipping + decoded) * elements;
        result.comparisons = 2 * elements;
        result.additions = (for_clipping + decoded) * elements;
        result.multiplications = (1 + for_clipping / 2 + decoded) * elements;
        result.draws = elements;
        return result;
    }

    TernGradParams params_;
    std::uint32_t ranks_;
    std::uint64_t seed_, step_ = 0;
};

}   // namespace

std::unique_ptr<Compressor> make_compressor(const TernGradParams& params, std::uint32_t ranks, std::uint64_t seed) {
    if (!(params.clip >= 0)) throw std::invalid_argument("clip must be 0 or more");
    return std::make_unique<TernGrad>(params, ranks, seed);
}

}   // namespace oscar

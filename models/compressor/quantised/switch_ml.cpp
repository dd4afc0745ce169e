#include "models/compressor/quantised/switch_ml.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "models/compressor/base/input.hpp"
#include "models/compressor/base/norms.hpp"
#include "models/compressor/base/quantised_wire.hpp"

namespace oscar {
namespace {

constexpr std::uint64_t exponent_bytes = 2;   // -148 .. 128

class SwitchMl final : public Compressor {
public:
    SwitchMl(const SwitchMlParams& params, std::uint32_t ranks) : params_(params), ranks_(ranks) {}

    CompressionResult step(Gradients gradients, std::span<const TensorShape> tensors) override {
        check_input(gradients, tensors, ranks_);
        const std::uint64_t elements = gradients[0].size();
        CompressionResult result;
        result.mean.resize(elements);
        result.sent.assign(ranks_, std::vector<float>(elements));
        std::uint64_t packets = 0;
        for (const TensorShape& tensor : tensors)
            for (std::uint64_t begin = tensor.begin; begin < tensor.end; begin += params_.packet, ++packets)
                step_packet(gradients, begin, std::min(begin + params_.packet, tensor.end), result);
        result.exchanges = {
            equal_exchange("exponents", CollectiveKind::all_reduce, exponent_bytes * packets, packets, ranks_),
            equal_exchange("integers", CollectiveKind::all_reduce, sizeof(std::int32_t) * elements, elements, ranks_,
                           {0})};
        result.operations.elements = 4 * elements;
        result.operations.comparisons = elements;
        result.operations.multiplications = 2 * elements;
        return result;
    }
    void reset() override {}

private:
    /// 2^e above every magnitude of the packet; 0 for zeros.
    double above_all(Gradients gradients, std::uint64_t begin, std::uint64_t end) const {
        float largest = 0;
        for (const auto gradient : gradients)
            largest = std::max(largest, max_magnitude(gradient.subspan(begin, end - begin)));
        return largest > 0 ? std::ldexp(1.0, std::ilogb(largest) + 1) : 0;
    }

    void step_packet(Gradients gradients, std::uint64_t begin, std::uint64_t end, CompressionResult& result) const {
        const double limit = above_all(gradients, begin, end);
        if (limit == 0) return;
        constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
        const double scale = most / (ranks_ * limit);
        const std::int32_t share = most / static_cast<std::int32_t>(ranks_);
        const double own_most = share;   // rounding up must not pass it
        for (std::uint64_t i = begin; i < end; ++i) {
            std::int32_t sum = 0;
            for (std::size_t r = 0; r < ranks_; ++r) {
                const double exact = std::nearbyint(static_cast<double>(gradients[r][i]) * scale);
                const auto integer = static_cast<std::int32_t>(std::clamp(exact, -own_most, own_most));
                result.sent[r][i] = static_cast<float>(integer / scale);
                sum += integer;
            }
            result.mean[i] = static_cast<float>(sum / scale / ranks_);
        }
    }

    SwitchMlParams params_;
    std::uint32_t ranks_;
};

}   // namespace

std::unique_ptr<Compressor> make_compressor(const SwitchMlParams& params, std::uint32_t ranks, std::uint64_t) {
    if (params.packet == 0) throw std::invalid_argument("packet is 0; write at least 1");
    return std::make_unique<SwitchMl>(params, ranks);
}

}   // namespace oscar

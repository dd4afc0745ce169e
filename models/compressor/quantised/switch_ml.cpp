#include "models/compressor/quantised/switch_ml.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "models/compressor/base/carrier.hpp"
#include "models/compressor/base/input.hpp"
#include "models/compressor/base/norms.hpp"

namespace oscar {
namespace {

class SwitchMl final : public Compressor {
public:
    SwitchMl(const SwitchMlParams& params, std::uint32_t ranks) : params_(params), ranks_(ranks) {}

    CompressionResult step(Gradients gradients, std::span<const TensorShape> tensors, Carrier& carrier) override {
        check_input(gradients, tensors, ranks_);
        const std::uint64_t elements = gradients[0].size();
        CompressionResult result;
        result.mean.resize(elements);
        result.sent.assign(ranks_, std::vector<float>(elements));
        StepExchanges traffic(carrier, result);
        const std::vector<double> limits = agreed_limits(gradients, packets_of(tensors), traffic);
        send_integers(gradients, packets_of(tensors), limits, traffic, result);
        result.operations.elements = 4 * elements;
        result.operations.comparisons = elements;
        result.operations.multiplications = 2 * elements;
        return result;
    }
    void reset() override {}

private:
    std::vector<TensorShape> packets_of(std::span<const TensorShape> tensors) const {
        std::vector<TensorShape> packets;
        for (const TensorShape& tensor : tensors)
            for (std::uint64_t begin = tensor.begin; begin < tensor.end; begin += params_.packet)
                packets.push_back({begin, std::min(begin + params_.packet, tensor.end)});
        return packets;
    }

    /// Per packet 2^e above every magnitude; 0 for zeros. The ranks agree by the largest of each.
    std::vector<double> agreed_limits(Gradients gradients, const std::vector<TensorShape>& packets,
                                      StepExchanges& traffic) const {
        RankWords words{.type = ElementType::magnitude};
        for (const auto gradient : gradients) {
            std::vector<float> peaks;
            peaks.reserve(packets.size());
            for (const TensorShape& packet : packets)
                peaks.push_back(max_magnitude(gradient.subspan(packet.begin, packet.end - packet.begin)));
            words.of_ranks.push_back(words_of_floats(peaks));
        }
        std::vector<double> limits;
        for (const float peak : floats_of_words(traffic.carry({.what = "peaks", .floats = packets.size()}, words)))
            limits.push_back(peak > 0 ? std::ldexp(1.0, std::ilogb(peak) + 1) : 0);
        return limits;
    }

    double scale_of(double limit) const { return std::numeric_limits<std::int32_t>::max() / (ranks_ * limit); }

    void send_integers(Gradients gradients, const std::vector<TensorShape>& packets, const std::vector<double>& limits,
                       StepExchanges& traffic, CompressionResult& result) const {
        const std::uint64_t elements = gradients[0].size();
        const std::int32_t share = std::numeric_limits<std::int32_t>::max() / static_cast<std::int32_t>(ranks_);
        const double own_most = share;   // rounding up must not pass it
        RankWords words{.type = ElementType::int32};
        words.represented = elements;
        for (std::size_t r = 0; r < ranks_; ++r) {
            auto& integers = words.of_ranks.emplace_back(elements);
            for (std::size_t p = 0; p < packets.size(); ++p) {
                if (limits[p] == 0) continue;
                const double scale = scale_of(limits[p]);
                for (std::uint64_t i = packets[p].begin; i < packets[p].end; ++i) {
                    const double exact = std::nearbyint(static_cast<double>(gradients[r][i]) * scale);
                    integers[i] = static_cast<std::int32_t>(std::clamp(exact, -own_most, own_most));
                    result.sent[r][i] = static_cast<float>(integers[i] / scale);
                }
            }
        }
        const auto sum = traffic.carry({.what = "integers", .floats = elements, .after = {0}}, words);
        for (std::size_t p = 0; p < packets.size(); ++p)
            for (std::uint64_t i = packets[p].begin; i < packets[p].end && limits[p] > 0; ++i)
                result.mean[i] = static_cast<float>(sum[i] / scale_of(limits[p]) / ranks_);
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

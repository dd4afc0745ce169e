#include "models/compressor/sparse/dgc.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "models/compressor/base/carrier.hpp"
#include "models/compressor/base/dense.hpp"
#include "models/compressor/base/input.hpp"
#include "models/compressor/base/magnitude.hpp"
#include "models/compressor/sparse/selectors.hpp"

namespace oscar {
namespace {

class Dgc final : public Compressor {
public:
    Dgc(const DgcParams& params, std::uint32_t ranks, std::uint64_t seed)
        : params_(params), selector_(static_cast<const DgcSelect&>(params)), seed_(seed), memories_(ranks) {
        check_wire(params);
        check_factor(params.factor);
    }

    CompressionResult step(Gradients gradients, std::span<const TensorShape> tensors, Carrier& carrier) override {
        check_input(gradients, tensors, memories_.size());
        if (steps_ > 0 && memories_[0].velocity().size() != gradients[0].size())
            throw std::invalid_argument("the length of the gradients differs from that of the last step");
        const std::vector<std::vector<float>> clipped = clipped_all(gradients);
        CompressionResult result = sparse_part(clipped, tensors, carrier);
        for (const TensorShape& tensor : tensors)
            if (stays_dense(tensor)) dense_part(clipped, tensor, carrier, result);
        ++steps_;
        return result;
    }
    bool takes_error_feedback() const override { return false; }
    bool has_momentum() const override { return params_.momentum > 0; }
    void end_epoch(double) override { ++epoch_; }
    void reset() override {
        memories_.assign(memories_.size(), {});
        steps_ = 0;
        epoch_ = 0;
    }

private:
    bool stays_dense(const TensorShape& tensor) const {
        return tensor.rows == 0 && params_.vectors == VectorTensors::dense;
    }
    Momentum momentum() const { return {params_.momentum, params_.nesterov}; }

    std::vector<std::vector<float>> clipped_all(Gradients gradients) const {
        std::vector<std::vector<float>> result;
        for (const auto gradient : gradients) {
            result.emplace_back(gradient.begin(), gradient.end());
            if (params_.clip_norm == 0) continue;
            const double most = params_.clip_norm / std::sqrt(static_cast<double>(gradients.size()));
            const double norm = std::sqrt(squared_norm(gradient));
            if (norm > most)
                for (float& value : result.back()) value *= static_cast<float>(most / norm);
        }
        return result;
    }

    CompressionResult sparse_part(const std::vector<std::vector<float>>& gradients,
                                  std::span<const TensorShape> tensors, Carrier& carrier) {
        const std::uint64_t elements = gradients[0].size();
        for (VelocityMemory& memory : memories_) memory.resize(elements);
        std::vector<ComputeCost> operations(memories_.size());
        std::vector<SparseMessage> messages;
        for (std::size_t t = 0; t < tensors.size(); ++t)
            if (!stays_dense(tensors[t])) messages.push_back(message(gradients, tensors[t], t, operations));
        CompressionResult result =
            sent_step(std::move(messages), memories_.size(), elements, params_, {false, false}, carrier);
        result.operations += busiest(operations);
        return result;
    }

    SparseMessage message(const std::vector<std::vector<float>>& gradients, const TensorShape& tensor, std::size_t t,
                          std::vector<ComputeCost>& operations) {
        SparseMessage result{tensor.begin, tensor.end, {}, {}};
        const std::uint64_t size = tensor.end - tensor.begin;
        for (std::size_t r = 0; r < memories_.size(); ++r) {
            VelocityMemory& memory = memories_[r];
            memory.accumulate(tensor.begin, std::span(gradients[r]).subspan(tensor.begin, size), momentum());
            operations[r].additions += 2 * size;
            operations[r].multiplications += size;
            const auto unsent = memory.unsent().subspan(tensor.begin, size);
            const SelectionInput input{unsent, warmup_factor(params_, epoch_),
                                       random_key(selector_, seed_, steps_, t, r)};
            Positions positions = select(selector_, input, operations[r]);
            result.values.push_back(gather(unsent, positions));
            memory.clear(tensor.begin, positions, params_.masking);
            result.positions.push_back(std::move(positions));
        }
        return result;
    }

    /// Averaged first; the velocity of the average is the same on all ranks and kept by the memory of rank 0.
    void dense_part(const std::vector<std::vector<float>>& gradients, const TensorShape& tensor, Carrier& carrier,
                    CompressionResult& result) {
        std::vector<std::span<const float>> parts;
        for (std::size_t r = 0; r < gradients.size(); ++r) {
            parts.push_back(std::span(gradients[r]).subspan(tensor.begin, tensor.end - tensor.begin));
            std::ranges::copy(parts[r], result.sent[r].begin() + static_cast<std::ptrdiff_t>(tensor.begin));
        }
        std::vector<float> averaged = StepExchanges(carrier, result).mean(dense_exchange(), parts);
        memories_[0].apply(tensor.begin, averaged, momentum());
        std::ranges::copy(averaged, result.mean.begin() + static_cast<std::ptrdiff_t>(tensor.begin));
        result.operations.additions += averaged.size();
        result.operations.multiplications += averaged.size();
    }

    DgcParams params_;
    Selector selector_;
    std::uint64_t seed_;
    std::vector<VelocityMemory> memories_;   ///< per rank
    std::uint64_t steps_ = 0;
    std::uint32_t epoch_ = 0;
};

}   // namespace

double warmup_factor(const DgcParams& params, std::uint32_t epoch) {
    if (epoch >= params.warmup_epochs) return params.factor;
    return std::pow(params.factor, (epoch + 1.0) / (params.warmup_epochs + 1.0));
}

std::unique_ptr<Compressor> make_compressor(const DgcParams& params, std::uint32_t ranks, std::uint64_t seed) {
    return std::make_unique<Dgc>(params, ranks, seed);
}

}   // namespace oscar

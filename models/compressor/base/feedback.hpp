// Error feedback around a compressor: what a message leaves out is added to the rank's next gradient.
#pragma once

#include "models/compressor/base/compressor.hpp"

namespace oscar {

/// Gives `inner` each rank's gradient plus residual, and keeps the part of it that was not `sent`. Laws: sum of
/// gradients == sum of what was sent + residual, but for fp32 rounding; for compressors that send elements as they are,
/// each step bit for bit. Times and ends of epochs pass through. Source: Karimireddy et al., ICML 2019, Algorithm 1.
class ErrorFed final : public Compressor {
public:
    /// Throws std::invalid_argument if inner takes none.
    explicit ErrorFed(std::unique_ptr<Compressor> inner);
    /// Also throws if the length differs from that of the steps before. A step that throws forgets the residuals.
    CompressionResult step(std::span<const std::span<const float>> gradients, std::span<const TensorShape> tensors,
                           Carrier& carrier) override;
    using Compressor::step;
    bool takes_error_feedback() const override { return false; }
    void completed(const StepTime& time) override { inner_->completed(time); }
    void end_epoch(double learning_rate) override { inner_->end_epoch(learning_rate); }
    void reset() override;
    /// The residual of one rank; empty before the first step.
    std::span<const float> residual(std::size_t rank) const;

private:
    void add(std::span<const std::span<const float>> gradients);

    std::unique_ptr<Compressor> inner_;
    std::vector<std::vector<float>> memories_;   ///< per rank; none before the first step
};

/// `inner` with error feedback if it takes any, else as it is.
std::unique_ptr<Compressor> with_error_feedback(std::unique_ptr<Compressor> inner);

}   // namespace oscar

#include "models/compressor/base/feedback.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "models/compressor/base/input.hpp"

namespace oscar {

ErrorFed::ErrorFed(std::unique_ptr<Compressor> inner) : inner_(std::move(inner)) {
    if (!inner_->takes_error_feedback())
        throw std::invalid_argument(
            "this compressor takes no error feedback: it has its own memory, or its messages are estimates");
}

CompressionResult ErrorFed::step(Gradients gradients, std::span<const TensorShape> tensors, Carrier& carrier) {
    check_input(gradients, tensors, memories_.empty() ? gradients.size() : memories_.size());
    if (!memories_.empty() && residual(0).size() != gradients[0].size())
        throw std::invalid_argument("the length of the gradients differs from that of the last step");
    add(gradients);
    CompressionResult result;
    try {
        result = inner_->step(views(memories_), tensors, carrier);
    } catch (...) {
        memories_.clear();   // they hold the gradients of a step that was not sent
        throw;
    }
    for (std::size_t r = 0; r < gradients.size(); ++r)
        std::ranges::transform(memories_[r], result.sent[r], memories_[r].begin(), std::minus{});
    result.operations.additions += 2 * gradients[0].size();
    result.operations.elements += 2 * gradients[0].size();
    return result;
}

void ErrorFed::reset() {
    memories_.clear();
    inner_->reset();
}

std::span<const float> ErrorFed::residual(std::size_t rank) const {
    return memories_.empty() ? std::span<const float>{} : std::span<const float>(memories_[rank]);
}

/// Makes each memory its rank's gradient plus residual, in place: gradients are large.
void ErrorFed::add(Gradients gradients) {
    if (memories_.empty()) {
        for (const auto gradient : gradients) memories_.emplace_back(gradient.begin(), gradient.end());
        return;
    }
    for (std::size_t r = 0; r < gradients.size(); ++r)
        std::ranges::transform(gradients[r], memories_[r], memories_[r].begin(), std::plus{});
}

std::unique_ptr<Compressor> with_error_feedback(std::unique_ptr<Compressor> inner) {
    if (!inner->takes_error_feedback()) return inner;
    return std::make_unique<ErrorFed>(std::move(inner));
}

}   // namespace oscar

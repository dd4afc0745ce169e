#include "models/compressor/base/feedback.hpp"

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
    std::vector<std::vector<float>> all;
    for (std::size_t r = 0; r < gradients.size(); ++r) all.push_back(corrected(r, gradients[r]));
    CompressionResult result = inner_->step(views(all), tensors, carrier);
    memories_.resize(gradients.size());
    for (std::size_t r = 0; r < gradients.size(); ++r) memories_[r].keep(all[r], result.sent[r]);
    result.operations.additions += 2 * gradients[0].size();
    result.operations.elements += 2 * gradients[0].size();
    return result;
}

void ErrorFed::reset() {
    memories_.clear();
    inner_->reset();
}

std::span<const float> ErrorFed::residual(std::size_t rank) const {
    return memories_.empty() ? std::span<const float>{} : memories_[rank].residual();
}

std::vector<float> ErrorFed::corrected(std::size_t rank, std::span<const float> gradient) const {
    return memories_.empty() ? std::vector<float>(gradient.begin(), gradient.end())
                             : memories_[rank].corrected(gradient);
}

std::unique_ptr<Compressor> with_error_feedback(std::unique_ptr<Compressor> inner) {
    if (!inner->takes_error_feedback()) return inner;
    return std::make_unique<ErrorFed>(std::move(inner));
}

}   // namespace oscar

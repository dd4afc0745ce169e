#include "models/compressor/adaptive/accordion.hpp"

#include <utility>

#include "models/compressor/adaptive/accordion_controller.hpp"
#include "models/compressor/base/carrier.hpp"
#include "models/compressor/base/feedback.hpp"
#include "models/compressor/base/input.hpp"

namespace oscar {
namespace {

class Accordion final : public Compressor {
public:
    Accordion(const AccordionParams& params, std::uint32_t ranks, std::unique_ptr<Adjustable> adjustable)
        : params_(params), ranks_(ranks), adjustable_(*adjustable), compressor_(std::move(adjustable)) {
        if (params.error_feedback) compressor_ = std::make_unique<ErrorFed>(std::move(compressor_));
        check_factor(params.low);
        check_factor(params.high);
    }

    CompressionResult step(Gradients gradients, std::span<const TensorShape> tensors, Carrier& carrier) override {
        check_input(gradients, tensors, ranks_);
        const bool news = decide(gradients[0], tensors);
        adjustable_.set_factors(factors());
        CompressionResult told;
        if (news) tell(StepExchanges(carrier, told));
        CompressionResult result = compressor_->step(gradients, tensors, carrier);
        if (news) put_first(told.exchanges[0], result);
        if (params_.reduction == Reduction::sum)
            for (float& value : result.mean) value *= static_cast<float>(ranks_);
        result.factors = factors();
        result.operations.additions += gradients[0].size();
        result.operations.elements += gradients[0].size();
        return result;
    }
    bool takes_error_feedback() const override { return false; }
    void completed(const StepTime& time) override { compressor_->completed(time); }
    void end_epoch(double learning_rate) override {
        compressor_->end_epoch(learning_rate);
        if (params_.rule == AccordionRule::authors) news_ = epochs_.end_epoch(learning_rate);
    }
    void reset() override {
        compressor_->reset();
        epochs_ = new_epochs();
        steps_ = new_steps();
        news_ = false;
    }

private:
    EpochRegimes new_epochs() const { return {params_.period, params_.threshold}; }
    StepRegime new_steps() const { return {params_.window, params_.smoothing, params_.threshold}; }

    /// The regimes of this step. Whether rank 0 has to tell them.
    bool decide(std::span<const float> gradient, std::span<const TensorShape> tensors) {
        if (params_.rule == AccordionRule::per_iteration) {
            critical_.assign(tensors.size(), steps_.critical(gradient, tensors));
            return true;
        }
        epochs_.add(gradient, tensors);
        critical_ = epochs_.critical();
        return std::exchange(news_, false);
    }

    std::vector<double> factors() const {
        std::vector<double> result;
        for (const bool critical : critical_) result.push_back(critical ? params_.low : params_.high);
        return result;
    }

    /// The regimes, a byte a tensor, of rank 0.
    void tell(StepExchanges traffic) const {
        const std::vector<std::uint8_t> regimes(critical_.begin(), critical_.end());
        const RankWords words{.of_ranks = {ranks_, words_of_bytes(regimes)}};
        traffic.carry({.what = "regimes", .carrier = CollectiveKind::broadcast}, words);
    }

    AccordionParams params_;
    std::uint32_t ranks_;
    Adjustable& adjustable_;   ///< within compressor_
    std::unique_ptr<Compressor> compressor_;
    EpochRegimes epochs_ = new_epochs();
    StepRegime steps_ = new_steps();
    std::vector<bool> critical_;   ///< per tensor
    bool news_ = false;
};

}   // namespace

std::unique_ptr<Compressor> make_compressor(const AccordionParams& params, std::uint32_t ranks, std::uint64_t seed) {
    const auto make = [&](const auto& kind) -> std::unique_ptr<Adjustable> {
        return make_compressor(kind, ranks, seed);
    };
    return std::make_unique<Accordion>(params, ranks, std::visit(make, params.compressor.params));
}

}   // namespace oscar

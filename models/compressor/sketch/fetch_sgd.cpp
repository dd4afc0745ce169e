#include "models/compressor/sketch/fetch_sgd.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>

#include "models/compressor/base/carrier.hpp"
#include "models/compressor/base/input.hpp"
#include "models/compressor/base/integer_codes.hpp"

namespace oscar {
namespace {

SketchShape shape_of(const CountSketchParams& params, std::uint64_t elements) {
    const double columns = static_cast<double>(elements) / params.ratio / params.rows;
    return {params.rows, params.columns > 0 ? params.columns : static_cast<std::uint32_t>(columns), params.blocks};
}

RecoveryParams recovery_of(const CountSketchParams& params, const SketchHash& hash) {
    RecoveryParams recovery{0, params.epsilon, params.momentum, params.accumulate, params.removal, params.rate};
    if (params.epsilon > 0) return recovery;
    const auto k = static_cast<std::uint64_t>(params.kept * hash.shape().columns);
    if (k == 0)
        throw std::invalid_argument("count_sketch: kept " + std::to_string(params.kept) + " of " +
                                    std::to_string(hash.shape().columns) +
                                    " columns is no element; keep more or compress less");
    recovery.k = std::min(k, hash.elements());
    return recovery;
}

class FetchSgd final : public Compressor {
public:
    FetchSgd(const CountSketchParams& params, std::uint32_t ranks, std::uint64_t seed)
        : params_(params), ranks_(ranks), seed_(seed) {}

    CompressionResult step(Gradients gradients, std::span<const TensorShape> tensors, Carrier& carrier) override {
        check_input(gradients, tensors, ranks_);
        prepare(gradients[0].size());
        CompressionResult result;
        CountSketch<float> sum(*hash_);
        RankWords words;
        words.represented = gradients[0].size();
        for (const auto gradient : gradients) words.of_ranks.push_back(words_of_floats(sketch_of(gradient).table()));
        sum.set_table(floats_of_words(
            StepExchanges(carrier, result).carry({.what = "sketch", .floats = sum.table().size()}, words)));
        sum.scale(1 / static_cast<float>(ranks_));
        result.mean = server_->step(sum, learning_rate_);
        for (float& value : result.mean) value /= learning_rate_;   // which the optimiser applies
        for (const auto gradient : gradients) result.sent.emplace_back(gradient.begin(), gradient.end());
        result.operations = operations();
        return result;
    }
    bool takes_error_feedback() const override { return false; }
    bool has_momentum() const override { return params_.momentum > 0; }
    void end_epoch(double learning_rate) override {
        if (learning_rate > 0) learning_rate_ = static_cast<float>(learning_rate);
    }
    void reset() override {
        server_.reset();
        learning_rate_ = 1;
    }

private:
    void prepare(std::uint64_t elements) {
        if (server_ && hash_->elements() == elements) return;
        hash_.emplace(elements, shape_of(params_, elements), seed_);
        server_.emplace(*hash_, recovery_of(params_, *hash_));
    }

    CountSketch<float> sketch_of(std::span<const float> gradient) const {
        CountSketch<float> sketch(*hash_);
        sketch.add(gradient);
        const double norm = params_.clip > 0 ? sketch.l2_estimate() : 0;
        if (norm > params_.clip) sketch.scale(static_cast<float>(params_.clip / norm));
        return sketch;
    }

    // Each rank sketches its gradient and recovers from the sum by itself.
    ComputeCost operations() const {
        const std::uint64_t elements = hash_->elements(), rows = params_.rows;
        ComputeCost work;
        work.elements = 2 * elements;
        work.hashes = 2 * (2 * rows * elements);   // column and sign, to sketch and to estimate
        work.additions = rows * elements + 2 * rows * hash_->shape().columns;
        work.comparisons = (rows + 1) * elements;   // medians, and the selection
        return work;
    }

    CountSketchParams params_;
    std::uint32_t ranks_;
    std::uint64_t seed_;
    float learning_rate_ = 1;
    std::optional<SketchHash> hash_;
    std::optional<HeavyHitters> server_;
};

}   // namespace

HeavyHitters::HeavyHitters(const SketchHash& hash, const RecoveryParams& params)
    : params_(params), momentum_(hash), error_(hash) {}

std::vector<float> HeavyHitters::step(const CountSketch<float>& sketch, float learning_rate) {
    if (!(learning_rate > 0))
        throw std::invalid_argument("a learning rate of " + std::to_string(learning_rate) + ": it must be above 0");
    momentum_.scale(static_cast<float>(params_.momentum));
    momentum_ += sketch;
    CountSketch<float> entering = momentum_;
    if (params_.rate == RateIn::error) entering.scale(learning_rate);
    if (!params_.accumulate) error_.clear();
    error_ += entering;
    std::vector<float> change =
        params_.k > 0 ? unsketch_largest(error_, params_.k) : unsketch_above(error_, params_.epsilon);
    if (params_.removal == Removal::zero) {
        error_.clear_cells_of(change);
        momentum_.clear_cells_of(change);
    } else {
        CountSketch<float> removed(error_.hash());
        removed.add(change);
        removed.scale(-1);
        error_ += removed;
    }
    if (params_.rate == RateIn::recovered)
        for (float& value : change) value *= learning_rate;
    return change;
}

std::unique_ptr<Compressor> make_compressor(const CountSketchParams& params, std::uint32_t ranks, std::uint64_t seed) {
    return std::make_unique<FetchSgd>(params, ranks, seed);
}

}   // namespace oscar

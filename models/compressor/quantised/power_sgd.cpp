#include "models/compressor/quantised/power_sgd.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

#include "models/compressor/base/input.hpp"
#include "models/compressor/base/quantised_wire.hpp"
#include "models/compressor/base/stochastic_rounding.hpp"
#include "models/compressor/quantised/low_rank.hpp"

namespace oscar {
namespace {

/// A matrix and its factors as they are between steps.
struct Matrix {
    TensorShape place;
    std::uint64_t rows = 0, width = 0, rank = 0;
    Columns left, right;   ///< of `rows` and of `width`
    std::uint64_t left_key = 0, right_key = 0;

    std::span<const float> of(std::span<const float> gradient) const {
        return gradient.subspan(place.begin, place.end - place.begin);
    }
};

/// The mean over the ranks of product(matrix of the rank), summed in the order of the ranks.
template <class Product>
Columns mean_product(const Matrix& matrix, Gradients gradients, const Product& product) {
    Columns mean = product(matrix.of(gradients[0]));
    for (const auto gradient : gradients.subspan(1))
        std::ranges::transform(mean.values, product(matrix.of(gradient)).values, mean.values.begin(), std::plus{});
    for (float& value : mean.values) value /= static_cast<float>(gradients.size());
    return mean;
}

Columns mean_left(const Matrix& matrix, Gradients gradients) {
    return mean_product(matrix, gradients, [&](auto values) { return times(values, matrix.rows, matrix.right); });
}
Columns mean_right(const Matrix& matrix, Gradients gradients) {
    return mean_product(matrix, gradients,
                        [&](auto values) { return transposed_times(values, matrix.rows, matrix.left); });
}

/// The columns that both have.
void go_on(const Columns& from, Columns& to) {
    std::copy_n(from.values.begin(), std::min(from.values.size(), to.values.size()), to.values.begin());
}

class PowerSgd final : public Adjustable {
public:
    PowerSgd(const PowerSgdParams& params, std::uint32_t ranks, std::uint64_t seed)
        : params_(params), ranks_(ranks), seed_(seed) {}

    CompressionResult step(Gradients gradients, std::span<const TensorShape> tensors) override {
        check_input(gradients, tensors, ranks_);
        if (step_ == 0) tensors_.assign(tensors.begin(), tensors.end());
        check_unchanged(tensors);
        if (step_ == 0 || factors_ != factors_in_use_) set_up();
        CompressionResult result;
        result.mean = mean_of(gradients);
        for (const auto gradient : gradients) result.sent.emplace_back(gradient.begin(), gradient.end());
        const bool dense = step_ < params_.dense_steps;
        if (!dense)
            for (Matrix& matrix : matrices_) approximate(matrix, gradients, result);
        result.exchanges = exchanges(gradients[0].size(), dense);
        if (!dense) result.operations = operations();
        ++step_;
        return result;
    }
    void set_factors(std::vector<double> factors) override { factors_ = std::move(factors); }
    void reset() override {
        step_ = 0;
        matrices_.clear();
    }

private:
    bool alternating() const { return params_.iteration == PowerIteration::alternating; }
    /// In alternating steps, counted from the first compressed one: whether the left factor is the new one.
    bool left_turn() const { return (step_ - params_.dense_steps) % 2 == 1; }

    // The matrices of the factors that are set; what those in use hold already stays.
    void set_up() {
        check_factors();
        const std::vector<Matrix> before = std::exchange(matrices_, {});
        for (std::size_t t = 0; t < tensors_.size(); ++t) {
            const TensorShape& place = tensors_[t];
            if (place.rows == 0) continue;
            Matrix matrix;
            matrix.place = place;
            matrix.rows = place.rows;
            matrix.width = (place.end - place.begin) / place.rows;
            matrix.rank = std::min({rank_of(t), matrix.rows, matrix.width});
            matrix.left_key = random_key(seed_, 0, shared_draw, 2 * t);
            matrix.right_key = random_key(seed_, 0, shared_draw, 2 * t + 1);
            if (is_worth_it(matrix)) matrices_.push_back(std::move(matrix));
        }
        for (Matrix& matrix : matrices_) {
            draw(matrix);
            const auto previous =
                std::ranges::find(before, matrix.place.begin, [](const Matrix& m) { return m.place.begin; });
            if (previous == before.end()) continue;
            go_on(previous->left, matrix.left);
            go_on(previous->right, matrix.right);
        }
        factors_in_use_ = factors_;
    }

    void check_factors() const {
        if (!factors_.empty() && factors_.size() != tensors_.size())
            throw std::invalid_argument(std::to_string(factors_.size()) + " factors for " +
                                        std::to_string(tensors_.size()) + " tensors; give one for each");
        for (const double factor : factors_)
            if (!(factor >= 1 && factor <= 65'536))
                throw std::invalid_argument("rank " + std::to_string(factor) + " is not from 1 to 65536");
    }

    std::uint64_t rank_of(std::size_t tensor) const {
        return factors_.empty() ? params_.rank : static_cast<std::uint64_t>(factors_[tensor]);
    }
    bool is_worth_it(const Matrix& matrix) const {
        const double floats = static_cast<double>(matrix.rank * (matrix.rows + matrix.width));
        const double elements = static_cast<double>(matrix.rows * matrix.width);
        return elements > params_.min_ratio * (alternating() ? floats / 2 : floats);
    }

    void draw(Matrix& matrix) const {
        matrix.left = random_columns(matrix.rows, matrix.rank, random_at(matrix.left_key, step_));
        matrix.right = random_columns(matrix.width, matrix.rank, random_at(matrix.right_key, step_));
    }

    void check_unchanged(std::span<const TensorShape> tensors) const {
        const auto same = [](const TensorShape& a, const TensorShape& b) {
            return a.begin == b.begin && a.end == b.end && a.rows == b.rows;
        };
        if (!std::ranges::equal(tensors, tensors_, same))
            throw std::invalid_argument("the tensors are not those of the step before; reset before they change");
    }

    void approximate(Matrix& matrix, Gradients gradients, CompressionResult& result) const {
        if (params_.start == PowerStart::cold) draw(matrix);
        const std::uint64_t key = random_at(random_at(matrix.left_key, ~step_), 1);
        if (alternating() && left_turn()) {
            orthonormalise(matrix.right, key);
            matrix.left = mean_left(matrix, gradients);
        } else {
            if (!alternating()) matrix.left = mean_left(matrix, gradients);
            orthonormalise(matrix.left, key);
            matrix.right = mean_right(matrix, gradients);
        }
        const std::uint64_t size = matrix.place.end - matrix.place.begin;
        outer_product(matrix.left, matrix.right, std::span(result.mean).subspan(matrix.place.begin, size));
        const auto approximation = matrix.of(result.mean);
        for (std::vector<float>& sent : result.sent)
            std::ranges::copy(approximation, sent.begin() + static_cast<std::ptrdiff_t>(matrix.place.begin));
    }

    std::vector<Exchange> exchanges(std::uint64_t elements, bool dense) const {
        std::uint64_t left = 0, right = 0;
        for (const Matrix& matrix : matrices_) {
            if (dense) break;
            elements -= matrix.rows * matrix.width;
            left += matrix.left.values.size();
            right += matrix.right.values.size();
        }
        std::vector<Exchange> result;
        const auto reduce = [&](const char* what, std::uint64_t floats, std::vector<std::uint32_t> after) {
            if (floats > 0)
                result.push_back(equal_exchange(what, CollectiveKind::all_reduce, sizeof(float) * floats, floats,
                                                ranks_, std::move(after)));
        };
        reduce("vectors and small matrices", elements, {});
        const auto next = static_cast<std::uint32_t>(result.size());
        if (!alternating() || left_turn()) reduce("left factors", left, {});
        if (!alternating()) reduce("right factors", right, {next});
        else if (!left_turn()) reduce("right factors", right, {});
        return result;
    }

    ComputeCost operations() const {
        ComputeCost result;
        for (const Matrix& matrix : matrices_) {
            const std::uint64_t size = matrix.rows * matrix.width, rank = matrix.left.count;
            const std::uint64_t products = alternating() ? 2 : 3;   // one or two with the gradient, one of the factors
            const std::uint64_t length = alternating() && left_turn() ? matrix.width : matrix.rows;
            result.elements += products * size;
            result.multiplications += products * size * rank + 2 * length * rank * rank;
            result.rounds += rank;   // of Gram-Schmidt, one column after another
        }
        return result;
    }

    PowerSgdParams params_;
    std::uint32_t ranks_;
    std::uint64_t seed_, step_ = 0;
    std::vector<TensorShape> tensors_;
    std::vector<double> factors_, factors_in_use_;   ///< per tensor; empty: the parameters' rank
    std::vector<Matrix> matrices_;
};

}   // namespace

std::unique_ptr<Adjustable> make_compressor(const PowerSgdParams& params, std::uint32_t ranks, std::uint64_t seed) {
    if (params.rank == 0) throw std::invalid_argument("rank is 0; write at least 1");
    if (!(params.min_ratio >= 0)) throw std::invalid_argument("min_ratio must be 0 or more");
    return std::make_unique<PowerSgd>(params, ranks, seed);
}

}   // namespace oscar

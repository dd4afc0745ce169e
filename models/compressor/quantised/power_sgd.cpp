#include "models/compressor/quantised/power_sgd.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "models/compressor/base/carrier.hpp"
#include "models/compressor/base/input.hpp"
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

/// What each rank reduces of all matrices, one after the other: products with the factor that is known.
template <class Product>
std::vector<std::vector<float>> products(std::span<const Matrix> matrices, Gradients gradients,
                                         const Product& product) {
    std::vector<std::vector<float>> of_ranks(gradients.size());
    for (std::size_t r = 0; r < gradients.size(); ++r)
        for (const Matrix& matrix : matrices) {
            const Columns part = product(matrix, matrix.of(gradients[r]));
            of_ranks[r].insert(of_ranks[r].end(), part.values.begin(), part.values.end());
        }
    return of_ranks;
}
std::vector<std::vector<float>> left_products(std::span<const Matrix> matrices, Gradients gradients) {
    return products(matrices, gradients, [](const Matrix& m, auto values) { return times(values, m.rows, m.right); });
}
std::vector<std::vector<float>> right_products(std::span<const Matrix> matrices, Gradients gradients) {
    return products(matrices, gradients,
                    [](const Matrix& m, auto values) { return transposed_times(values, m.rows, m.left); });
}

/// The columns that both have.
void go_on(const Columns& from, Columns& to) {
    std::copy_n(from.values.begin(), std::min(from.values.size(), to.values.size()), to.values.begin());
}

class PowerSgd final : public Adjustable {
public:
    PowerSgd(const PowerSgdParams& params, std::uint32_t ranks, std::uint64_t seed)
        : params_(params), ranks_(ranks), seed_(seed) {}

    CompressionResult step(Gradients gradients, std::span<const TensorShape> tensors, Carrier& carrier) override {
        check_input(gradients, tensors, ranks_);
        if (step_ == 0) tensors_.assign(tensors.begin(), tensors.end());
        check_unchanged(tensors);
        if (step_ == 0 || factors_ != factors_in_use_) set_up();
        CompressionResult result;
        result.mean.resize(gradients[0].size());
        for (const auto gradient : gradients) result.sent.emplace_back(gradient.begin(), gradient.end());
        const bool dense = step_ < params_.dense_steps;
        const std::span<Matrix> matrices = dense ? std::span<Matrix>{} : std::span<Matrix>(matrices_);
        StepExchanges traffic(carrier, result);
        reduce_others(gradients, matrices, traffic, result.mean);
        approximate(matrices, gradients, traffic);
        for (const Matrix& matrix : matrices) put_approximation(matrix, result);
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

    /// The mean of all elements that are in no matrix of these.
    static void reduce_others(Gradients gradients, std::span<const Matrix> matrices, StepExchanges& traffic,
                              std::vector<float>& mean) {
        std::vector<TensorShape> others;
        std::uint64_t end = 0;
        for (const Matrix& matrix : matrices) {
            if (matrix.place.begin > end) others.push_back({end, matrix.place.begin});
            end = matrix.place.end;
        }
        if (mean.size() > end) others.push_back({end, mean.size()});
        if (others.empty()) return;
        std::vector<std::vector<float>> parts(gradients.size());
        for (std::size_t r = 0; r < gradients.size(); ++r)
            for (const TensorShape& other : others) {
                const auto part = gradients[r].subspan(other.begin, other.end - other.begin);
                parts[r].insert(parts[r].end(), part.begin(), part.end());
            }
        const std::vector<float> reduced = traffic.mean({.what = "vectors and small matrices"}, views(parts));
        auto next = reduced.begin();
        for (const TensorShape& other : others) {
            const auto count = static_cast<std::ptrdiff_t>(other.end - other.begin);
            std::copy_n(next, count, mean.begin() + static_cast<std::ptrdiff_t>(other.begin));
            next += count;
        }
    }

    void approximate(std::span<Matrix> matrices, Gradients gradients, StepExchanges& traffic) const {
        if (matrices.empty()) return;
        if (params_.start == PowerStart::cold)
            for (Matrix& matrix : matrices) draw(matrix);
        const bool left_alone = alternating() && left_turn();
        if (left_alone)
            for (Matrix& matrix : matrices) orthonormalise(matrix.right, key_of(matrix));
        std::uint64_t elements = 0;   // of them all, for which the factors of a step stand together
        for (const Matrix& matrix : matrices) elements += matrix.place.end - matrix.place.begin;
        std::vector<std::uint32_t> after;
        if (!alternating() || left_alone) {
            const auto means =
                traffic.mean({.what = "left factors"}, views(left_products(matrices, gradients)), elements);
            after.push_back(traffic.next() - 1);
            take(means, matrices, &Matrix::left);
        }
        if (left_alone) return;
        for (Matrix& matrix : matrices) orthonormalise(matrix.left, key_of(matrix));
        const auto means = traffic.mean({.what = "right factors", .after = after},
                                        views(right_products(matrices, gradients)), after.empty() ? elements : 0);
        take(means, matrices, &Matrix::right);
    }

    /// Of the columns that orthonormalise() draws in place of zeros.
    std::uint64_t key_of(const Matrix& matrix) const { return random_at(random_at(matrix.left_key, ~step_), 1); }

    static void take(std::span<const float> means, std::span<Matrix> matrices, Columns Matrix::*factor) {
        for (Matrix& matrix : matrices) {
            std::vector<float>& values = (matrix.*factor).values;
            std::ranges::copy(means.first(values.size()), values.begin());
            means = means.subspan(values.size());
        }
    }

    static void put_approximation(const Matrix& matrix, CompressionResult& result) {
        const std::uint64_t size = matrix.place.end - matrix.place.begin;
        outer_product(matrix.left, matrix.right, std::span(result.mean).subspan(matrix.place.begin, size));
        const auto approximation = matrix.of(result.mean);
        for (std::vector<float>& sent : result.sent)
            std::ranges::copy(approximation, sent.begin() + static_cast<std::ptrdiff_t>(matrix.place.begin));
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

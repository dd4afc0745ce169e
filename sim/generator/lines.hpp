// Strengths and silences of the rows or columns of a layer.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/generator/random.hpp"

namespace oscar {

/// The parameters of LayerParams that concern rows, or columns.
struct RowOrColumnParams {
    double sigma = 0, spread = 0, silent = 0, agreement = 0, churn = 0;
    std::vector<double> strengths;
};

/// The epoch of number i in an iteration. What ranks share of it stays until churn renews it: it enters a new epoch
/// every 1/churn iterations, each number at its own time, so that in every iteration the share `churn` of all is
/// renewed. 0 in the first iteration.
std::uint64_t epoch_of(Stream stream, double churn, std::uint64_t iteration, std::uint64_t i);

/// The rows or columns of one layer.
class RowsOrColumns {
public:
    RowsOrColumns(RowOrColumnParams params, Stream stream, std::uint64_t count);

    /// Strengths (log2) in an iteration of a rank; silent lines are -infinity. In the first epoch the shared parts are
    /// the quantiles in random order, so that a layer of few lines has the distribution of its model.
    std::vector<float> draw(std::uint64_t iteration, std::uint32_t rank) const;

private:
    double share(Stream stream, const std::vector<std::uint32_t>& order, std::uint64_t epoch, std::uint64_t i) const;

    RowOrColumnParams params_;
    Stream stream_;
    std::vector<std::uint32_t> strength_order_, silence_order_;
};

}   // namespace oscar

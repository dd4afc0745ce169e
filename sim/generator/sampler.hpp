// Gradients drawn from the model: every value is a function of (layers, seed, iteration, rank, element).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/generator/curve.hpp"
#include "sim/generator/lines.hpp"
#include "sim/generator/model.hpp"
#include "sim/generator/random.hpp"

namespace oscar {

/// Draws one layer, in any order and in parts. Memory: a few numbers per row and column, and per value of a part.
class LayerSampler {
public:
    /// Precondition: find_generator_problem(model.params) is empty. `layer`: its position, which keeps layers apart.
    LayerSampler(const LayerModel& model, std::uint64_t seed, std::uint64_t layer);

    /// Draws what all ranks share of elements [first, first + count) in an iteration; fill() needs it.
    void share(std::uint64_t iteration, std::uint64_t first, std::size_t count);
    /// The values of one rank for the elements shared last.
    /// Law: no value depends on how the elements are cut into parts.
    void fill(std::uint32_t rank, std::span<float> out);

private:
    /// Strengths of rows and columns of one rank in the iteration shared last.
    struct RankLines {
        bool drawn = false;
        std::vector<float> rows, columns;
    };
    const RankLines& lines_of(std::uint32_t rank);
    float log2_scale(std::uint32_t rank) const;

    LayerParams params_;
    Grid grid_;
    MagnitudeCurve curve_;
    Stream stream_, scales_;   // of this layer; of all layers
    RowsOrColumns rows_, columns_;
    std::uint64_t iteration_ = 0, first_ = 0;
    std::vector<float> signal_, strength_;   // of the shared elements: common z, log2 strength
    std::vector<float> loudness_;            // of the shared elements, which are silent if it is low
    std::vector<RankLines> lines_;           // by rank
};

}   // namespace oscar

// Layers drawn and fitted by the tests.
#pragma once

#include <vector>

#include "sim/generator/fit.hpp"
#include "sim/generator/sampler.hpp"

namespace oscar::test {

/// Strengths without any of the defaults: normal values of mean magnitude 1.
inline LayerParams plain() {
    LayerParams p;
    p.scale = 1;
    p.row_sigma = p.column_sigma = p.element_sigma = p.row_spread = p.column_spread = p.element_spread = 0;
    p.rank_correlation = p.churn = p.iteration_spread = p.rank_spread = 0;
    return p;
}

/// [iterations, ranks, values] of a layer.
inline LayerSamples draw(const LayerModel& model, std::uint64_t seed, std::uint32_t iterations, std::uint32_t ranks) {
    LayerSamples samples{iterations, ranks, grid_of(model.shape), {}};
    LayerSampler sampler(model, seed, 0);
    std::vector<float> values(samples.grid.size());
    for (std::uint32_t t = 0; t < iterations; ++t) {
        sampler.share(t, 0, values.size());
        for (std::uint32_t r = 0; r < ranks; ++r) {
            sampler.fill(r, values);
            samples.values.insert(samples.values.end(), values.begin(), values.end());
        }
    }
    return samples;
}

}   // namespace oscar::test

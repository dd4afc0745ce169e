// Adaptive Stepwise Coding: rows are classes of magnitude, and each timestep has a table that is never sent.
#pragma once

#include <cstdint>
#include <memory>
#include <tuple>

#include "models/codec/codec.hpp"
#include "models/core/fields.hpp"

namespace oscar {

/// Both ends count the rows of what passed in iteration t-1 and make the table of t from them: 16 counters, no search.
/// Source: docs/model.md 3 and 4 (T1, T2); the paper is known by its abstract (HPCA 2026).
struct AscParams {
    std::uint32_t history = 1;
    static constexpr auto fields() {
        return std::tuple{field("history", &AscParams::history,
                                "bits by which older counts are shifted right each iteration; 64: last iteration only",
                                0, 64)};
    }
};

std::unique_ptr<Codec> make_codec(const AscParams& params, const Framing& framing);

}   // namespace oscar

// Compressor built from a selection: each rank sends what it selects of each tensor.
#pragma once

#include "models/compressor/base/compressor.hpp"
#include "models/compressor/sparse/selectors.hpp"
#include "models/compressor/sparse/sparse_wire.hpp"

namespace oscar {

/// A selection, how much it selects, and how that travels.
template <FieldTable S>
struct SparsifierParams : S, SparseWire {
    double factor = 100;
    static constexpr auto fields() {
        return concatenate(Entries{field("factor", &SparsifierParams::factor,
                                         "compression factor: elements of a tensor for each one sent", 1.0, 1e9)},
                           S::fields(), SparseWire::fields());
    }
};
/// Selects in each tensor by itself, without error feedback of its own. Throws std::invalid_argument for a factor below
/// 1 or not finite and for sizes that check_wire() refuses.
std::unique_ptr<Adjustable> make_sparsifier(const Selector& selector, double factor, const SparseWire& wire,
                                            std::uint32_t ranks, std::uint64_t seed);
/// make_sparsifier() for these parameters.
template <FieldTable S>
std::unique_ptr<Adjustable> make_compressor(const SparsifierParams<S>& params, std::uint32_t ranks,
                                            std::uint64_t seed) {
    return make_sparsifier(Selector(static_cast<const S&>(params)), params.factor, params, ranks, seed);
}

/// A selection out of a selection: the factors multiply, and what travels is as of a sparsifier of the product.
struct MultiLevelParams : SparseWire {
    Selector compressor;
    double first = 10, second = 10;
    static constexpr auto fields() {
        return concatenate(Entries{field("compressor", &MultiLevelParams::compressor, "selector of both levels"),
                                   field("first", &MultiLevelParams::first, "factor of the first level", 1.0, 1e9),
                                   field("second", &MultiLevelParams::second,
                                         "factor of the second level, relative to the first", 1.0, 1e9)},
                           SparseWire::fields());
    }
};
/// Throws std::invalid_argument for a factor below 1 or not finite and for sizes that check_wire() refuses.
std::unique_ptr<Compressor> make_compressor(const MultiLevelParams& params, std::uint32_t ranks, std::uint64_t seed);

}   // namespace oscar

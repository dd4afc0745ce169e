// TAGC: sparsified shards of large tensors, index by all-reduce, sketch by reduce to the owner of the shard.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/compressor/sketch/lhc_sum.hpp"
#include "models/compressor/sparse/sparse_part.hpp"

namespace oscar {

/// Which tensors (the units of FSDP) are compressed; the others go by reduce-scatter as they are.
enum class Units : std::uint8_t { large, all, gpt2_as_published };
constexpr auto choices(Units) {
    return std::array{Choice{"large", Units::large, "those of at least min_elements"}, Choice{"all", Units::all, "all"},
                      Choice{"gpt2_as_published", Units::gpt2_as_published,
                             "those of 768 x 3072 or 50304 x 768 elements: GPT-2's feed-forward, embedding and head"}};
}

/// Source: Polyakov, Dukhanov, Spirin, EuroMLSys 2025, Algorithm 1, and ipolyakov/TAGC (tagc/tagc.py).
struct TagcParams : LhcCoding {
    double ratio = 2;
    double zeros = 0.8;
    Sparsify sparsify = Sparsify::exact_quantile;
    Units units = Units::large;
    std::uint64_t min_elements = 2'000'001;
    std::uint32_t lanes = 1024;
    static constexpr auto fields() {
        using P = TagcParams;
        return concatenate(
            Entries{
                field("ratio", &P::ratio,
                      "elements per cell of the sketch; 1: shards are sent sparsified, without a sketch", 1.0, 1e6),
                field("zeros", &P::zeros, "share of a shard that is set to zero and kept for the next step", 0.0, 1.0),
                field("sparsify", &P::sparsify, "rule that derives the threshold from that share"),
                field("units", &P::units, "tensors that are compressed"),
                field("min_elements", &P::min_elements, "least number of elements of a large tensor"),
                field("lanes", &P::lanes, "number of elements of a block, which share a hash", 1u, 1u << 20)},
            fields_of<TagcParams>());
    }
};

/// True if a tensor of `elements` elements is compressed; the others go by reduce-scatter as they are.
bool compresses(const TagcParams& params, std::uint64_t elements);

/// Range of one shard, in elements of the unit: [begin, end). The first `aligned` elements are whole blocks and are
/// sketched (0 if fewer than three rows would fit); the rest is sent as it is.
struct Shard {
    std::uint64_t begin = 0, aligned = 0, end = 0;
};
/// The shard that rank `shard` owns; it begins at element shard * elements / ranks of the unit.
Shard shard_of(const TagcParams& params, std::uint64_t elements, std::uint32_t ranks, std::uint32_t shard);

/// Holds a residual per rank for each shard of each compressed unit: what sparsification left out. A step is a
/// micro-step.
class Tagc final : public Compressor {
public:
    Tagc(const TagcParams& params, std::uint32_t ranks) : params_(params), ranks_(ranks) {}

    CompressionResult step(std::span<const std::span<const float>> gradients, std::span<const TensorShape> tensors,
                           Carrier& carrier) override;
    using Compressor::step;
    bool takes_error_feedback() const override { return false; }
    void reset() override { parts_.clear(); }

    /// The shards of the compressed units, in the order of the calls of a step.
    const std::vector<SparsePart>& parts() const { return parts_; }

private:
    void reduce_unit(std::span<const std::span<const float>> gradients, const TensorShape& unit, StepExchanges& traffic,
                     CompressionResult& result);
    ComputeCost reduce_shard(std::span<const std::span<const float>> gradients, std::uint64_t unit, std::uint32_t shard,
                             const Shard& place, StepExchanges& traffic, CompressionResult& result);
    ComputeCost sketch_shard(const std::vector<std::vector<float>>& sparse, std::uint64_t begin, std::uint32_t shard,
                             StepExchanges& traffic, CompressionResult& result) const;
    SparsePart& next_part();

    TagcParams params_;
    std::uint32_t ranks_;
    std::size_t call_ = 0;   // shards of this step so far
    std::vector<SparsePart> parts_;
};

/// The seed is not used: hashes are fixed.
std::unique_ptr<Compressor> make_compressor(const TagcParams& params, std::uint32_t ranks, std::uint64_t seed);

}   // namespace oscar

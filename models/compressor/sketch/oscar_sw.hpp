// OSCAR-SW: predicted non-zeros and predicted zeros of a gradient are sketched and sent separately, by the zeros of the
// step before.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/compressor/base/compressor.hpp"
#include "models/compressor/sketch/sketch_peeling.hpp"
#include "models/core/fields.hpp"

namespace oscar {

/// Encoding of the two groups on the wire. Only the split into probable zeros and non-zeros, the Count Sketch and the
/// AllReduce are published; the rest is a reconstruction.
enum class OscarSwMode : std::uint8_t { sketch_and_keep, packed_and_sketch, two_sketches };
constexpr auto choices(OscarSwMode) {
    return std::array{
        Choice{"sketch_and_keep", OscarSwMode::sketch_and_keep,
               "predicted non-zeros in a sketch; unpredicted ones stay in the residual until the mask includes them"},
        Choice{"packed_and_sketch", OscarSwMode::packed_and_sketch,
               "predicted non-zeros packed; unpredicted ones in a sketch with a Bloom filter: lossless"},
        Choice{"two_sketches", OscarSwMode::two_sketches, "a sketch for each, of densities of their own"}};
}

/// Which peak of all ranks the codes reach.
enum class PeakOf : std::uint8_t { this_step, last_step };
constexpr auto choices(PeakOf) {
    return std::array{
        Choice{"this_step", PeakOf::this_step, "agreed on first: four bytes on the critical path"},
        Choice{"last_step", PeakOf::last_step, "agreed on beside the step; saturated values stay in the residual"}};
}

/// Width of the cells in which codes are summed, on the wire.
enum class CodeCells : std::uint8_t { int32, narrowest, widening };
constexpr auto choices(CodeCells) {
    return std::array{
        Choice{"int32", CodeCells::int32, "32 bits"},
        Choice{"narrowest", CodeCells::narrowest,
               "8, 16 or 32 bits: as many as the sum of one element takes; sums of many wrap, and peel all the same"},
        Choice{"widening", CodeCells::widening,
               "integers for a codec, as wide as the largest of all ranks, which they agree on"}};
}

/// Shared by all ranks: a mask of probable non-zeros, the OR of all ranks' non-zero codes of the step before. Its
/// exchange is off the critical path but for steps that refresh it, which need it first: the first step, every
/// `refresh` steps, and after a step of which more than `max_miss` was unexpected.
/// Law: what a rank did not deliver stays in its residual, so sum of gradients == sum of `sent` + residual.
struct OscarSwParams {
    OscarSwMode mode = OscarSwMode::sketch_and_keep;
    std::uint32_t bits = 8;
    PeakOf peak = PeakOf::this_step;
    double percentile = 100;
    CodeCells cells = CodeCells::int32;
    double load = 0.7;
    double miss_load = 0.7;
    double bloom_bits = 16;
    double margin = 1.5;
    std::uint64_t min_misses = 64;
    std::uint64_t refresh = 0;
    double max_miss = 0.5;
    static constexpr auto fields() {
        using P = OscarSwParams;
        return Entries{
            field("mode", &P::mode, "encoding of predicted and unpredicted non-zeros"),
            field("bits", &P::bits, "width of a code; the largest reaches the peak of all ranks", 2u, 24u),
            field("peak", &P::peak, "step whose peak is used; the first is always this step's"),
            field("percentile", &P::percentile,
                  "percentile of a rank's non-zero magnitudes that is its peak; larger values saturate and stay in the "
                  "residual",
                  50.0, 100.0),
            field("cells", &P::cells, "width of the cells in which codes are summed"),
            field("load", &P::load, "predicted non-zeros per cell of their sketch; below 0.8 exact, above 1 lossy",
                  0.01, 100.0),
            field("miss_load", &P::miss_load, "estimated unpredicted non-zeros per cell of their sketch", 0.01, 100.0),
            field("bloom_bits", &P::bloom_bits, "bits of the Bloom filter per estimated unpredicted non-zero", 1.0,
                  64.0),
            field("margin", &P::margin, "estimated unpredicted non-zeros per one of the last step", 1.0, 100.0),
            field("min_misses", &P::min_misses, "least estimate of unpredicted non-zeros"),
            field("refresh", &P::refresh, "steps between exchanges of the mask; 0: only when required"),
            field("max_miss", &P::max_miss,
                  "unpredicted share of the non-zeros, without those that waited, above which the mask is exchanged "
                  "first",
                  0.0, 1.0)};
    }
};

/// See send_integers(OneOf<List>&).
inline void send_integers(OscarSwParams& params) { params.cells = CodeCells::widening; }

/// Statistics of a step.
struct OscarSwStep {
    bool refreshed = false;
    std::uint64_t expected = 0;     ///< elements of the mask
    std::uint64_t nonzeros = 0;     ///< elements that are not zero on some rank
    std::uint64_t unexpected = 0;   ///< of these, not in the mask of the step before
    std::uint64_t waiting = 0;      ///< of these, kept back by the step before
    std::uint64_t estimated = 0;    ///< elements of the mask that could not be peeled
    std::uint64_t kept_back = 0;    ///< unexpected ones that stay in the residuals
};

class OscarSw final : public Compressor {
public:
    OscarSw(const OscarSwParams& params, std::uint32_t ranks, std::uint64_t seed);

    /// Also throws if the length differs from that of the steps before.
    CompressionResult step(std::span<const std::span<const float>> gradients, std::span<const TensorShape> tensors,
                           Carrier& carrier) override;
    using Compressor::step;
    bool takes_error_feedback() const override { return false; }
    void reset() override;

    /// Statistics of the last step; all zero before the first.
    const OscarSwStep& last() const { return last_; }
    /// The mask of the next step, if it does not refresh it; ascending positions. Before the first step there is none.
    const std::vector<std::uint32_t>& mask() const { return mask_; }
    /// The part of a rank's gradients that was not delivered yet. Precondition: a step has been made.
    std::span<const float> residual(std::uint32_t rank) const { return residuals_[rank]; }

private:
    using Codes = std::vector<std::vector<std::int32_t>>;   // per rank
    struct Round;                                           // what a step holds

    void quantise(std::span<const std::span<const float>> gradients, Round& round);
    void agree_on_step(Round& round);
    void compare_with_mask(const Round& round);
    void exchange_mask(Round& round);
    void send_expected(Round& round);
    void send_unexpected(std::uint64_t capacity, Round& round);
    template <class CellsOf>
    std::vector<std::int32_t> sum_of_cells(const char* what, const CellsOf& cells_of, Round& round) const;
    void finish(const Round& round);
    std::uint64_t expected_misses() const;

    OscarSwParams params_;
    std::uint32_t ranks_, cell_bits_;
    std::uint64_t seed_, steps_ = 0;
    double last_step_size_ = 0;   // between codes, as the peak of the last step has it
    std::vector<std::uint32_t> mask_;
    std::vector<std::vector<float>> residuals_;
    OscarSwStep last_;
};

/// Throws std::invalid_argument where check_code_width() does.
std::unique_ptr<Compressor> make_compressor(const OscarSwParams& params, std::uint32_t ranks, std::uint64_t seed);

}   // namespace oscar

// Parameters of GraVAC, including the interpretations where the paper leaves one open.
#pragma once

#include <array>

#include "models/compressor/sparse/selectors.hpp"
#include "models/compressor/sparse/sparse_wire.hpp"

namespace oscar {

/// Growth of the candidate.
enum class ScalingPolicy : std::uint8_t { exponential, geometric };
constexpr auto choices(ScalingPolicy) {
    return std::array{Choice{"exponential", ScalingPolicy::exponential, "times 2, 4, 16, 256, .. the least factor"},
                      Choice{"geometric", ScalingPolicy::geometric, "times 2, 4, 8, 16, .. the least factor"}};
}

/// The factor that the steps of the policy multiply.
enum class StepBase : std::uint8_t { first_floor, floor };
constexpr auto choices(StepBase) {
    return std::array{Choice{"first_floor", StepBase::first_floor,
                             "candidates are multiples of the first floor (experiments of the paper)"},
                      Choice{"floor", StepBase::floor, "candidates are multiples of the current floor (Algorithm 1)"}};
}

/// Where the floor moves when its gain equals the candidate's (the algorithm advances the step before).
enum class FloorMove : std::uint8_t { evaluated, advanced };
constexpr auto choices(FloorMove) {
    return std::array{
        Choice{"evaluated", FloorMove::evaluated, "the floor becomes the candidate just evaluated (text of the paper)"},
        Choice{"advanced", FloorMove::advanced, "the floor becomes the next candidate (Algorithm 1)"}};
}

/// Which of two saturated throughputs wins.
enum class SaturationChoice : std::uint8_t { lower_factor, second_highest };
constexpr auto choices(SaturationChoice) {
    return std::array{
        Choice{"lower_factor", SaturationChoice::lower_factor, "the lower compression factor (text of the paper)"},
        Choice{"second_highest", SaturationChoice::second_highest, "the lower throughput (Algorithm 1)"}};
}

/// Treatment of a candidate beyond the greatest factor, where the floor moved.
enum class Overshoot : std::uint8_t { clamp, allow };
constexpr auto choices(Overshoot) {
    return std::array{Choice{"clamp", Overshoot::clamp, "the candidate becomes the greatest factor"},
                      Choice{"allow", Overshoot::allow, "the candidate stays as it is (Algorithm 1)"}};
}

/// The throughput that is remembered for a factor.
enum class ThroughputMemory : std::uint8_t { last, average };
constexpr auto choices(ThroughputMemory) {
    return std::array{Choice{"last", ThroughputMemory::last, "the last throughput (Algorithm 1)"},
                      Choice{"average", ThroughputMemory::average, "the moving average of its throughputs"}};
}

/// Which time the controller sees of a step that was sent dense.
enum class DenseTime : std::uint8_t { without_compression, with_compression };
constexpr auto choices(DenseTime) {
    return std::array{
        Choice{"without_compression", DenseTime::without_compression, "computation and communication (Algorithm 1)"},
        Choice{"with_compression", DenseTime::with_compression,
               "compression too, because the gain had to be computed"}};
}

/// The quantity of which a gain is a share: the denominator.
enum class GainReference : std::uint8_t { corrected, raw };
constexpr auto choices(GainReference) {
    return std::array{Choice{"corrected", GainReference::corrected, "the gradient with its residual (the paper)"},
                      Choice{"raw", GainReference::raw, "the gradient alone (slides of the paper); may exceed 1"}};
}

/// The quantity that is averaged.
enum class GainAverage : std::uint8_t { ratios, norms };
constexpr auto choices(GainAverage) {
    return std::array{
        Choice{"ratios", GainAverage::ratios, "the ratio of the norms (Algorithm 1)"},
        Choice{"norms", GainAverage::norms, "each norm, before their ratio is taken (text of the paper)"}};
}

/// The agreement of the ranks on one decision.
enum class GainAgreement : std::uint8_t { all_reduce, rank_0, none };
constexpr auto choices(GainAgreement) {
    return std::array{
        Choice{"all_reduce", GainAgreement::all_reduce, "they sum their gains (two fp32 values; of norms, three)"},
        Choice{"rank_0", GainAgreement::rank_0, "rank 0 decides by its own gains and broadcasts 4 bytes"},
        Choice{"none", GainAgreement::none,
               "each decides for itself, as published; a step at which they disagree would never end and is refused"}};
}

/// Interpretation of the points that the paper leaves open.
struct GravacReading {
    StepBase step_base = StepBase::first_floor;
    FloorMove floor_move = FloorMove::evaluated;
    SaturationChoice saturation = SaturationChoice::lower_factor;
    Overshoot overshoot = Overshoot::clamp;
    ThroughputMemory throughput = ThroughputMemory::last;
    DenseTime dense_time = DenseTime::without_compression;
    GainReference reference = GainReference::corrected;
    GainAverage average = GainAverage::ratios;
    GainAgreement agreement = GainAgreement::all_reduce;
    static constexpr auto fields() {
        return Entries{
            field("step_base", &GravacReading::step_base, "factor that the steps of the policy multiply"),
            field("floor_move", &GravacReading::floor_move, "new floor if its gain equals the candidate's"),
            field("saturation", &GravacReading::saturation, "choice between two saturated throughputs"),
            field("overshoot", &GravacReading::overshoot, "treatment of candidates above max_factor"),
            field("throughput", &GravacReading::throughput, "throughput stored for a factor"),
            field("dense_time", &GravacReading::dense_time, "time of a step that enters the throughput"),
            field("reference", &GravacReading::reference, "denominator of a gain"),
            field("average", &GravacReading::average, "averaged quantity"),
            field("agreement", &GravacReading::agreement, "agreement of the ranks on a decision"),
        };
    }
};

/// Adaptive compression by the gain of what is kept and the throughput that it buys. Each step compresses to a floor,
/// and that again to a candidate; it sends the candidate if its gain is at least epsilon, else the floor if its is,
/// else all. Source: Tyagi & Swany, IEEE CLOUD 2023, Algorithm 1.
struct GravacParams : GravacReading, SparseWire {
    Selector compressor;
    double min_factor = 10, max_factor = 1000;
    ScalingPolicy policy = ScalingPolicy::exponential;
    std::uint32_t window = 500;
    double epsilon = 0.7, omega = 0.01, smoothing = 0, momentum = 0;
    std::uint32_t batch = 32;
    static constexpr auto fields() {
        return concatenate(
            Entries{
                field("compressor", &GravacParams::compressor, "selector of both levels"),
                field("min_factor", &GravacParams::min_factor, "first floor of the factor", 1.0, 1e9),
                field("max_factor", &GravacParams::max_factor, "largest candidate", 1.0, 1e9),
                field("policy", &GravacParams::policy, "growth of the candidate"),
                field("window", &GravacParams::window, "steps of a candidate before its evaluation", 1u, 1'000'000u),
                field("epsilon", &GravacParams::epsilon, "minimum gain of the selection that is sent", 0.0, 1.0),
                field("omega", &GravacParams::omega,
                      "relative difference below which two gains or throughputs count as equal", 0.0, 1.0),
                field("smoothing", &GravacParams::smoothing, "weight of the newest gain; 0: ranks/100", 0.0, 1.0),
                field("momentum", &GravacParams::momentum,
                      "momentum of the velocity that is compressed in place of the gradient, as in DGC", 0.0, 1.0),
                field("batch", &GravacParams::batch, "samples per rank and step; scales reported throughputs", 1u,
                      1'000'000u),
            },
            GravacReading::fields(), SparseWire::fields());
    }
};

}   // namespace oscar

// Launch and bandwidth of NCCL's tuner, fitted to measured times of AllReduce.
#pragma once

#include <span>
#include <vector>

#include "models/predict/nccl_tuner.hpp"
#include "sim/fit/nccl_log.hpp"

namespace oscar {

/// A measured time, and what it was measured on.
struct FitPoint {
    std::uint32_t ranks = 0;
    MeasuredTime measured;
    std::vector<Predicted::Line> candidates;   ///< of which the machine takes the fastest
};

/// The two figures of a machine.
struct FittedFigures {
    Time launch;
    Bandwidth bandwidth;
};

/// The point with all candidates of NCCL's tuner. Throws std::invalid_argument if `ranks_per_node` does not divide
/// `ranks`.
FitPoint tuner_point(std::uint32_t ranks, std::uint32_t ranks_per_node, MeasuredTime measured);
/// The point of an alpha-beta line: one candidate, the gradient's bytes.
FitPoint line_point(std::uint32_t ranks, MeasuredTime measured);

/// The figures of least mean |relative error| over the points, launch to the nanosecond, bandwidth between 10 MB/s and
/// 10 TB/s to the Mbit/s. For each bandwidth of a grid the best launch is a weighted median; the grid narrows, for the
/// minimum over candidates has kinks before which other searches stop. Precondition: a point.
FittedFigures fit_figures(std::span<const FitPoint> points);

/// launch + fixed + carried / bandwidth of the fastest candidate, in s.
double time_under(const FittedFigures& figures, const FitPoint& point);

/// Mean |relative error| of the points under `figures`.
double mean_error(const FittedFigures& figures, std::span<const FitPoint> points);

/// Mean |relative error| of each point under the fit of those of other sizes. Precondition: two sizes.
double left_out_error(std::span<const FitPoint> points);

}   // namespace oscar

// Gradients for more ranks than were captured, by resampling.
#pragma once

#include <cstdint>
#include <vector>

#include "models/core/index.hpp"
#include "sim/trace/trace.hpp"

namespace oscar {

/// The place of a captured gradient: position in the capture and row.
struct CapturedRow {
    std::size_t position = 0;
    Rank row{};
    friend bool operator==(CapturedRow, CapturedRow) = default;
};

/// The captured rows that `ranks` ranks show in the iteration at `position`. The first trace.ranks() are its own. The
/// others are micro-batches of neighbouring training steps of the same unbroken run, whose weights differ by a few
/// optimiser steps: those at an even distance first, the nearest before, so that an iteration and the one after it
/// share no micro-batch as long as the run is long enough; then those at an odd distance. When all are used, rows
/// repeat. Law: with ranks <= trace.ranks() row r is rank r of the position itself.
std::vector<CapturedRow> resampled_rows(const Trace& trace, std::size_t position, std::uint32_t ranks);

/// The number of rows of a list that occur earlier in it.
std::uint32_t repeated(const std::vector<CapturedRow>& rows);

}   // namespace oscar

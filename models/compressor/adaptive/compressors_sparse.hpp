// Family list of the sparsifiers (models/compressor/sparse) and of the controllers that steer them.
#pragma once

#include "models/compressor/adaptive/accordion.hpp"
#include "models/compressor/adaptive/gravac.hpp"
#include "models/compressor/sparse/dgc.hpp"
#include "models/compressor/sparse/sparsifier.hpp"

namespace oscar {

inline constexpr auto sparse_kinds = Entries{
    kind<SparsifierParams<TopKSelect>>("top_k", "the largest magnitudes of each tensor"),
    kind<SparsifierParams<RandomKSelect>>("random_k",
                                          "randomly selected elements, the same on all ranks or each rank's own"),
    kind<DgcParams>("dgc", "Deep Gradient Compression as by its author: momentum corrected and masked, warm-up"),
    kind<SparsifierParams<DgcLiteSelect>>("dgc_lite", "its selection alone, as GRACE and GraVAC call DGC"),
    kind<SparsifierParams<RedSyncSelect>>("redsync", "threshold by binary search between mean and maximum"),
    kind<SparsifierParams<TrimmedTopKSelect>>("redsync_trimmed", "Top-k of what exceeds a falling threshold"),
    kind<SparsifierParams<SidcoSelect>>("sidco", "threshold from a fitted exponential"),
    kind<MultiLevelParams>("multi_level", "two levels: a selection from a selection"),
    kind<GravacParams>("gravac", "controller: chooses the factor by compression gain and throughput"),
    kind<AccordionParams>("accordion", "controller: a low factor while gradients change much, a high one elsewhere"),
};

}   // namespace oscar

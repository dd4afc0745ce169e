// The part of a trace that an experiment replays: some layers or one bucket of them, at as many ranks as it wants.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/core/parallel.hpp"
#include "models/partition/chunks.hpp"
#include "models/workload/buckets.hpp"
#include "sim/replay/resample.hpp"
#include "sim/trace/layer_choice.hpp"
#include "sim/trace/trace.hpp"

namespace oscar {

/// One bucket of those that the gradient is split into.
struct BucketChoice : BucketParams {
    std::uint32_t index = 0;
    static constexpr auto fields() {
        return concatenate(
            fields_of<BucketChoice>(),
            Entries{field("index", &BucketChoice::index,
                          "number of the bucket, from 0, in the order in which the backward pass fills them")});
    }
};

/// The layers of each bucket, `layers` being positions in the manifest, in the order of make_buckets.
std::vector<std::vector<std::size_t>> layers_of_buckets(const TraceManifest& manifest,
                                                        std::span<const std::size_t> layers,
                                                        const BucketParams& params);

/// The layers of the bucket, out of `layers` (positions in the manifest), in the order in which they lie in it.
/// std::out_of_range: no such bucket; the text is the whole sentence.
std::vector<std::size_t> layers_of_bucket(const TraceManifest& manifest, std::span<const std::size_t> layers,
                                          const BucketChoice& bucket);

/// Gradients of the chosen layers.
class Replay {
public:
    /// `trace` must outlive the replay. Of `layers`, positions in the manifest, there is at least one.
    Replay(const Trace& trace, std::uint32_t ranks, std::vector<std::size_t> layers);

    std::uint32_t ranks() const { return ranks_; }   ///< which show a gradient each, captured or resampled
    std::uint64_t elements() const { return tensors_.back().end; }   ///< values of a rank in the chosen layers
    /// The chosen tensors, which tile the bucket.
    const std::vector<Segment>& tensors() const { return tensors_; }
    /// See Trace::follows.
    bool follows(std::uint32_t position) const { return trace_.follows(position); }
    /// The gradients in the iteration at `position`, [ranks][elements]. TraceError: see Trace::array; a value among
    /// these that is NaN or infinite. `parallel` runs the ranks.
    std::vector<std::vector<float>> gradients(std::uint32_t position, const ParallelFor& parallel = serial_for) const;

private:
    const Trace& trace_;
    std::uint32_t ranks_;
    std::vector<Run> runs_;
    std::vector<Segment> tensors_;
};

}   // namespace oscar

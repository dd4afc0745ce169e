// A method on a bucket: all that is the same in every iteration.
#pragma once

#include <memory>
#include <vector>

#include "models/collective/endpoint/plan.hpp"
#include "models/core/parallel.hpp"
#include "models/network/topology/routes.hpp"
#include "models/nic/node_params.hpp"
#include "models/partition/chunks.hpp"
#include "sim/parameters/parameters.hpp"
#include "sim/replay/codes.hpp"

namespace oscar {

struct MethodSetting {
    /// `tensors` tile the bucket. References must outlive it. `run_ranks` runs the ranks.
    /// Precondition: !find_method_problem (sim/checks).
    MethodSetting(const Parameters& p, const Method& m, const Routes& r, const std::vector<Segment>& tensors,
                  ParallelFor run_ranks);

    /// False for fp32 and bf16.
    bool quantised() const { return plan.element_type == ElementType::integer; }
    /// The chunks of a slice, and the slices.
    ChunkCount chunk_count() const;
    /// The words that a participant begins an iteration with; switches that add hold none.
    std::vector<Symbol> words_of(const IterationCodes& codes, std::size_t participant) const;

    const Parameters& parameters;
    const Method& method;
    const Routes& routes;
    Nodes nodes;
    ParallelFor parallel;
    std::uint32_t elements;
    bool by_class;               ///< values are coded by class
    std::uint32_t classes = 1;   ///< of the elements, where they are split
    std::unique_ptr<Codec> codec;
    std::unique_ptr<Codec> inside;   ///< of steps inside islands; null: they have the same
    Plan plan;
};

}   // namespace oscar

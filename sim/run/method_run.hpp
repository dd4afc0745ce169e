// One method over the iterations of an experiment: its tables and boundaries, the reference and the timed run.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "models/core/parallel.hpp"
#include "models/gpu/gpu_kernels.hpp"
#include "models/machine/machine.hpp"
#include "models/partition/chunk_planner.hpp"
#include "models/partition/classes.hpp"
#include "sim/parameters/parameters.hpp"
#include "sim/replay/codes.hpp"
#include "sim/report/metrics.hpp"
#include "sim/run/counted_messages.hpp"

namespace oscar {

/// Holds two sets of rank states, for the untimed reference and for the simulated machine; both live through the same
/// iterations, and after each they must agree in values, tables and every byte sent.
/// It has more than 20 functions and 12 members: an iteration has many steps, each of which is a few lines here and
/// uses the tables and layouts of the others.
class MethodRun {
public:
    /// `tensors` tile the bucket. References must outlive the run. `parallel` runs the ranks.
    /// Precondition: !find_method_problem (sim/checks).
    MethodRun(const Parameters& parameters, const Method& method, const Routes& routes,
              const std::vector<Segment>& tensors, ParallelFor parallel = serial_for);

    /// An iteration without network: tables and boundaries learn from it.
    void warm_up(const IterationCodes& codes);
    /// An iteration on the simulated machine; adds to the result. `exchange`: what agreeing on the scale took before,
    /// which codes alone pay for. `progress`: how far the simulation is.
    void replay(
        Machine& machine, const IterationCodes& codes, const std::vector<Time>& start, const Preparation& exchange,
        const ShareDone& progress = [](double) {});

    /// An iteration that is given up after its first `steps` steps, without network: what was learnt in it is
    /// forgotten, so that its repetition sends the bytes that it would have sent.
    void abort(const IterationCodes& codes, std::size_t steps);

    bool quantised() const { return plan_.number == ElementType::integer; }   ///< false for fp32 and bf16
    const std::string& name() const { return method_.name; }
    const std::vector<IterationResult>& results() const { return results_; }   ///< one per replay()

private:
    /// All participants of one run: what they carry, and how each of them decides on its own.
    struct Ranks {
        std::vector<RankState> rank_states;
        std::vector<ChunkPlanner> planners;
        std::vector<Classifier> classifiers;   ///< none without a split
        std::vector<ChunkLayout> layouts;      ///< of the iteration begun last, until its commit
    };
    void begin(std::span<Ranks* const> sets, const IterationCodes& codes);
    void begin(Ranks& ranks, const IterationCodes& codes) const;
    std::int32_t scale_move(const IterationCodes& codes) const;
    std::vector<Symbol> words_at(const IterationCodes& codes, std::size_t participant) const;
    static void forget_history(Ranks& ranks);
    void choose_layouts(std::span<Ranks* const> sets, const IterationCodes& codes) const;
    std::vector<ChunkLayout> broadcast_layouts(Ranks& ranks, const IterationCodes& codes) const;
    std::vector<std::uint32_t> costs_known_to(const RankState& rank_state) const;
    std::optional<BlockUnit> block_unit(const ChunkKind& chunks) const;
    bool has_history() const { return !last_local_.empty(); }
    bool boundaries_are_broadcast() const { return cost_source_ == CostSource::rank0 && has_history(); }
    ChunkCount chunk_count() const {
        const std::uint32_t slices = slices_of(parameters_.collective);
        return {plan_.schedule.chunks / slices, slices};
    }
    Preparation broadcast_boundaries(Machine& machine) const;
    static std::vector<ElementClasses> classes_for(const Ranks& ranks);
    void commit(std::span<Ranks* const> sets, const IterationCodes& codes);
    Table table_of(std::span<const Symbol> symbols) const;
    std::optional<Table> common_table() const;
    std::uint64_t side_bytes() const;
    std::vector<std::uint32_t> costs_of(const RankState& rank_state, std::span<const Symbol> values,
                                        std::span<const std::uint8_t> classes) const;
    std::optional<double> prediction_error(const Reference& reference) const;
    EngineMemoryTraffic side_reads() const;
    Bytes table_memory(const EngineMemoryTraffic& side) const;
    GpuKernels kernels_of(const IterationCodes& codes) const;
    Outcome run_on(Machine& machine, const Reference& reference, const ShareDone& progress,
                   const std::function<Job(MessageSource&)>& job);
    CriticalPath learning(const EngineMemoryTraffic& side) const;
    bool tables_agree() const;
    bool unchecked_faults() const;
    bool may_be_damaged() const;

    const Parameters& parameters_;
    const Method& method_;
    const Routes& routes_;
    Nodes nodes_;
    ParallelFor parallel_;
    std::uint32_t elements_;
    std::uint32_t classes_ = 1;   ///< of the elements, where they are split
    std::unique_ptr<Codec> codec_;
    Plan plan_;
    Ranks reference_, timed_;
    CostSource cost_source_ = CostSource::none;   ///< of all planners
    std::vector<float> last_peaks_;               ///< of the scales of the iteration before
    std::vector<Symbol> last_local_;              ///< codes of rank 0 in the iteration before; empty without history
    std::optional<Table> profile_;                ///< made by rank 0 for all, where the codec wants one
    std::vector<IterationResult> results_;
};

}   // namespace oscar

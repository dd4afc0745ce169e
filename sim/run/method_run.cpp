#include "sim/run/method_run.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include "models/codec/message/inline_table.hpp"
#include "models/codec/table/scale_move.hpp"
#include "models/collective/endpoint/encoded_message_source.hpp"
#include "models/collective/endpoint/recorded_message_source.hpp"
#include "models/engine/table_learning.hpp"
#include "models/gpu/gpu_kernels.hpp"
#include "sim/parameters/method_setup.hpp"
#include "sim/parameters/nodes.hpp"
#include "sim/parameters/roofline_of.hpp"
#include "sim/run/boundary_broadcast.hpp"
#include "sim/run/closed_form_of.hpp"
#include "sim/run/collective_result.hpp"
#include "sim/run/held_values.hpp"

namespace oscar {

MethodRun::MethodRun(const Parameters& parameters, const Method& method, const Routes& routes,
                     const std::vector<Segment>& tensors, ParallelFor parallel)
    : parameters_(parameters),
      method_(method),
      routes_(routes),
      nodes_(nodes_of(parameters)),
      parallel_(std::move(parallel)),
      elements_(tensors.back().end),
      codec_(make_codec_of(parameters, method, class_count(classes_of(parameters, method), tensors))),
      plan_(make_plan_of(parameters, method, routes.topology())) {
    const ChunkKind& chunks = chunks_of(parameters, method);
    const ClassifierKind& classes = classes_of(parameters, method);
    const bool by_class = codes_by_class(parameters, method, *codec_);
    if (by_class) classes_ = class_count(classes, tensors);
    const ChunkKind cut = codec_->constant_rate() ? ChunkKind(EqualParams{}) : chunks;
    const std::optional<BlockUnit> unit = block_unit(chunks);
    const std::uint32_t floor = ridge_point(roofline_of(parameters, nodes_, plan_), parameters.ranks);
    for (Ranks* ranks : {&reference_, &timed_})
        for (std::uint32_t r = 0; r < plan_.schedule.participants(); ++r) {
            ranks->rank_states.emplace_back(plan_, *codec_, classes_);
            if (unit) ranks->rank_states.back().count_blocks(*unit);
            ranks->planners.emplace_back(cut, elements_, chunk_count(), floor);
            if (by_class) ranks->classifiers.emplace_back(classes, tensors);
        }
    cost_source_ = timed_.planners.front().cost_source();
}

/// A block travels on each step of its chunk. No codec spends more than this on a symbol: a row of probability 1/1024
/// and its offset, or Elias's code of a magnitude.
std::optional<BlockUnit> MethodRun::block_unit(const ChunkKind& chunks) const {
    const auto* params = std::get_if<MeasuredParams>(&chunks.params);
    if (params == nullptr || codec_->constant_rate()) return std::nullopt;
    const auto messages = static_cast<std::uint32_t>(plan_.schedule.steps.size() / plan_.schedule.chunks);
    return finest_unit(params->granularity, messages, 2 * plan_.final_width() + probability_bits);
}

Table MethodRun::table_of(std::span<const Symbol> symbols) const {
    Counts counts;
    codec_->learn(symbols, plan_.final_width(), counts);
    return codec_->make_table(counts, plan_.final_width());
}

/// The one table of an iteration that follows another, if the codec wants one.
std::optional<Table> MethodRun::common_table() const {
    if (codec_->table_source() == TableSource::profiled) return table_of(last_local_);
    if (codec_->table_source() != TableSource::pooled) return std::nullopt;
    Counts pool;
    for (const RankState& rank_state : reference_.rank_states) {
        add(pool, rank_state.received_counts());
    }
    return codec_->make_table(pool, plan_.final_width());
}

/// The bytes of the boundaries and of the common table beside the messages: the table goes from rank 0 to the others,
/// which, if it is pooled, have sent rank 0 their counts of 32 bits.
std::uint64_t MethodRun::side_bytes() const {
    const std::uint64_t boundaries = boundaries_are_broadcast() ? boundary_bytes(chunk_count(), parameters_.ranks) : 0;
    if (!profile_) return boundaries;
    const std::uint64_t counts = 4 * reference_.rank_states.front().received_counts().size();
    return boundaries +
           (counts + inline_table_bytes(profile_->layout, profile_->width)) * (plan_.schedule.participants() - 1);
}

/// Per element, what `values` would cost under the tables that the rank holds of final sums, by their classes if
/// they are known.
std::vector<std::uint32_t> MethodRun::costs_of(const RankState& rank_state, std::span<const Symbol> values,
                                               std::span<const std::uint8_t> classes) const {
    const std::uint32_t width = plan_.final_width();
    std::vector<std::uint32_t> costs(elements_);
    if (const auto tables = rank_state.final_tables(); !classes.empty() && !tables.empty()) {
        std::ranges::transform(values, classes, costs.begin(),
                               [&](Symbol v, std::uint8_t c) { return codec_->cost(v, width, tables[c]); });
        return costs;
    }
    std::optional<Table> own;
    if (!rank_state.final_table() && codec_->table_source() != TableSource::none)   // a codec that holds no tables
        own = table_of(rank_state.values());
    const Table* table = own ? &*own : rank_state.final_table();
    std::ranges::transform(values, costs.begin(), [&](Symbol v) { return codec_->cost(v, width, table); });
    return costs;
}

/// Tables and layouts of an aborted attempt stay for its repetition.
void MethodRun::begin(std::span<Ranks* const> sets, const IterationCodes& codes) {
    if (!codes.continues) {
        last_local_.clear();
        for (Ranks* ranks : {&reference_, &timed_}) forget_history(*ranks);
    }
    profile_ = has_history() ? common_table() : std::nullopt;
    const bool repeated = !sets.front()->layouts.empty();
    for (Ranks* ranks : sets)
        for (RankState& rank_state : ranks->rank_states) {
            if (profile_) rank_state.set_profile(*profile_);
            if (!repeated) rank_state.follow_scale(scale_move(codes));
        }
    if (!repeated) choose_layouts(sets, codes);
    for (Ranks* ranks : sets) begin(*ranks, codes);
}

void MethodRun::forget_history(Ranks& ranks) {
    for (RankState& rank_state : ranks.rank_states) rank_state.reset();
    for (ChunkPlanner& planner : ranks.planners) planner.reset();
    for (Classifier& classifier : ranks.classifiers) classifier.reset();
    ranks.layouts.clear();
}

/// The rows / 256 by which the same gradients lie higher than in the iteration before: 0 unless both have one scale.
std::int32_t MethodRun::scale_move(const IterationCodes& codes) const {
    if (!codes.continues || last_peaks_.size() != 1 || codes.peaks.size() != 1) return 0;
    if (last_peaks_.front() <= 0 || codes.peaks.front() <= 0) return 0;
    return rows_between(last_peaks_.front(), codes.peaks.front());
}

void MethodRun::begin(Ranks& ranks, const IterationCodes& codes) const {
    const std::vector<ElementClasses> classes = classes_for(ranks);
    parallel_(ranks.rank_states.size(), [&](std::size_t r) {
        ranks.rank_states[r].begin(words_at(codes, r), ranks.layouts[r], static_cast<std::uint8_t>(codes.position),
                                   classes[r]);
    });
}

std::vector<Symbol> MethodRun::words_at(const IterationCodes& codes, std::size_t participant) const {
    if (participant >= parameters_.ranks) return std::vector(elements_, nothing(plan_.number));
    return quantised() ? codes.codes[participant] : words_of(plan_.number, codes.gradients[participant]);
}

/// The costs that a rank knows from the iteration before alone; empty without one.
std::vector<std::uint32_t> MethodRun::costs_known_to(const RankState& rank_state) const {
    if (!has_history()) return {};
    if (cost_source_ == CostSource::sums) return costs_of(rank_state, rank_state.values(), rank_state.classes());
    if (cost_source_ == CostSource::measured) return rank_state.block_totals()->costs(elements_);
    return {};
}

/// Chooses layouts by the values and tables of the iteration committed last, which the ranks hold until they begin
/// another. Ranks that know the same as the first of all share its layout.
void MethodRun::choose_layouts(std::span<Ranks* const> sets, const IterationCodes& codes) const {
    if (boundaries_are_broadcast()) {
        for (Ranks* ranks : sets) ranks->layouts = broadcast_layouts(*ranks, codes);
        return;
    }
    const RankState& first = sets.front()->rank_states.front();
    const ChunkPlanner before = sets.front()->planners.front();
    ChunkPlanner after = before;
    const ChunkLayout layout = after.next(costs_known_to(first));
    for (Ranks* ranks : sets) {
        ranks->layouts.resize(ranks->rank_states.size());
        parallel_(ranks->layouts.size(), [&](std::size_t r) {
            ChunkPlanner& planner = ranks->planners[r];
            const bool same = planner.has_history_of(before) &&
                              (cost_source_ == CostSource::none || know_the_same(ranks->rank_states[r], first));
            ranks->layouts[r] = same ? layout : planner.next(costs_known_to(ranks->rank_states[r]));
            if (same) planner = after;
        });
    }
}

/// The boundaries of rank 0, by its own codes.
std::vector<ChunkLayout> MethodRun::broadcast_layouts(Ranks& ranks, const IterationCodes& codes) const {
    const auto known =
        ranks.classifiers.empty() ? std::span<const std::uint8_t>{} : ranks.classifiers.front().classes();
    const auto costs = costs_of(ranks.rank_states.front(), codes.codes.front(), known);
    return std::vector(ranks.rank_states.size(), ranks.planners.front().next(costs));
}

Preparation MethodRun::broadcast_boundaries(Machine& machine) const {
    if (!boundaries_are_broadcast()) return {};
    return run_boundary_broadcast(machine, std::span(timed_.layouts).first(parameters_.ranks), chunk_count(),
                                  issue_of(parameters_.collective));
}

/// [rank], shared where classifiers share what they remember; null without classifiers.
std::vector<ElementClasses> MethodRun::classes_for(const Ranks& ranks) {
    std::vector<ElementClasses> of_ranks(ranks.rank_states.size());
    for (std::size_t r = 0; r < ranks.classifiers.size(); ++r) {
        const auto classes = ranks.classifiers[r].classes();
        const bool shared = r > 0 && classes.data() == ranks.classifiers[r - 1].classes().data();
        of_ranks[r] = shared ? of_ranks[r - 1]
                             : std::make_shared<const std::vector<std::uint8_t>>(classes.begin(), classes.end());
    }
    return of_ranks;
}

void MethodRun::commit(std::span<Ranks* const> sets, const IterationCodes& codes) {
    std::vector<RankState*> rank_states;
    std::vector<Classifier*> of_ranks;
    for (Ranks* ranks : sets) {
        agree_on_tables(ranks->rank_states);
        for (RankState& rank_state : ranks->rank_states) rank_states.push_back(&rank_state);
        for (Classifier& classifier : ranks->classifiers) of_ranks.push_back(&classifier);
        ranks->layouts.clear();
    }
    commit_each(rank_states, parallel_);
    std::vector<std::span<const Symbol>> sums;
    sums.reserve(rank_states.size());
    for (const RankState* rank_state : rank_states) sums.push_back(rank_state->values());
    observe_each(of_ranks, sums);
    last_local_ = codes.codes.front();
    last_peaks_ = codes.peaks;
}

void MethodRun::warm_up(const IterationCodes& codes) {
    begin(std::array{&reference_}, codes);
    run_reference(plan_.schedule, reference_.rank_states, nullptr, Receivers::learn, parallel_);
    commit(std::array{&reference_}, codes);
    timed_ = reference_;   // no machine has a part in it
}

void MethodRun::abort(const IterationCodes& codes, std::size_t steps) {
    begin(std::array{&reference_, &timed_}, codes);
    Schedule part = plan_.schedule;
    part.steps.resize(std::min(steps, part.steps.size()));
    for (Ranks* ranks : {&reference_, &timed_}) {
        run_reference(part, ranks->rank_states, nullptr, Receivers::decode, parallel_);
        for (RankState& rank_state : ranks->rank_states) rank_state.rollback();
    }
}

void MethodRun::replay(Machine& machine, const IterationCodes& codes, const std::vector<Time>& start,
                       const Preparation& exchange, const ShareDone& progress) {
    begin(std::array{&reference_, &timed_}, codes);
    StepEntropy entropy;   // of integers: bit patterns of fp32 have none worth telling
    const Reference reference = run_reference(plan_.schedule, reference_.rank_states, quantised() ? &entropy : nullptr,
                                              Receivers::trust, parallel_);
    const EngineMemoryTraffic side = side_reads();
    const Preparation broadcast = broadcast_boundaries(machine);
    const GpuKernels kernels = kernels_of(codes);
    const std::vector<Time> releases = kernels.releases();
    const Outcome outcome = run_on(machine, reference, progress, [&](MessageSource& participants) {
        return Job{plan_, participants, issue_of(parameters_.collective), start, side, codes.draw, releases};
    });

    const auto closed_form =
        closed_form_of(parameters_, routes_, nodes_, plan_, *codec_, side, releases, [&](StepId id) -> StepMessage {
            return {reference.messages[id.value], reference.forwarded[id.value]};
        });
    IterationResult result = result_of(outcome, plan_, parameters_.ranks,
                                       {closed_form, quantised() ? exchange : Preparation{}, broadcast,
                                        kernels.around(outcome), elements_, learning(side)});
    if (!results_.empty()) result.waveform.clear();   // that of the first is shown
    result.position = codes.position;
    result.side_bytes = side_bytes();
    result.table_memory_bytes = table_memory(side).count;
    result.mask_memory_bytes = side.mask_memory_needed.count;
    result.reads_masks = side.mask_bits > 0;
    const HeldValues held(plan_, parameters_.ranks, timed_.rank_states, codes);
    result.fidelity = held.fidelity();
    result.saturated_values = quantised() ? codes.saturated : 0;
    result.chunk_prediction_error = prediction_error(reference);
    if (quantised()) result.entropy_bits = entropy.bits();
    commit(std::array{&reference_, &timed_}, codes);
    const bool as_sent = outcome.sent == reference.sent && outcome.resent == reference.resent;
    result.sums_match_reference =
        held.are_right(reference_.rank_states, parallel_) && (unchecked_faults() || (tables_agree() && as_sent));
    results_.push_back(result);
}

/// Sends the messages of the reference, unless refusals or damage may make others.
Outcome MethodRun::run_on(Machine& machine, const Reference& reference, const ShareDone& progress,
                          const std::function<Job(MessageSource&)>& job) {
    const auto outcome_of = [&](MessageSource& messages) {
        CountedMessages participants(messages, plan_.schedule.steps.size(), progress);
        return machine.run(job(participants));
    };
    if (reference.resent.messages > 0 || may_be_damaged()) {
        EncodedMessageSource messages(plan_, timed_.rank_states, *codec_);
        return outcome_of(messages);
    }
    RecordedMessageSource messages(plan_, timed_.rank_states, *codec_, reference);
    Outcome outcome = outcome_of(messages);
    messages.finish(parallel_);
    return outcome;
}

/// The error of predicted sizes, over the messages that carry the whole sum of a chunk, to which the prediction refers.
std::optional<double> MethodRun::prediction_error(const Reference& reference) const {
    const auto& expected = reference_.planners.front().expected();
    if (expected.empty()) return std::nullopt;
    std::vector<double> coded(expected.size());
    for (std::uint32_t i = 0; i < plan_.schedule.steps.size(); ++i)
        if (plan_.final_sum(StepId{i}))
            coded[plan_.schedule.steps[i].chunk.value] = static_cast<double>(reference.sent[i].bytes);
    const double all_expected = std::accumulate(expected.begin(), expected.end(), 0.0);
    const double all_coded = std::accumulate(coded.begin(), coded.end(), 0.0);
    if (all_expected == 0 || all_coded == 0) return std::nullopt;
    double error = 0;   // shares of the whole; their mean is 1 / chunks
    for (std::size_t c = 0; c < coded.size(); ++c)
        error += std::abs(static_cast<double>(expected[c]) / all_expected - coded[c] / all_coded);
    return error;
}

/// Without a history no classes are known.
EngineMemoryTraffic MethodRun::side_reads() const {
    const bool known = !timed_.rank_states.front().classes().empty();
    const KnownClasses classes{known ? classes_ : 1, values_per_class(classes_of(parameters_, method_))};
    return make_side_reads(parameters_.engine, plan_, *codec_, classes, elements_);
}

/// The tables that are kept, and the ones that the lanes of encoder and decoder hold; a message of a split that is no
/// context has the symbols of one class.
Bytes MethodRun::table_memory(const EngineMemoryTraffic& side) const {
    const bool by_context = std::holds_alternative<ContextSplitParams>(split_of(parameters_, method_).params) &&
                            !timed_.rank_states.front().classes().empty();
    const Bytes of_an_array = lane_tables(method_.codec, parameters_.engine.framing(), by_context ? classes_ : 1);
    return side.table_memory_needed + of_an_array + of_an_array;
}

GpuKernels MethodRun::kernels_of(const IterationCodes& codes) const {
    const KernelWork work{elements_, quantised() && fixed_point(parameters_.quantiser).residual,
                          quantised() && codes.exchanged,
                          has_history() ? planning_of(parameters_, method_, *codec_, elements_) : Planning{}};
    return {gpus_of(nodes_), plan_, work, slice_sizes(timed_.layouts.front(), slices_of(parameters_.collective))};
}

/// The time to make the tables for which the iteration before left counts.
CriticalPath MethodRun::learning(const EngineMemoryTraffic& side) const {
    return has_history() ? table_learning(engines_of(nodes_), side) : CriticalPath{};
}

/// All tables are the reference's.
bool MethodRun::tables_agree() const {
    return std::ranges::equal(timed_.rank_states, reference_.rank_states, [](const RankState& a, const RankState& b) {
        return a.tables().digest() == b.tables().digest();
    });
}

/// True if damage may reach the decoders: messages are then refused that the reference takes, and sums alone must
/// agree.
bool MethodRun::unchecked_faults() const {
    return may_be_damaged() && parameters_.network.faults->check == PacketCheck::none;
}

bool MethodRun::may_be_damaged() const { return parameters_.network.faults && parameters_.network.faults->flip > 0; }

}   // namespace oscar

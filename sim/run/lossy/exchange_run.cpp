#include "sim/run/lossy/exchange_run.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "models/engine/table_learning.hpp"
#include "models/job/schedule_on.hpp"
#include "sim/parameters/carrier_schedule.hpp"
#include "sim/parameters/method_setup.hpp"
#include "sim/parameters/nodes.hpp"
#include "sim/run/iteration/closed_form_of.hpp"
#include "sim/run/iteration/cost_of.hpp"

namespace oscar {
namespace {

struct Movement {
    Schedule schedule;
    Operation operation = Operation::all_reduce;
    std::uint32_t slices = 1;
};

Operation operation_of(CollectiveKind carrier) {
    switch (carrier) {
        case CollectiveKind::all_reduce:
        case CollectiveKind::reduce:
            return Operation::all_reduce;
        case CollectiveKind::all_gather:
            return Operation::all_gather;
        case CollectiveKind::reduce_scatter:
            return Operation::reduce_scatter;
        case CollectiveKind::broadcast:
            return Operation::broadcast;
        case CollectiveKind::all_to_all:
            return Operation::all_to_all;
        case CollectiveKind::shift:
            return Operation::transfers;
    }
    return Operation::all_reduce;
}

Movement movement_of(const LossySetting& setting, CollectiveKind carrier, std::uint32_t root) {
    const Parameters& p = setting.parameters;
    if (carrier == CollectiveKind::all_reduce && operation_of(p.collective) == Operation::all_reduce)
        return {schedule_on(p.collective, setting.routes.topology()), Operation::all_reduce, slices_of(p.collective)};
    return {carrier_schedule(carrier, setting.routes.topology(), root), operation_of(carrier)};
}

/// Uncoded integers, unless the method has a codec. A message of a compressor has no classes.
Method coder_of(const Method& method) {
    Method coder{method.name, method.codec};
    if (!method.lossy->coded) coder.codec = FixedPointParams{};
    coder.split = NoSplitParams{};
    return coder;
}

CodecChoice choice_of(const LossySetting& setting, ElementType type) {
    if (type == ElementType::integer) return setting.coder.codec;
    if (type == ElementType::bfloat16) return Bf16Params{};
    return Fp32Params{};
}

std::unique_ptr<Codec> codec_of(const LossySetting& setting, ElementType type) {
    const Method words{setting.coder.name, choice_of(setting, type)};
    return make_codec_of(setting.parameters, type == ElementType::integer ? setting.coder : words, 1);
}

/// Of the words of the first `ranks`.
std::size_t sum_of_sizes(const RankWords& words, std::uint32_t ranks) {
    std::size_t sum = 0;
    for (std::uint32_t r = 0; r < ranks; ++r) sum += words.of_ranks[r].size();
    return sum;
}

ChunkLayout equal_chunks(std::size_t elements, std::uint32_t chunks, std::uint32_t slices) {
    return make_layout(EqualParams{}, static_cast<std::uint32_t>(elements), {chunks / slices, slices}, {});
}

/// Each rank's words are a chunk.
ChunkLayout chunk_of_each_rank(const RankWords& words) {
    std::vector<std::vector<Segment>> chunks;
    std::uint32_t begin = 0;
    for (const auto& own : words.of_ranks) {
        const auto end = begin + static_cast<std::uint32_t>(own.size());
        chunks.push_back(begin == end ? std::vector<Segment>{} : std::vector{Segment{begin, end}});
        begin = end;
    }
    return ChunkLayout(std::move(chunks));
}

}   // namespace

LossySetting::LossySetting(const Parameters& p, const Method& m, const Routes& r, ParallelFor run_ranks)
    : parameters(p), coder(coder_of(m)), routes(r), nodes(nodes_of(p)), parallel(std::move(run_ranks)) {}

ExchangeRun::ExchangeRun(const LossySetting& setting, const WordExchange& exchange, const RankWords& words)
    : setting_(setting),
      carrier_(exchange.carrier),
      root_(exchange.root),
      choice_(choice_of(setting, words.type)),
      codec_(codec_of(setting, words.type)) {
    Movement movement = movement_of(setting, carrier_, root_);
    slices_ = movement.slices;
    const std::uint32_t island = setting.parameters.gpu.island_port ? setting.routes.topology().island : 1;
    plan_ =
        std::make_unique<Plan>(std::move(movement.schedule), words.type, words.bits, movement.operation, false, island);
    for (auto* ranks : {&reference_ranks_, &simulated_ranks_})
        for (std::uint32_t r = 0; r < plan_->schedule.participants(); ++r) ranks->emplace_back(*plan_, *codec_);
}

bool ExchangeRun::continues(const WordExchange& exchange, const RankWords& words) const {
    return exchange.carrier == carrier_ && exchange.root == root_ && words.type == plan_->element_type &&
           words.bits == plan_->bits;
}

ExchangeRun::Placed ExchangeRun::placed(const RankWords& words) const {
    const std::uint32_t ranks = setting_.parameters.ranks, chunks = plan_->schedule.chunks;
    const std::size_t length = longest(words);
    if (carrier_ == CollectiveKind::shift) return {sum_of_sizes(words, ranks), chunk_of_each_rank(words)};
    std::size_t held = length;
    if (carrier_ == CollectiveKind::all_gather) held = ranks * length;
    if (carrier_ == CollectiveKind::all_to_all) held = std::size_t{ranks} * ranks * ((length + ranks - 1) / ranks);
    if (merges(carrier_)) held = std::max<std::size_t>(length, chunks);   // a NIC moves a word at least
    return {held, equal_chunks(held, chunks, slices_)};
}

/// Its own where the collective has a place for them, and zeros.
std::vector<Symbol> ExchangeRun::first_words(const RankWords& words, std::uint32_t participant,
                                             std::size_t held) const {
    const std::uint32_t ranks = setting_.parameters.ranks;
    std::vector<Symbol> result(held, participant < ranks ? 0 : additive_identity(plan_->element_type));
    if (participant >= ranks || (carrier_ == CollectiveKind::broadcast && participant > 0)) return result;
    std::size_t begin = 0;
    if (carrier_ == CollectiveKind::all_gather || carrier_ == CollectiveKind::all_to_all)
        begin = held / ranks * participant;
    if (carrier_ == CollectiveKind::shift) begin = sum_of_sizes(words, participant);
    std::ranges::copy(words.of_ranks[participant], result.begin() + static_cast<std::ptrdiff_t>(begin));
    return result;
}

/// The words of the rank that is to hold them; of a reduce-scatter, each chunk of its owner.
std::vector<Symbol> ExchangeRun::left(const ChunkLayout& layout, std::size_t words) const {
    if (carrier_ == CollectiveKind::all_to_all || carrier_ == CollectiveKind::shift) return {};
    const auto held = reference_ranks_[carrier_ == CollectiveKind::reduce ? root_ : 0].values().all();
    std::vector<Symbol> result(held.begin(), held.end());
    if (carrier_ == CollectiveKind::reduce_scatter)
        for (ChunkId chunk; chunk.value < plan_->schedule.chunks; ++chunk.value) {
            const auto owned = reference_ranks_[chunk.value].values().all();
            layout.for_each(chunk, [&](std::uint32_t i, std::uint32_t) { result[i] = owned[i]; });
        }
    if (merges(carrier_)) result.resize(words);
    return result;
}

Exchanged ExchangeRun::run(const RankWords& words, std::uint32_t position, const Moment* moment) {
    const auto [held, layout] = placed(words);
    std::vector<std::vector<RankState>*> sets{&reference_ranks_};
    if (moment != nullptr) sets.push_back(&simulated_ranks_);
    for (auto* ranks : sets)
        setting_.parallel(ranks->size(), [&, held = held, &layout = layout](std::size_t r) {
            (*ranks)[r].begin(first_words(words, static_cast<std::uint32_t>(r), held), layout,
                              static_cast<std::uint8_t>(position));
        });
    ExchangeRanks ranks{reference_ranks_, {}};
    if (moment != nullptr) ranks.machine = simulated_ranks_;
    Exchange exchange(*plan_, *codec_, ranks, damage_of(setting_.parameters.network.faults), setting_.parallel);
    exchange.run_reference();
    Exchanged exchanged;
    exchanged.words = left(layout, longest(words));
    const EngineMemoryTraffic reads = engine_reads(engine_of_a_rank(setting_.parameters), *plan_, *codec_, {}, held);
    Outcome outcome;
    if (moment != nullptr) outcome = simulated(exchange, reads, *moment);
    for (auto* set : sets) commit(*set);
    if (moment != nullptr) {
        exchanged.result = result_of(exchange, outcome, reads, held, moment->timeline);
        count_represented(exchanged.result, static_cast<double>(words.represented) / static_cast<double>(held));
    } else {
        simulated_ranks_ = reference_ranks_;
    }
    learnt_ = true;
    return exchanged;
}

Outcome ExchangeRun::simulated(Exchange& exchange, const EngineMemoryTraffic& reads, const Moment& moment) const {
    return exchange.run([&](MessageSource& source) {
        return moment.machine.run({.plan = *plan_,
                                   .source = source,
                                   .issue = issue_of(setting_.parameters.collective),
                                   .start = moment.start,
                                   .engine_reads = reads,
                                   .seed = moment.seed,
                                   .spans_noted = moment.timeline});
    });
}

void ExchangeRun::commit(std::vector<RankState>& ranks) const {
    agree_on_tables(ranks);
    std::vector<RankState*> all;
    for (RankState& rank : ranks) all.push_back(&rank);
    commit_each(all, setting_.parallel);
}

IterationResult ExchangeRun::result_of(const Exchange& exchange, const Outcome& outcome,
                                       const EngineMemoryTraffic& reads, std::size_t held, bool timeline) const {
    const Parameters& p = setting_.parameters;
    const std::optional<Time> closed_form = closed_form_of(p, setting_.routes, setting_.nodes, *plan_, *codec_, reads,
                                                           {}, [&](StepId id) { return exchange.message(id); });
    IterationResult result = oscar::result_of(outcome, *plan_, p.ranks,
                                              {.closed_form = closed_form,
                                               .scale_exchange = {},
                                               .boundary_broadcast = {},
                                               .kernels = {},
                                               .learning = learning_before(reads),
                                               .timeline = timeline ? std::optional(TimelineWindow{}) : std::nullopt,
                                               .island = island_of_tiers(p)});
    result.sums_match_reference = exchange.matches_reference(outcome);
    add_cost(result, setting_.nodes, outcome,
             {.choice = choice_,
              .codec = *codec_,
              .reads = reads,
              .width = plan_->final_width(),
              .elements = held,
              .after_another = learnt_},
             p.scale);
    return result;
}

/// Of the tables for which the iteration before left counts.
CriticalPath ExchangeRun::learning_before(const EngineMemoryTraffic& reads) const {
    return learnt_ ? table_learning(engines_of(setting_.nodes), reads) : CriticalPath{};
}

}   // namespace oscar

#include "sim/report/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <utility>

#include "models/collective/schedule/step_lists.hpp"
#include "models/core/merged_spans.hpp"

#include "sim/report/timeline/timeline.hpp"

namespace oscar {
namespace {

using Intervals = std::vector<Span>;   // as of merged()

std::int64_t length(const Intervals& intervals) {
    std::int64_t sum = 0;
    for (const Span span : intervals) sum += (span.end - span.begin).ps;
    return sum;
}

Intervals union_of(const Intervals& a, const Intervals& b) {
    std::vector<Span> both;
    both.reserve(a.size() + b.size());
    std::ranges::merge(a, b, std::back_inserter(both), {}, &Span::begin, &Span::begin);
    return merged(std::move(both));
}

/// The length of the parts of a that lie in b.
std::int64_t overlap(const Intervals& a, const Intervals& b) {
    std::int64_t sum = 0;
    auto other = b.begin();
    for (const Span span : a) {
        while (other != b.end() && other->end <= span.begin) ++other;
        for (auto at = other; at != b.end() && at->begin < span.end; ++at)
            sum += (std::min(span.end, at->end) - std::max(span.begin, at->begin)).ps;
    }
    return sum;
}

/// The spans in which rank r had something of its own to do: a step issued but not all sent, or a block to decode.
Intervals own_activity(const Outcome& outcome, std::span<const StepId> sends, std::uint32_t r) {
    std::vector<Span> sending;
    sending.reserve(sends.size());
    for (const StepId step : sends)
        sending.push_back({outcome.steps[step.value].issued, outcome.steps[step.value].sent});
    return union_of(merged(std::move(sending)), merged(outcome.ranks[r].decoder));
}

struct TimeSplit {
    std::int64_t codec = 0, wire = 0;    ///< time
    std::int64_t window = 0, idle = 0;   ///< between first and last use of the link; of that, waiting for other ranks
};

/// `sends`: the steps of rank r.
TimeSplit time_split(const Outcome& outcome, std::span<const StepId> sends, std::uint32_t r) {
    const RankUse& use = outcome.ranks[r];
    const Intervals wire = merged(use.wire.all()), codec = union_of(merged(use.encoder), merged(use.decoder));
    TimeSplit result;
    result.wire = length(wire);
    result.codec = length(codec) - overlap(codec, wire);
    if (wire.empty()) return result;
    const Intervals window{{wire.front().begin, wire.back().end}};
    const Intervals busy = union_of(wire, own_activity(outcome, sends, r));
    result.window = length(window);
    result.idle = result.window - overlap(busy, window);
    return result;
}

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

std::vector<LinkShare> shares_of_links(const Outcome& outcome) {
    std::vector<LinkShare> shares;
    for (const LinkUse& link : outcome.links)
        if (link.packets > 0)
            shares.push_back({link.name,
                              ratio(static_cast<double>(length(merged(link.busy.all()))),
                                    static_cast<double>(outcome.duration().ps)),
                              link.wire_bytes});
    return shares;
}

double mean_utilisation(const std::vector<LinkShare>& links) {
    double sum = 0;
    for (const LinkShare& link : links) sum += link.utilisation;
    return ratio(sum, static_cast<double>(links.size()));
}

void add_rank_times(IterationResult& result, const Outcome& outcome, const Schedule& schedule) {
    const StepLists sends = steps_by_sender(schedule);
    TimeSplit sum;
    double engine = 0, dma = 0, uplink = 0, delayed = 0;
    for (std::uint32_t r = 0; r < schedule.ranks; ++r) {
        const TimeSplit rank = time_split(outcome, sends[r], r);
        sum.codec += rank.codec;
        sum.wire += rank.wire;
        sum.window += rank.window;
        sum.idle += rank.idle;
        engine +=
            static_cast<double>(length(merged(outcome.ranks[r].encoder)) + length(merged(outcome.ranks[r].decoder)));
        dma += static_cast<double>((outcome.ranks[r].dma_read.busy + outcome.ranks[r].dma_write.busy).ps);
        if (!outcome.ranks[r].pcie_uplink) continue;
        uplink += static_cast<double>(outcome.ranks[r].pcie_uplink->busy.ps);
        delayed += static_cast<double>(outcome.ranks[r].pcie_uplink->delayed.ps);
    }
    result.codec_ps = sum.codec / schedule.ranks;
    result.wire_ps = sum.wire / schedule.ranks;
    result.wait_ps = outcome.duration().ps - result.codec_ps - result.wire_ps;
    result.link_window_ps = sum.window;
    result.idle_wait_share = ratio(static_cast<double>(sum.idle), static_cast<double>(sum.window));
    const double both_ways = 2.0 * schedule.ranks * static_cast<double>(outcome.duration().ps);
    result.engine_utilisation = ratio(engine, both_ways);
    result.dma_utilisation = ratio(dma, both_ways);
    if (outcome.ranks.empty() || !outcome.ranks.front().pcie_uplink) return;
    result.pcie_uplink_utilisation = ratio(uplink, both_ways);
    result.uplink_limits = uplink > dma - delayed;
}

void add_staging(IterationResult& result, const Outcome& outcome, std::uint32_t ranks) {
    Bytes peak, overflow;
    Time waited;
    bool limited = false;
    for (std::uint32_t r = 0; r < ranks; ++r) {
        const auto& use = outcome.ranks[r].staging;
        if (!use) continue;
        limited = true;
        peak = std::max(peak, use->peak);
        waited += use->waited;
        overflow.count += use->overflow.count / outcome.ranks[r].sharing;
    }
    if (!limited) return;
    result.staging_peak_bytes = peak.count;
    result.staging_overflow_bytes = overflow.count;
    result.staging_wait_ps = waited.ps / ranks;
}

/// The bytes that senders sent, with retransmissions and answers.
std::uint64_t wire_bytes_of(const Outcome& outcome) {
    std::uint64_t sum = 0;
    for (const std::uint64_t bytes : outcome.wire_bytes) sum += bytes;
    if (outcome.transport) sum += outcome.transport->retransmitted_bytes + outcome.transport->answer_bytes;
    return sum;
}

}   // namespace

std::int64_t add_time(IterationResult& result, const CriticalPath& path) {
    const std::int64_t ps = path.total_ps();
    result.allreduce_ps += ps;
    if (result.closed_form_ps) *result.closed_form_ps += ps;
    result.critical_path += path;
    return ps;
}

PriorExchange prior_exchange_of(const Outcome& outcome) {
    PriorExchange exchange{outcome.path, wire_bytes_of(outcome), outcome.transport, outcome.faults};
    for (const LinkUse& link : outcome.links)
        if (link.packets > 0) exchange.link_bytes.emplace_back(link.name, link.wire_bytes);
    return exchange;
}

std::int64_t add(IterationResult& result, const PriorExchange& exchange) {
    result.wire_bytes += exchange.wire_bytes;
    if (result.transport && exchange.transport) *result.transport += *exchange.transport;
    if (result.faults && exchange.faults) *result.faults += *exchange.faults;
    for (const auto& [name, bytes] : exchange.link_bytes) {
        auto share = std::ranges::find(result.links, name, &LinkShare::name);
        if (share == result.links.end()) share = result.links.insert(share, {name, 0, 0});
        share->wire_bytes += bytes;
    }
    return add_time(result, exchange.path);
}

IterationResult measure(const Outcome& outcome, const Plan& plan) {
    IterationResult result;
    result.allreduce_ps = outcome.duration().ps;
    result.critical_path = outcome.path;
    for (const MessageRecord& record : outcome.records) {
        result.payload_bytes += record.bytes;
        result.values += record.values;
    }
    result.wire_bytes = wire_bytes_of(outcome);
    result.transport = outcome.transport;
    result.faults = outcome.faults;
    result.background = outcome.background;
    result.resent_messages = outcome.resent.messages;
    result.resent_bytes = outcome.resent.bytes;
    result.imbalance = imbalance(plan.schedule, outcome.records);
    result.links = shares_of_links(outcome);
    result.link_utilisation = mean_utilisation(result.links);
    add_rank_times(result, outcome, plan.schedule);
    add_staging(result, outcome, plan.schedule.ranks);
    return result;
}

namespace {

/// The tier of each step between the ranks that it is of, before they were folded; empty if no step is inside an
/// island.
std::vector<Tier> unfolded_tiers(const Plan& plan, std::uint32_t island) {
    Schedule whole = plan.schedule;
    whole.ranks = plan.ranks;
    for (std::uint32_t i = 0; i < whole.steps.size(); ++i) {
        whole.steps[i].from = plan.sender(StepId{i});
        whole.steps[i].to = plan.receiver(StepId{i});
    }
    return tiers_of(whole, island);
}

void add_tiers(IterationResult& result, const Outcome& outcome, const Plan& plan, std::uint32_t island) {
    result.tiered = true;
    const std::vector<Tier> tiers = unfolded_tiers(plan, island);
    for (std::size_t i = 0; i < outcome.records.size(); ++i) {
        const bool inside = !tiers.empty() && tiers[i] == Tier::inside;
        (inside ? result.island_payload_bytes : result.nic_payload_bytes) += outcome.records[i].bytes;
        (inside ? result.island_values : result.nic_values) += outcome.records[i].values;
    }
}

/// In the order in which a timeline shows them; those of kernels after the collective stand before it, too.
std::vector<PhaseBefore> phases_around(const ResultContext& context) {
    const auto time_of = [](const CriticalPath& path) { return Time{path.total_ps()}; };
    return {{"learning of tables", time_of(context.learning)},
            {"kernels of the GPU", time_of(context.kernels)},
            {"exchange of scales", time_of(context.scale_exchange.path)},
            {"broadcast of boundaries", time_of(context.boundary_broadcast.path)}};
}

}   // namespace

IterationResult result_of(const Outcome& outcome, const Plan& plan, std::uint32_t ranks, const ResultContext& context) {
    IterationResult result = measure(outcome, plan);
    result.waveform = outcome.waveform;
    if (context.island > 1) add_tiers(result, outcome, plan, context.island);
    if (context.timeline)
        result.timeline = std::make_shared<TraceEvents>(
            timeline_of(outcome, plan.schedule, phases_around(context), *context.timeline));
    if (context.routes != nullptr) {
        result.longest_step = longest_step(outcome, plan, context.slices, *context.routes);
        result.activity = activity_of(outcome, plan.schedule);
        result.timesteps = timesteps_of(outcome, plan.schedule);
        result.chunk_balance = chunk_balance_of(outcome, plan.schedule);
    }
    if (context.closed_form) result.closed_form_ps = context.closed_form->ps;
    result.scale_exchange_ps = add(result, context.scale_exchange);
    result.boundary_broadcast_ps = add(result, context.boundary_broadcast);
    result.gpu_kernel_ps = add_time(result, context.kernels);
    result.codec_ps += add_time(result, context.learning);
    if (context.elements == 0) return result;
    result.counted_bytes = 4.0 * static_cast<double>(context.elements) * counted_share(plan.operation, ranks);
    result.bus_factor =
        bus_factor(plan.operation, ranks, plan.schedule.aggregators > 0 && !plan.schedule.island_switches);
    return result;
}

void count_represented(IterationResult& result, double per_word) {
    const auto represented = [per_word](std::uint64_t words) {
        return static_cast<std::uint64_t>(std::llround(per_word * static_cast<double>(words)));
    };
    result.values = represented(result.values);
    if (!result.tiered) return;
    result.island_values = represented(result.island_values);
    result.nic_values = result.values - result.island_values;   // so that the tiers add up
}

void multiply(IterationResult& result, std::uint32_t ranks_for_each) {
    using R = IterationResult;
    for (const auto count : {&R::payload_bytes, &R::wire_bytes, &R::values, &R::side_bytes, &R::island_payload_bytes,
                             &R::island_values, &R::nic_payload_bytes, &R::nic_values})
        result.*count *= ranks_for_each;
    for (const auto energy : {&R::energy_codec_pj, &R::energy_codec_replayed_pj, &R::energy_reduce_pj,
                              &R::energy_memory_pj, &R::energy_leakage_pj, &R::energy_dma_pj, &R::energy_link_pj})
        if (result.*energy) *(result.*energy) *= ranks_for_each;
    result.link_bits *= ranks_for_each;
    if (result.chunk_balance) result.chunk_balance->chunks *= ranks_for_each;
    result.link_window_ps *= ranks_for_each;
}

}   // namespace oscar
